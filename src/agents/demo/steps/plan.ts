import type { PlanEntry } from "../../../events/types.ts";
import { askPerson } from "../gate.ts";
import type { Turn } from "../turn.ts";
import { useTool } from "../use-tool.ts";

const texts = ["Look at the folder", "Make one small change", "Say what was done"];

/** Shows a plan; in mode plan it also asks for approval, and an approved plan ends that mode. */
export async function plan(turn: Turn): Promise<void> {
  await turn.emit({ type: "plan.updated", entries: planAt(0) });
  const { desk } = turn;
  if (desk.mode !== "plan") {
    turn.notes.push("Made a plan");
    return;
  }
  const markdown = `# The plan\n\n${texts.map((text, index) => `${index + 1}. ${text}`).join("\n")}\n`;
  await useTool(turn, {
    name: "plan",
    input: { plan: markdown },
    run: async (input, callId) => {
      await askPerson(
        turn,
        { callId, tool: "plan", nativeName: "plan", title: "Approve the plan", input },
        { once: true },
      );
      desk.mode = "ask";
      await turn.emit({ type: "session.updated", mode: "ask", by: "agent", reason: "The plan was approved." });
      return { output: "The plan was approved.", note: "Made a plan, which was approved" };
    },
  });
}

/** The plan when that many entries are done. */
export function planAt(done: number): PlanEntry[] {
  return texts.map((text, index) => ({
    text,
    status: index < done ? "completed" : index === done ? "in_progress" : "pending",
  }));
}
