import { number } from "../../../drivers/stream-json/read.ts";

/** A number; those of 64 bits are told as text. */
export function wholeNumber(value: unknown): number | undefined {
  return number(typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value);
}
