/** Finds rules that can never decide anything. They are reported on load, because the user relies on them. */
import type { Tool } from "../../events/tools.ts";
import { closest } from "../../events/closest.ts";
import { dimensions } from "./alternatives.ts";
import { isFor, toolsOf, type Compiled } from "./compile.ts";
import { listed, formatRule, type Rule } from "./rule.ts";

/** Why the rule can never match, as the rest of a sentence. */
export function impossible(rule: Rule, hopeless: boolean, agents: readonly string[]): string | undefined {
  const named = dimensions.filter((dimension) => rule[dimension] !== undefined);
  if (named.length + (rule.dynamic === true ? 1 : 0) > 1) {
    return `a call never has ${[...named, ...(rule.dynamic === true ? ["dynamic"] : [])].join(" and ")} at once; write two rules`;
  }
  if (rule.decision === "allow" && rule.dynamic === true) return "a rule cannot allow commands that cannot be known";
  const tools = listed<Tool>(rule.tool);
  const fitting = named[0] === undefined ? (rule.dynamic === true ? toolsOf("dynamic") : undefined) : toolsOf(named[0]);
  if (fitting !== undefined && tools.length > 0 && !tools.some((tool) => fitting.includes(tool)))
    return `the tool ${tools.join(", ")} has no ${named[0] ?? "command"}`;
  if (rule.decision === "allow" && tools.length > 0 && tools.every((tool) => tool === "plan" || tool === "question"))
    return `only a person can answer ${tools.join(" and ")} requests`;
  if (hopeless) return `${JSON.stringify(named[0] && rule[named[0]])} is not a valid ${named[0] ?? "pattern"}`;
  const strange = listed(rule.agent).find((agent) => !agent.includes("*") && !agents.includes(agent.split(":", 1)[0]!));
  if (strange === undefined || listed(rule.agent).some((agent) => agents.some((id) => isFor(agent, id))))
    return undefined;
  const near = closest(strange, agents);
  return `there is no agent ${strange}${near === undefined ? "" : `; did you mean ${near}`}`;
}

export interface UnmatchableRule {
  readonly number: number;
  readonly why: string;
}

export function unmatchableRules(compiled: Compiled, agents: readonly string[]): readonly UnmatchableRule[] {
  return compiled.rules.flatMap(({ rule }, index): UnmatchableRule[] => {
    const why = impossible(rule, compiled.hopeless.has(index), agents);
    if (why !== undefined) return [{ number: index + 1, why }];
    const before = compiled.shadowed.get(index);
    if (before === undefined) return [];
    const earlier = `rule ${before + 1} (${formatRule(compiled.rules[before]!.rule)})`;
    return [{ number: index + 1, why: `${earlier} matches the same before it` }];
  });
}

const mostNamed = 5;

export function describeUnmatchable(never: readonly UnmatchableRule[], { rules }: Compiled): readonly string[] {
  const named = never
    .slice(0, mostNamed)
    .map(
      ({ number, why }) =>
        `Rule ${number} of the policy (${formatRule(rules[number - 1]!.rule)}) has no effect: ${why}.`,
    );
  const more = never.length - named.length;
  return more > 0
    ? [...named, `And ${more} more rules of the policy have no effect; \`reins policy list\` shows them.`]
    : named;
}
