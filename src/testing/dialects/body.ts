/** Reading what an agent sent: JSON that nobody has checked. */
import { ReinsError } from "../../events/errors.ts";

export type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fields = (value: unknown): Fields => (isFields(value) ? value : {});
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The list a conversation is in; throws where there is none. */
export function conversationIn(body: unknown, name: string): readonly unknown[] {
  const value = fields(body)[name];
  if (!Array.isArray(value)) throw new ReinsError("invalid_input", `The request has no list of ${name}.`);
  return value;
}
