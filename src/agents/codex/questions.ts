/** The questions of `request_user_input`, and their answers as it wants them. */
import type { Question } from "../../events/types.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { QuestionAnswer } from "../contract.ts";

export function questionsOf(params: Wire): Question[] {
  return list(params["questions"]).map((item, index) => {
    const question = record(item);
    return {
      id: text(question["id"]) ?? `q${index + 1}`,
      text: text(question["question"]) ?? "",
      header: text(question["header"]),
      options: list(question["options"]).map((choice) => {
        const { label, description } = record(choice);
        return { label: text(label) ?? "", description: text(description) };
      }),
      multiple: false,
      free: true,
    };
  });
}

/** A question that is left out is one that was skipped. */
export function answersOf({ decision, answers = {} }: QuestionAnswer): Wire {
  if (decision !== "answer") return { answers: {} };
  return {
    answers: Object.fromEntries(
      Object.entries(answers).map(([id, answer]) => [id, { answers: typeof answer === "string" ? [answer] : answer }]),
    ),
  };
}
