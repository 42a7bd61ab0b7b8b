/** All rules that count in a workspace, in the order in which they are asked, and what has to be said about them. */
import type { LoadedConfiguration } from "../configuration.ts";
import type { Answers } from "./answers.ts";
import { checkedRules } from "./as-rule.ts";
import { said } from "./rule.ts";
import type { Rule, SourcedRule } from "./rule.ts";

export interface RuleSources {
  /** What the call says: it counts as it is. */
  readonly call?: readonly Rule[] | undefined;
  readonly files: LoadedConfiguration["files"];
  readonly answers: Answers;
}

export interface LoadedRules {
  readonly rules: readonly SourcedRule[];
  readonly remarks: readonly string[];
}

export function rulesOf({ call = [], files, answers }: RuleSources): LoadedRules {
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
    ...(widening.length === 0
      ? []
      : [
          `The project has rules that allow something (${said(widening[0]!)}); only you can do that, so they do not count.`,
        ]),
    ...(stale === 0
      ? []
      : [`The folder was made anew since you answered \`always\` in it; ${count(stale)} not count.`]),
    ...(unreadable === 0
      ? []
      : [`Of your answers in ${answers.path} ${count(unreadable)} not count: they cannot be read.`]),
  ];
  return { rules, remarks };
}

function count(number: number): string {
  return number === 1 ? "1 answer does" : `${number} answers do`;
}
