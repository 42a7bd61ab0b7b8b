import { askPerson } from "../gate.ts";
import { defineTool } from "./definition.ts";

/** Ends planning: the plan is asked for like any other permission, and approved, the work begins. */
export const proposePlan = defineTool<{ readonly plan: string }>({
  name: "propose_plan",
  tool: "plan",
  description: "Propose the plan, in Markdown, for the person's approval. Only when planning.",
  inputSchema: { type: "object", properties: { plan: { type: "string" } }, required: ["plan"] },
  check: (input) => ({ plan: input.text("plan") }),
  about: () => ({}),
  run: async (turn, input, { callId }) => {
    const { desk } = turn;
    if (desk.mode !== "plan") return { text: "No approval is needed; go on." };
    const call = { callId, tool: "plan" as const, nativeName: "propose_plan", title: "Approve the plan", input };
    await askPerson(turn, call, {});
    desk.mode = "ask";
    await turn.emit({ type: "session.updated", mode: "ask", by: "agent", reason: "The plan was approved." });
    return { text: "The plan is approved. Go on with it." };
  },
});
