/** Questions as Claude Code and those after it ask them: several at once, each with choices. */
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Question } from "../../events/types.ts";
import type { QuestionAnswer } from "../contract.ts";

export const questionsOf = (input: Wire): Question[] =>
  questionsIn(input["questions"], ({ multiSelect }) => ({ multiple: multiSelect === true, free: true }));

/** `answers` says of a question which answers it takes. */
export function questionsIn(
  asked: unknown,
  answers: (question: Wire) => Pick<Question, "multiple" | "free">,
): Question[] {
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
      ...answers(question),
    };
  });
}

/** The input with its answers, each under the key of its question; several choices are one text. */
export function answeredInput(
  input: Wire,
  questions: readonly Question[],
  answers: NonNullable<QuestionAnswer["answers"]>,
  keyOf: (question: Question, place: number) => string,
): Wire {
  const byKey: Record<string, string> = {};
  for (const [place, question] of questions.entries()) {
    const answer = answers[question.id];
    if (answer !== undefined) byKey[keyOf(question, place)] = typeof answer === "string" ? answer : answer.join(", ");
  }
  return { ...input, answers: byKey };
}
