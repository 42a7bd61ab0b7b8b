/** Counting what was used. */
import { number } from "../../drivers/stream-json/read.ts";
import type { Tokens } from "../../events/types.ts";

/** A figure from a wire; none, and one below zero, is zero. */
export function positive(value: unknown): number {
  return Math.max(0, number(value) ?? 0);
}

/** Without the dust of binary fractions. */
export function money(usd: number): number {
  return Math.round(usd * 1e10) / 1e10;
}

export function addTokens(one: Tokens | undefined, other: Tokens): Tokens {
  if (one === undefined) return other;
  const tokens: Tokens = { input: one.input + other.input, output: one.output + other.output };
  for (const key of ["cacheRead", "cacheWrite", "thought"] as const)
    if (one[key] !== undefined || other[key] !== undefined) tokens[key] = (one[key] ?? 0) + (other[key] ?? 0);
  return tokens;
}

export function addByModel(
  one: Readonly<Record<string, Tokens>> = {},
  other: Readonly<Record<string, Tokens>> = {},
): Record<string, Tokens> {
  const both = { ...one };
  for (const [model, tokens] of Object.entries(other)) both[model] = addTokens(both[model], tokens);
  return both;
}
