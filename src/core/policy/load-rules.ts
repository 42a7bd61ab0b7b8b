/** Loads all rules of a workspace, in the order of evaluation, with remarks for the user. */
import { closest } from "../../events/closest.ts";
import type { LoadedConfiguration } from "../config/config.ts";
import { ReinsError } from "../../events/errors.ts";
import { tools } from "../../events/tools.ts";
import { decisions, formatRule, type Rule, type SourcedRule } from "./rule.ts";
import type { SavedAnswers } from "./saved-answers.ts";

export interface RuleSources {
  /** Rules of the caller, used as they are. */
  readonly call?: readonly Rule[] | undefined;
  readonly files: LoadedConfiguration["files"];
  readonly answers: SavedAnswers;
}

export function loadRules({ call = [], files, answers }: RuleSources): {
  readonly rules: readonly SourcedRule[];
  readonly remarks: readonly string[];
} {
  const { kept, unreadable } = answers.read();
  const stale = kept.filter((answer) => answer.stale).length;
  const project = files.project?.value.policy?.rules ?? [];
  const widening = project.filter(({ decision }) => decision === "allow");
  const rules: SourcedRule[] = [
    ...checkedRules(call).map((rule) => ({ rule, source: "call" as const })),
    ...project
      .filter(({ decision }) => decision !== "allow")
      .map((rule) => ({ rule, source: "project" as const, file: files.project?.path })),
    ...kept
      .filter((answer) => !answer.stale)
      .map(({ rule }) => ({ rule, source: "answer" as const, file: answers.path })),
    ...(files.person?.value.policy?.rules ?? []).map((rule) => ({
      rule,
      source: "person" as const,
      file: files.person?.path,
    })),
  ];
  const remarks = [
    widening.length > 0 &&
      `The project has rules that allow something (${formatRule(widening[0]!)}); only you can do that, so they are ignored.`,
    stale > 0 && `The folder was recreated since you answered \`always\` in it; ${count(stale)} ignored.`,
    unreadable > 0 && `${count(unreadable)} ignored, because ${answers.path} has lines that cannot be read.`,
  ].filter((said) => said !== false);
  return { rules, remarks };
}

function count(number: number): string {
  return number === 1 ? "1 answer is" : `${number} answers are`;
}

const texts = ["agent", "tool", "path", "command", "mcp", "domain"] as const;
const keys: readonly string[] = ["decision", ...texts, "dynamic", "reason"];

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

export function checkedRules(rules: readonly Rule[]): readonly Rule[] {
  for (const [index, rule] of rules.entries()) {
    const fault = faultOf(rule);
    if (fault !== undefined)
      throw new ReinsError("invalid_input", `Rule ${index + 1} of the call cannot be used: ${fault}.`);
  }
  return rules;
}

function isWords(value: unknown): boolean {
  const isWord = (one: unknown) => typeof one === "string" && one !== "";
  return Array.isArray(value) ? value.length > 0 && value.every(isWord) : isWord(value);
}
