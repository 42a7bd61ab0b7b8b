/** A session of the demo agent in its own folder, without the core. */
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentContext, AgentSession, OpenOptions } from "../../src/agents/contract.ts";
import { createAgent } from "../../src/agents/demo/index.ts";
import { defaultDeadlines } from "../../src/events/deadlines.ts";
import { defaultLimits } from "../../src/events/limits.ts";
import { createRedactor } from "../../src/events/redact.ts";
import type { Child, LaunchSpec } from "../../src/process/types.ts";
import { Drive } from "./drive.ts";

export interface DemoOptions extends Partial<OpenOptions> {
  /** Replaces the launch of the programs that `run` starts. */
  launch?: (spec: LaunchSpec) => Promise<Child>;
}

export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "reins-demo-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "work"));
  return join(folder, "work");
}

export async function openDemo({ launch, ...options }: DemoOptions = {}): Promise<{
  drive: Drive;
  session: AgentSession;
  cwd: string;
}> {
  const nothing = (): never => {
    throw new Error("This test starts no process.");
  };
  const context: AgentContext = {
    processes: { launch: launch ?? nothing, run: nothing, reap: nothing, close: nothing },
    env: { PATH: "/usr/bin" },
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact: createRedactor({}),
  };
  const cwd = options.cwd ?? (await makeFolder());
  const session = await createAgent(context).open({ sessionId: "ses_1", mode: "ask", ...options, cwd });
  onTestFinished(() => session.close());
  return { drive: new Drive(session, { mode: "ask", ...options, cwd }), session, cwd };
}
