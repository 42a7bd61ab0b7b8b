/** Reading a wire nobody promised us: each reader takes anything at all and gives the kind it is asked for, or nothing. */
import type { Wire } from "../json-rpc/index.ts";

export type { Wire } from "../json-rpc/index.ts";

const nothing: Wire = Object.freeze({});
const none: readonly unknown[] = Object.freeze([]);

export function isRecord(value: unknown): value is Wire {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An empty one where it is something else, so that reads can go on. */
export function record(value: unknown): Wire {
  return isRecord(value) ? value : nothing;
}

export function records(value: unknown): readonly Wire[] {
  return (Array.isArray(value) ? (value as readonly unknown[]) : none).filter(isRecord);
}

/** A text that says something. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The first of these that says something. */
export function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}

/** A name from the wire, for a person to read. */
export function named(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : "nothing";
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
