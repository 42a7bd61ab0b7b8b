import { Recorder } from "../../src/core/record/recorder.ts";
import { defaultLimits } from "../../src/events/limits.ts";
import { createRedactor } from "../../src/events/redact.ts";
import type { AgentEvent, ReinsEvent } from "../../src/events/types.ts";

/** What an agent said in one turn, as the core keeps it. */
export function recorded(agent: string, events: readonly AgentEvent[]): readonly ReinsEvent[] {
  const recorder = new Recorder({ sessionId: "s", redact: createRedactor({}), limits: defaultLimits });
  const state = `${agent}:1:x`;
  recorder.startLeg(agent, { mode: "ask", cwd: "/workspace/app", resumed: false });
  recorder.startTurn("t", { type: "turn.started", origin: "prompt", input: { text: "p" } });
  for (const event of events) {
    if (event.type === "turn.ended") recorder.endTurn({ ...event, state });
    else if (event.type !== "tool.held") {
      recorder.knowState(state);
      recorder.add(event);
    }
  }
  recorder.endLeg();
  return recorder.take();
}
