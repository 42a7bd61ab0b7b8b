/** The rules of one session with one agent: asked about each call, and added to by a person's `always`. */
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
  /** Where `always` is written down; without it, it holds for the session. */
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

  /** Undefined where the mode decides. */
  verdict(call: Call): Verdict | undefined {
    // The usual case: nobody pays for rules that are not there.
    if (this.#compiled.rules.length === 0) return undefined;
    return decide(this.#compiled, subjectOf(call, this.#compiled));
  }

  /** How far the agent's own memory of an `always` would reach nobody can tell: with such rules it is not given one. */
  narrows(tool: Tool): boolean {
    return this.#compiled.narrows(tool);
  }

  /** What `always` would add, and how long it holds. Nothing where it would not count. */
  offer(call: Call, mode: Mode): { readonly rule: Rule; readonly scope: "project" | "session" } | undefined {
    const { answers } = this.#o;
    if (mode === "read" || mode === "plan" || call.tool === "plan" || call.tool === "question") return undefined;
    if (answers === undefined && !this.narrows(call.tool)) return undefined;
    const before = this.verdict(call)?.source;
    // What the call or the project asks about is asked about each time.
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

/** `Denied by a rule of the project: deny shell rm. No deleting.` */
export function explainVerdict({ decision, source, rule }: Verdict): string {
  const done = { allow: "Allowed", deny: "Denied", ask: "Asked" }[decision];
  return `${done} by ${whose[source]}: ${formatRule(rule)}.${rule.reason === undefined ? "" : ` ${rule.reason}`}`;
}
