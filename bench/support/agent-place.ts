/** A workspace, a home and a scripted model for one real agent, set up as in the tests. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { variableOf } from "../../src/agents/variable.ts";
import { proofOf, startScriptedModel } from "../../src/testing/index.ts";
import { programOf } from "../../test/real/support/program.ts";
import { createWorkspace } from "../../test/real/support/workspace.ts";

export interface AgentPlace extends AsyncDisposable {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function agentPlace(agent: string): Promise<AgentPlace> {
  const proof = await proofOf(agent);
  const workspace = createWorkspace();
  const { cwd, home } = workspace;
  const model = await startScriptedModel({ proof, cwd });
  for (const [path, text] of Object.entries(proof.files?.(model.url) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const env = {
    ...workspace.env,
    ...proof.env(model.url),
    ...(proof.install !== undefined && { [variableOf(agent, "COMMAND")]: programOf(proof) }),
  };
  return {
    cwd,
    env,
    async [Symbol.asyncDispose]() {
      await model.close();
      workspace[Symbol.dispose]();
    },
  };
}
