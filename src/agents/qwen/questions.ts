/** The questions of ask_user_question, and their answers as it wants them. */
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Question } from "../../events/types.ts";
import type { QuestionAnswer } from "../contract.ts";

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

/** On the wire an answer stands under the place of its question, counted from nought; several choices are one text. */
export function answeredInput(
  input: Wire,
  questions: readonly Question[],
  answers: NonNullable<QuestionAnswer["answers"]>,
): Wire {
  const byPlace: Record<string, string> = {};
  for (const [place, { id }] of questions.entries()) {
    const answer = answers[id];
    if (answer !== undefined) byPlace[place] = typeof answer === "string" ? answer : answer.join(", ");
  }
  return { ...input, answers: byPlace };
}
