/** Its questions, and answers as it wants them: for each question a list, in their order. */
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Question } from "../../events/types.ts";
import type { QuestionAnswer } from "../contract.ts";

export function questionsOf(asked: unknown): Question[] {
  return list(asked).map((item, index) => {
    const question = record(item);
    return {
      id: `q${index + 1}`,
      text: text(question["question"]) ?? "",
      header: text(question["header"]),
      options: list(question["options"]).map((choice) => {
        const { label, description } = record(choice);
        return { label: text(label) ?? "", description: text(description) };
      }),
      multiple: question["multiple"] === true,
      free: question["custom"] !== false,
    };
  });
}

/** A question that is dismissed would end the turn; so the model is told in the place of an answer. */
export function answersOf(questions: readonly Question[], { decision, answers, message }: QuestionAnswer): string[][] {
  return questions.map(({ id }) => {
    const answer = decision === "answer" ? answers?.[id] : undefined;
    if (answer === undefined) return [message ?? "No answer."];
    return typeof answer === "string" ? [answer] : [...answer];
  });
}
