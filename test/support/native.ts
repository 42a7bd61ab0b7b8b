/** Reins's own agent without the core, in its own folder and with a scripted model. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentContext, AgentSession, OpenOptions } from "../../src/agents/contract.ts";
import { createAgent } from "../../src/agents/native/index.ts";
import { proof } from "../../src/agents/native/proof.ts";
import { defaultDeadlines } from "../../src/events/deadlines.ts";
import { defaultLimits } from "../../src/events/limits.ts";
import { createRedactor } from "../../src/events/redact.ts";
import { createProcesses } from "../../src/process/index.ts";
import { startScriptedModel, type Scenario, type ScriptedModel } from "../../src/testing/index.ts";
import { Drive } from "./drive.ts";

export interface NativePlace {
  readonly cwd: string;
  readonly home: string;
  readonly model: ScriptedModel;
  readonly context: AgentContext;
  readonly open: (options?: Partial<OpenOptions>) => Promise<{ readonly session: AgentSession; readonly drive: Drive }>;
}

export interface NativePlaceOptions {
  readonly scenarios?: readonly Scenario[];
  readonly env?: Readonly<Record<string, string>>;
  /** Selects another wire protocol than Anthropic's. */
  readonly envOf?: (modelUrl: string) => Record<string, string>;
}

export async function nativePlace({
  scenarios,
  env = {},
  envOf = (url) => proof.env(url),
}: NativePlaceOptions = {}): Promise<NativePlace> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "reins-native-")));
  const cwd = mkdtempSync(join(home, "work-"));
  const model = await startScriptedModel({ proof, cwd, scenarios });
  const variables = {
    PATH: process.env["PATH"],
    HOME: home,
    REINS_HOME: join(home, "reins"),
    ...envOf(model.url),
    ...env,
  };
  const redact = createRedactor(variables);
  const [deadlines, limits] = [defaultDeadlines, defaultLimits];
  const processes = createProcesses({ env: variables, deadlines, limits, redact, guardian: false });
  const context: AgentContext = { processes, env: variables, deadlines, limits, redact };
  const sessions: AgentSession[] = [];
  onTestFinished(async () => {
    await Promise.all(sessions.map((session) => session.close()));
    await processes.close();
    await model.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    cwd,
    home,
    model,
    context,
    open: async (options = {}) => {
      const session = await createAgent(context).open({ sessionId: "ses_test", cwd, mode: "ask", ...options });
      sessions.push(session);
      return { session, drive: new Drive(session, { cwd, mode: "ask", ...options }) };
    },
  };
}
