/** The questions of AskUserQuestion, and their answers as it wants them. */
import type { Question } from "../../events/types.ts";
import type { QuestionAnswer } from "../contract.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

export function questionsOf(input: Wire): Question[] {
  return list(input["questions"]).map((item, index) => {
    const question = record(item);
    return {
      id: `q${index + 1}`,
      text: text(question["question"]) ?? "",
      header: text(question["header"]),
      options: list(question["options"]).map((choice) => {
        const { label, description } = record(choice);
        return { label: text(label) ?? "", description: text(description) };
      }),
      multiple: question["multiSelect"] === true,
      free: true,
    };
  });
}

/** On the wire an answer stands under the text of its question; several choices are one text. */
export function answeredInput(
  input: Wire,
  questions: readonly Question[],
  answers: NonNullable<QuestionAnswer["answers"]>,
): Wire {
  const byText: Record<string, string> = {};
  for (const question of questions) {
    const answer = answers[question.id];
    if (answer !== undefined) byText[question.text] = typeof answer === "string" ? answer : answer.join(", ");
  }
  return { ...input, answers: byText };
}
