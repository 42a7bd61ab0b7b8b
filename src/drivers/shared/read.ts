/** Reading a wire nobody promised us: each reader takes anything at all and gives the kind it is asked for, or nothing. */

export type Wire = { readonly [key: string]: unknown };

const nothing: Wire = Object.freeze({});

export function isRecord(value: unknown): value is Wire {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An empty one where it is something else, so that reads can go on. */
export function record(value: unknown): Wire {
  return isRecord(value) ? value : nothing;
}

/** A text that says something. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A name from the wire, for a person to read. */
export function named(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : "nothing";
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
