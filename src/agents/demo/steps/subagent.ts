import { EndTurn } from "../../shared/endings.ts";
import type { Step, StepOf } from "../grammar.ts";
import type { Turn } from "../turn.ts";
import { useTool } from "../use-tool.ts";

/** Does the steps as a subagent: their events belong to its call, and their failure is only its own. */
export async function subagent(
  turn: Turn,
  step: StepOf<"subagent">,
  perform: (turn: Turn, step: Step) => Promise<void>,
): Promise<void> {
  await useTool(turn, {
    name: "subagent",
    input: { prompt: step.text },
    run: async (input, callId) => {
      const inner = turn.under(callId);
      const taskId = turn.newId("task");
      await turn.emit({
        type: "task.started",
        taskId,
        callId,
        kind: "subagent",
        title: input.prompt,
        status: "running",
      });
      try {
        for (const part of step.steps) await perform(inner, part);
      } catch (thrown) {
        turn.close({ type: "task.updated", taskId, callId, status: turn.signal.aborted ? "stopped" : "failed" });
        if (thrown instanceof EndTurn && thrown.outcome === "failed")
          throw new Error(thrown.message, { cause: thrown });
        throw thrown;
      }
      const summary = inner.summary || "Done.";
      turn.close({ type: "task.updated", taskId, callId, status: "completed", summary });
      return { output: summary, note: "The subagent is done" };
    },
  });
}
