import type { Turn } from "../turn.ts";
import { useTool } from "../use-tool.ts";

/** Starts a wait that outlives the turn; `tasks.ts` speaks of it when it is over. */
export async function background(turn: Turn, ms: number): Promise<void> {
  await useTool(turn, {
    name: "background",
    input: { ms },
    run: async (input, callId) => {
      const taskId = turn.newId("task");
      await turn.emit({
        type: "task.started",
        taskId,
        callId,
        kind: "other",
        title: `Wait ${input.ms} ms`,
        status: "running",
      });
      turn.desk.tasks.start({ taskId, ms: input.ms });
      return { output: `Task ${taskId} is running.`, note: `Started a wait of ${input.ms} ms in the background` };
    },
  });
}
