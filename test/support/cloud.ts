/** An agent in the cloud without a core: the service that stands in, a folder of its own, and a scripted model. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Agent, AgentContext, AgentSession, OpenOptions } from "../../src/agents/contract.ts";
import { createAgent } from "../../src/agents/cursor-cloud/index.ts";
import { proof } from "../../src/agents/cursor-cloud/proof.ts";
import { defaultDeadlines } from "../../src/events/deadlines.ts";
import { defaultLimits } from "../../src/events/limits.ts";
import { createRedactor } from "../../src/events/redact.ts";
import { createProcesses } from "../../src/process/index.ts";
import { startScriptedModel, type ScriptedModel } from "../../src/testing/index.ts";
import { startCloudApi, type CloudApi } from "../stand-ins/cursor-cloud/index.ts";
import { Drive } from "./drive.ts";

export interface Cloud {
  readonly api: CloudApi;
  readonly model: ScriptedModel;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly agent: Agent;
  readonly open: (options?: Partial<OpenOptions>) => Promise<{ readonly session: AgentSession; readonly drive: Drive }>;
}

export async function cloud(given: Readonly<Record<string, string>> = {}): Promise<Cloud> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "reins-cloud-")));
  const cwd = mkdtempSync(join(home, "work-"));
  const model = await startScriptedModel({ proof, cwd });
  const api = await startCloudApi();
  api.connect({ modelUrl: model.url, cwd });
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    REINS_CURSOR_CLOUD_POLL_MS: "10",
    ...proof.env(api.url),
    ...given,
  };
  const redact = createRedactor(env);
  const [deadlines, limits] = [defaultDeadlines, defaultLimits];
  const processes = createProcesses({ env, deadlines, limits, redact, guardian: false });
  const context: AgentContext = { processes, env, deadlines, limits, redact };
  const agent = createAgent(context);
  const sessions: AgentSession[] = [];
  onTestFinished(async () => {
    await Promise.all(sessions.map((session) => session.close()));
    await processes.close();
    await api.close();
    await model.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    api,
    model,
    cwd,
    env,
    agent,
    open: async (options = {}) => {
      const session = await agent.open({ sessionId: "ses_test", cwd, mode: "full", ...options });
      sessions.push(session);
      return { session, drive: new Drive(session) };
    },
  };
}
