/** Its questions, and answers as it wants them: for each question a list, in their order. */
import type { Question } from "../../events/types.ts";
import type { QuestionAnswer } from "../contract.ts";
import { questionsIn } from "../shared/questions.ts";

export const questionsOf = (asked: unknown): Question[] =>
  questionsIn(asked, ({ multiple, custom }) => ({ multiple: multiple === true, free: custom !== false }));

/** A question that is dismissed would end the turn; so the model is told in the place of an answer. */
export function answersOf(questions: readonly Question[], { decision, answers, message }: QuestionAnswer): string[][] {
  return questions.map(({ id }) => {
    const answer = decision === "answer" ? answers?.[id] : undefined;
    if (answer === undefined) return [message ?? "No answer."];
    return typeof answer === "string" ? [answer] : [...answer];
  });
}
