/** Safe readers for unknown JSON. Each takes any value and returns the wanted kind, or undefined or an empty value. */

export type JsonObject = { readonly [key: string]: unknown };

const nothing: JsonObject = Object.freeze({});

export function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an empty object for any other value, so that reads can be chained. */
export function record(value: unknown): JsonObject {
  return isRecord(value) ? value : nothing;
}

/** Returns a text that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Formats a name from the wire for a message to the user. */
export function named(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : "nothing";
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

const none: readonly unknown[] = Object.freeze([]);

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : none;
}

export function texts(value: unknown): string[] {
  return list(value).filter((item): item is string => typeof item === "string");
}

/** Converts seconds since 1970 to ISO 8601. */
export function isoTime(seconds: unknown): string | undefined {
  const value = number(seconds);
  if (value === undefined || Math.abs(value) > 8_640_000_000_000) return undefined;
  return new Date(value * 1000).toISOString();
}

export function records(value: unknown): readonly JsonObject[] {
  return list(value).filter(isRecord);
}

/** Returns the first text that is not blank. */
export function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}

/** Returns `otherwise` for text that is not JSON. */
export function parseJson(value: unknown, otherwise?: unknown): unknown {
  try {
    return JSON.parse(String(value));
  } catch {
    return otherwise;
  }
}
