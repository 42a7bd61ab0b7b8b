/** Whether something is a rule, without loading zod: for rules that a program hands over, and for those that were written down by Reins. */
import { ReinsError } from "../../events/errors.ts";
import { tools } from "../../events/tools.ts";
import { closest } from "../suggest.ts";
import { decisions } from "./rule.ts";
import type { Rule } from "./rule.ts";

const texts = ["agent", "tool", "path", "command", "mcp", "domain"] as const;
const keys: readonly string[] = ["decision", ...texts, "dynamic", "reason"];

/** What is wrong with it, as the rest of a sentence. */
export function faultOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "it must be an object";
  const rule = value as Readonly<Record<string, unknown>>;
  const strange = Object.keys(rule).find((key) => !keys.includes(key));
  if (strange !== undefined) {
    const near = closest(strange, keys);
    return `there is no key ${strange}; ${near === undefined ? `there are ${keys.join(", ")}` : `did you mean ${near}`}`;
  }
  if (!(decisions as readonly unknown[]).includes(rule["decision"]))
    return `decision must be one of ${decisions.join(", ")}`;
  const bad = texts.find((key) => rule[key] !== undefined && !isWords(rule[key]));
  if (bad !== undefined) return `${bad} must be text, or a list of texts`;
  const tool = [rule["tool"] ?? []].flat().find((one) => !(tools as readonly unknown[]).includes(one));
  if (tool !== undefined) return `there is no tool ${JSON.stringify(tool)}; there are ${tools.join(", ")}`;
  if (rule["dynamic"] !== undefined && rule["dynamic"] !== true) return "dynamic must be true";
  return rule["reason"] !== undefined && typeof rule["reason"] !== "string" ? "reason must be text" : undefined;
}

export function isRule(value: unknown): value is Rule {
  return faultOf(value) === undefined;
}

/** Throws where one is none. */
export function checkedRules(rules: readonly Rule[]): readonly Rule[] {
  for (const [place, rule] of rules.entries()) {
    const fault = faultOf(rule);
    if (fault !== undefined)
      throw new ReinsError("invalid_input", `Rule ${place + 1} of the call cannot be used: ${fault}.`);
  }
  return rules;
}

function isWords(value: unknown): boolean {
  const isWord = (one: unknown) => typeof one === "string" && one !== "";
  return Array.isArray(value) ? value.length > 0 && value.every(isWord) : isWord(value);
}
