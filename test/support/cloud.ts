/** A cloud agent without the core: the stand-in service, a folder, and a scripted model. */
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

export interface CloudService {
  readonly api: CloudApi;
  readonly model: ScriptedModel;
  /** Variables with the address of the service and an invented key. */
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the service and a scripted model until the test is over. Its agents work in the folder. */
export async function cloudService(cwd: string): Promise<CloudService> {
  const model = await startScriptedModel({ proof, cwd });
  const api = await startCloudApi();
  api.connect({ modelUrl: model.url, cwd });
  onTestFinished(async () => {
    await api.close();
    await model.close();
  });
  return { api, model, env: { REINS_CURSOR_CLOUD_POLL_MS: "10", ...proof.env(api.url) } };
}

export async function cloud(given: Readonly<Record<string, string>> = {}): Promise<Cloud> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "reins-cloud-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const cwd = mkdtempSync(join(home, "work-"));
  const service = await cloudService(cwd);
  const { api, model } = service;
  const env = { PATH: process.env["PATH"], HOME: home, ...service.env, ...given };
  const redact = createRedactor(env);
  const [deadlines, limits] = [defaultDeadlines, defaultLimits];
  const processes = createProcesses({ env, deadlines, limits, redact, guardian: false });
  const context: AgentContext = { processes, env, deadlines, limits, redact };
  const agent = createAgent(context);
  const sessions: AgentSession[] = [];
  onTestFinished(async () => {
    await Promise.all(sessions.map((session) => session.close()));
    await processes.close();
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
