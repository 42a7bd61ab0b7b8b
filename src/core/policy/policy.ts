/** The rules of one session with one agent. Decides about each call, and learns from the user's "always" answers. */
import type { Mode } from "../../events/modes.ts";
import type { Tool } from "../../events/tools.ts";
import { pathRules, type PathRules } from "../../workspace/paths.ts";
import type { SavedAnswers } from "./saved-answers.ts";
import { Compiled } from "./compile.ts";
import { decide, type Verdict } from "./decide.ts";
import { ruleFromCall } from "./rule-from-call.ts";
import type { PathScope } from "./path-patterns.ts";
import { formatRule, type Rule, type SourcedRule } from "./rule.ts";
import { subjectOf, type Call } from "./subject.ts";

export interface PolicyOptions {
  readonly rules: readonly SourcedRule[];
  readonly agent: string;
  readonly scope: PathScope;
  /** Storage of "always" answers. Without it they apply to the session only. */
  readonly answers?: SavedAnswers | undefined;
}

export class Policy {
  readonly #o: PolicyOptions;
  #compiled: Compiled;

  constructor(options: PolicyOptions) {
    this.#o = options;
    this.#compiled = new Compiled(options.rules, options.agent, options.scope);
  }

  get compiled(): Compiled {
    return this.#compiled;
  }

  get pathRules(): PathRules {
    return pathRules(this.#o.scope.protectedFiles);
  }

  /** Undefined when the mode decides. */
  verdict(call: Call): Verdict | undefined {
    // Fast path for the usual case of no rules.
    if (this.#compiled.rules.length === 0) return undefined;
    return decide(this.#compiled, subjectOf(call, this.#compiled));
  }

  /** True when rules restrict this tool. The scope of the agent's own "always" is unknown, so it is then not offered. */
  narrows(tool: Tool): boolean {
    return this.#compiled.narrows(tool);
  }

  /** The rule that "always" would add, and its scope. Undefined when it would have no effect. */
  offer(call: Call, mode: Mode): { readonly rule: Rule; readonly scope: "project" | "session" } | undefined {
    const { answers } = this.#o;
    if (mode === "read" || mode === "plan" || call.tool === "plan" || call.tool === "question") return undefined;
    if (answers === undefined && !this.narrows(call.tool)) return undefined;
    const before = this.verdict(call)?.source;
    // A rule of the caller or of the project that says "ask" applies to every call, so "always" is not offered.
    if (before === "call" || before === "project") return undefined;
    const rule = ruleFromCall(call, this.#compiled);
    return rule && { rule, scope: answers === undefined ? "session" : "project" };
  }

  remember(rule: Rule): string | undefined {
    const { answers, agent, scope } = this.#o;
    const rules = [...this.#compiled.rules];
    const last = rules.findLastIndex(({ source }) => source !== "person");
    rules.splice(last + 1, 0, { rule, source: "answer", file: answers?.path });
    this.#compiled = new Compiled(rules, agent, scope);
    try {
      answers?.keep(rule);
      return undefined;
    } catch (thrown) {
      const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
      return `The rule "${formatRule(rule)}" holds for this session only: ${answers?.path} cannot be written (${code}).`;
    }
  }
}

const whose = {
  call: "a rule of this session",
  project: "a rule of the project",
  answer: "your answer",
  person: "your rule",
} as const;

/** Explains a decision: `Denied by a rule of the project: deny shell rm. No deleting.` */
export function explainVerdict({ decision, source, rule }: Verdict): string {
  const done = { allow: "Allowed", deny: "Denied", ask: "Asked" }[decision];
  return `${done} by ${whose[source]}: ${formatRule(rule)}.${rule.reason === undefined ? "" : ` ${rule.reason}`}`;
}
