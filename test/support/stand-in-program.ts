/** A fake program: a fake child, and the processes that seem to start it. */
import type { AgentContext } from "../../src/agents/contract.ts";
import { defaultDeadlines } from "../../src/events/deadlines.ts";
import { defaultLimits } from "../../src/events/limits.ts";
import { createRedactor } from "../../src/events/redact.ts";
import type { LaunchSpec, Output, Processes } from "../../src/process/types.ts";
import { StandInChild } from "./stand-in-child.ts";

export class StandInProgram extends StandInChild {
  /** The output of a run to its end. */
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

/** An agent's context with defaults. */
export function agentContext(given: Pick<AgentContext, "processes" | "env"> & Partial<AgentContext>): AgentContext {
  return { deadlines: defaultDeadlines, limits: defaultLimits, redact: createRedactor({}), ...given };
}
