/** Tools that show or ask the user something: a list of steps, a plan to approve, a question. */
import { approvePlan, askQuestion } from "../../shared/in-process/tool-call.ts";
import { defineTool, flag, list, oneOf, text, texts } from "./definition.ts";

export const plan = defineTool({
  tool: "plan",
  description: "Keep a list of the steps of a long task, for the person to see. Give the whole list each time.",
  input: { entries: list({ text: text(), status: oneOf("pending", "in_progress", "completed") }) },
  run: async (turn, { entries }) => {
    await turn.emit({ type: "plan.updated", entries: [...entries] });
    return { text: "The list is kept." };
  },
});

export const proposePlan = defineTool({
  name: "propose_plan",
  tool: "plan",
  description: "Propose the plan, in Markdown, for the person's approval. Only when planning.",
  input: { plan: text() },
  run: async (turn, input, { callId }) => {
    if (turn.context.mode !== "plan") return { text: "No approval is needed; go on." };
    await approvePlan(turn, callId, input);
    return { text: "The plan is approved. Go on with it." };
  },
});

export const question = defineTool({
  tool: "question",
  description: "Ask the person something you cannot find out yourself. They may choose, or answer in their own words.",
  input: { question: text(), choices: texts(), multiple: flag("Several choices may be taken.") },
  about: (input) => ({ description: input.question }),
  run: async (turn, { question: asked, choices, multiple }, { callId }) => {
    const options = choices.map((label) => ({ label }));
    const { words, message } = await askQuestion(turn, { text: asked, options, multiple }, callId);
    return { text: words ?? message ?? "The question was left open." };
  },
});
