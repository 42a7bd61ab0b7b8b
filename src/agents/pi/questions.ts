/** Dialogs of the person's own extensions, as questions. */
import type { Question } from "../../events/types.ts";
import { text, texts } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { QuestionAnswer } from "../contract.ts";

const id = "answer";

export function questionOf(body: Wire): Question {
  const title = text(body["title"]) ?? "An extension of pi asks.";
  const message = text(body["message"]);
  const asked = { id, text: message === undefined ? title : `${title}\n${message}`, multiple: false };
  switch (body["method"]) {
    case "select":
      return { ...asked, options: texts(body["options"]).map((label) => ({ label })) };
    case "confirm":
      return { ...asked, options: [{ label: "Yes" }, { label: "No" }] };
    default:
      return { ...asked, options: [], free: true };
  }
}

/** Undefined for a dialog that is closed without an answer. */
export function dialogAnswer(body: Wire, { decision, answers }: QuestionAnswer): object | undefined {
  const given = answers?.[id];
  const value = typeof given === "string" ? given : given?.[0];
  if (decision !== "answer" || value === undefined) return undefined;
  return body["method"] === "confirm" ? { confirmed: value === "Yes" } : { value };
}
