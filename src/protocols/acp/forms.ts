/** Converts an agent's forms (elicitation) to questions, and answers back to form content. */
import type { Question } from "../../events/types.ts";
import type { AcpAgentOptions } from "./options.ts";
import { isRecord, list, record, records, text, type JsonObject } from "../json.ts";
import type { GivenAnswer } from "../requests.ts";

export interface Form {
  readonly questions: readonly Question[];
  readonly fields: Readonly<Record<string, JsonObject>>;
  /** Maps a question to the form field for its free-text answer. */
  readonly ownWords: ReadonlyMap<string, string>;
}

/** Returns undefined when this is no form, or when a field cannot be shown as a question; the caller then declines it. */
export function formOf(
  params: JsonObject,
  ownWordsOf: AcpAgentOptions["ownWords"] = () => undefined,
): Form | undefined {
  if (params["mode"] !== undefined && params["mode"] !== "form") return undefined;
  const { properties } = record(params["requestedSchema"]);
  const fields = Object.entries(record(properties));
  if (fields.length === 0 || !fields.every(([, field]) => isRecord(field) && askable(field))) return undefined;
  const about = text(params["message"]);
  const all = Object.fromEntries(fields) as Record<string, JsonObject>;
  const ownWords = new Map(
    Object.keys(all).flatMap((id) => {
      const of = ownWordsOf(id);
      return of !== undefined && of in all ? [[of, id] as const] : [];
    }),
  );
  const asked = Object.entries(all).filter(([id]) => ![...ownWords.values()].includes(id));
  return {
    questions: asked.map(([id, field], index) => {
      const question = questionOf(id, field, index === 0 ? about : undefined);
      return ownWords.has(id) ? { ...question, free: true } : question;
    }),
    fields: all,
    ownWords,
  };
}

export type Elicited =
  | { readonly action: "accept"; readonly content: JsonObject }
  | { readonly action: "decline" | "cancel" };

export const cancelledForm: Elicited = { action: "cancel" };

/** Leaves out answers that do not fit their field. */
export function elicitedBy(answer: GivenAnswer, form: Form): Elicited {
  if (answer.decision !== "answer") return { action: "decline" };
  const content: Record<string, unknown> = {};
  for (const [id, given] of Object.entries(answer.answers ?? {})) {
    const field = form.fields[id];
    const value = field === undefined ? undefined : valueFor(field, given);
    const other = form.ownWords.get(id);
    if (value !== undefined) content[id] = value;
    else if (other !== undefined) content[other] = typeof given === "string" ? given : given.join(", ");
  }
  return { action: "accept", content };
}

const askableTypes: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "array"]);

function askable(field: JsonObject): boolean {
  return askableTypes.has(field["type"]) && (field["type"] !== "array" || choicesOf(field).length > 0);
}

function questionOf(id: string, field: JsonObject, about: string | undefined): Question {
  const choices = choicesOf(field);
  const [title, description] = [text(field["title"]), text(field["description"])];
  const parts = [about, description ?? title ?? id].filter((part) => part !== undefined);
  const question: Question = {
    id,
    text: parts.join("\n"),
    options: choices.map(({ label }) => ({ label })),
    multiple: field["type"] === "array",
    free: choices.length === 0,
  };
  if (title !== undefined) question.header = title;
  return question;
}

function choicesOf(field: JsonObject): { label: string; value: unknown }[] {
  if (field["type"] === "boolean") return [true, false].map((value) => ({ label: value ? "Yes" : "No", value }));
  const of = field["type"] === "array" ? record(field["items"]) : field;
  const titled = records(of["oneOf"] ?? of["anyOf"]).map((one) => ({
    label: text(one["title"]) ?? String(one["const"]),
    value: one["const"],
  }));
  if (titled.length > 0) return titled;
  const names = list(of["enumNames"]);
  return list(of["enum"]).map((value, index) => ({ label: text(names[index]) ?? String(value), value }));
}

function valueFor(field: JsonObject, given: string | readonly string[]): unknown {
  const choices = choicesOf(field);
  const pick = (label: string) => choices.find((choice) => choice.label === label)?.value;
  const labels = typeof given === "string" ? [given] : given;
  if (field["type"] === "array") return labels.map(pick).filter((value) => value !== undefined);
  const [only = ""] = labels;
  if (choices.length > 0) return pick(only);
  if (field["type"] === "string") return only;
  const amount = Number(only);
  return only.trim() === "" || !Number.isFinite(amount) ? undefined : amount;
}
