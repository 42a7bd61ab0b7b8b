/** A fake program: a fake child, and the processes that seem to start it. */
import type { AgentContext } from "../../src/agents/contract.ts";
import { defaultDeadlines } from "../../src/events/deadlines.ts";
import { defaultLimits } from "../../src/events/limits.ts";
import { createRedactor } from "../../src/events/redact.ts";
import type { LaunchSpec, Output, Processes } from "../../src/process/types.ts";
import { StandInChild } from "./stand-in-child.ts";

export class StandInProgram extends StandInChild {
  run(): Partial<Output> {
    return {};
  }

  readonly launched: LaunchSpec[] = [];
  readonly processes: Processes = {
    launch: (spec: LaunchSpec) => {
      this.launched.push(spec);
      return Promise.resolve(this);
    },
    run: () => Promise.resolve(this.run()),
  } as unknown as Processes;
}

export function agentContext(given: Pick<AgentContext, "processes" | "env"> & Partial<AgentContext>): AgentContext {
  return { deadlines: defaultDeadlines, limits: defaultLimits, redact: createRedactor({}), ...given };
}
