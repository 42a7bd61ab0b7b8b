import type { QuestionAnswer } from "../../contract.ts";
import type { Turn } from "../turn.ts";
import { say } from "./say.ts";

export async function ask(turn: Turn, question: string): Promise<void> {
  const answer = (await turn.request({
    type: "question.requested",
    requestId: turn.newId("question"),
    questions: [
      { id: "answer", text: question, options: [{ label: "Yes" }, { label: "No" }], multiple: false, free: true },
    ],
  })) as QuestionAnswer;
  const words = answer.decision === "answer" ? answer.answers?.["answer"] : undefined;
  await say(turn, words === undefined ? "You left the question open." : `You answered: ${[words].flat().join(", ")}.`);
}
