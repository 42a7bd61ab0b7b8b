import { number } from "../shared/read.ts";

export { isRecord, named, number, record, text, type Wire } from "../shared/read.ts";

const none: readonly unknown[] = Object.freeze([]);

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : none;
}

/** Texts among the values of a list. */
export function texts(value: unknown): string[] {
  return list(value).filter((item): item is string => typeof item === "string");
}

/** Seconds since 1970 as ISO 8601, where they are a date at all. */
export function isoTime(seconds: unknown): string | undefined {
  const value = number(seconds);
  if (value === undefined || Math.abs(value) > 8_640_000_000_000) return undefined;
  return new Date(value * 1000).toISOString();
}
