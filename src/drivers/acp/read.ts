import { isRecord } from "../shared/read.ts";
import type { Wire } from "../shared/read.ts";

export { isRecord, named, number, record, text, type Wire } from "../shared/read.ts";

const none: readonly unknown[] = Object.freeze([]);

export function records(value: unknown): readonly Wire[] {
  return (Array.isArray(value) ? (value as readonly unknown[]) : none).filter(isRecord);
}

/** The first of these that says something. */
export function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value.trim() !== "");
}
