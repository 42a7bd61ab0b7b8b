/** Checks whether an agent can be held to the deny rules. A rule that an agent could bypass is reported. */
import type { Agent } from "../../agents/contract.ts";
import type { Hold } from "../../events/capabilities.ts";
import { ReinsError } from "../../events/errors.ts";
import { toolKinds, tools, type Tool, type ToolKind } from "../../events/tools.ts";
import { dimensions } from "./alternatives.ts";
import { isFor, toolsOf, type Compiled } from "./compile.ts";
import { listed, formatRule, type Rule } from "./rule.ts";

export interface Enforceability {
  /** Tools that the agent must not get at all, because it would not wait for a decision. */
  readonly disallowed: readonly Tool[];
  readonly unenforced: readonly string[];
  readonly unasked: readonly string[];
}

export function enforceabilityOf(
  { id, name, capabilities }: Agent,
  { rules, hopeless }: Pick<Compiled, "rules" | "hopeless">,
): Enforceability {
  const disallowed = new Set<Tool>();
  const unenforced: string[] = [];
  const unasked: string[] = [];
  /** Tools that an earlier rule allows or asks about for some calls, so they cannot be removed as a whole. */
  const excepted = new Set<Tool>();
  for (const [index, { rule }] of rules.entries()) {
    if (!isFor(rule.agent, id) || hopeless.has(index)) continue;
    const about = toolsOfRule(rule);
    const loose =
      rule.decision === "allow" ? [] : about.filter((tool) => capabilities.hold[toolKinds[tool]] !== "every");
    if (loose.length > 0) {
      const takeable =
        capabilities.toolFilter && rule.tool !== undefined && isBare(rule) && !loose.some((tool) => excepted.has(tool));
      if (rule.decision === "deny" && takeable) for (const tool of loose) disallowed.add(tool);
      else {
        const why = `${name} cannot enforce the rule "${formatRule(rule)}": ${reasonOf(capabilities.hold, loose)}`;
        (rule.decision === "deny" ? unenforced : unasked).push(why);
      }
    }
    for (const tool of about) if (rule.decision !== "deny") excepted.add(tool);
  }
  return { disallowed: [...disallowed], unenforced, unasked };
}

export function refuseUnenforced({ id }: Agent, { unenforced }: Enforceability): void {
  const [first, ...more] = unenforced;
  if (first === undefined) return;
  throw new ReinsError("unsupported", `${first}${more.length === 0 ? "" : ` (and ${more.length} more)`}.`, {
    agent: id,
    help: "Use an agent that holds every call of that kind (see `reins agents <id>`), or start this one anyway with --allow-unenforced (allowUnenforced: true).",
  });
}

/** The tools for which a rule must be enforced. Paths and hosts that commands mention are checked when visible, but not guaranteed. */
function toolsOfRule(rule: Rule): readonly Tool[] {
  const named = listed<Tool>(rule.tool);
  if (named.length > 0) return named;
  const dimension = dimensions.find((one) => rule[one] !== undefined) ?? (rule.dynamic === true ? "dynamic" : "bare");
  const mentioned: readonly Tool[] = dimension === "path" || dimension === "domain" ? ["shell", "image"] : [];
  return toolsOf(dimension).filter((tool) => !mentioned.includes(tool));
}

function isBare(rule: Rule): boolean {
  return rule.dynamic !== true && dimensions.every((dimension) => rule[dimension] === undefined);
}

const reasons: Readonly<Record<Exclude<Hold, "every">, string>> = {
  unsafe_only: "it asks only about calls that it considers unsafe",
  launch_flags: "its permissions are fixed when it starts",
  sandbox: "it runs them without asking, inside its own sandbox",
  none: "it does not wait before it runs them",
};

function reasonOf(hold: Readonly<Record<ToolKind, Hold>>, loose: readonly Tool[]): string {
  const worst = (["none", "sandbox", "launch_flags", "unsafe_only"] as const).find((one) =>
    loose.some((tool) => hold[toolKinds[tool]] === one),
  );
  const which = loose.filter((tool) => hold[toolKinds[tool]] === worst);
  return `${reasons[worst ?? "none"]} (${which.slice(0, 3).join(", ")}${which.length > 3 ? ", …" : ""})`;
}

export interface DeniedTools {
  readonly rules: readonly Rule[];
  /** Names that only some agents know; they cannot become rules. */
  readonly unknown: readonly string[];
}

export function deniedTools(names: readonly string[] = []): DeniedTools {
  const made = names.map((name) => ({ name, rule: ruleOf(name) }));
  return {
    rules: made.flatMap(({ rule }) => rule ?? []),
    unknown: made.filter(({ rule }) => rule === undefined).map(({ name }) => name),
  };
}

function ruleOf(name: string): Rule | undefined {
  if ((tools as readonly string[]).includes(name)) return { decision: "deny", tool: name as Tool };
  const command = /^shell\((.+)\)$/.exec(name)?.[1];
  if (command !== undefined) return { decision: "deny", command };
  const [, server, tool] = /^mcp__(.+?)(?:__(.+))?$/.exec(name) ?? [];
  return server === undefined
    ? undefined
    : { decision: "deny", mcp: tool === undefined ? server : `${server}/${tool}` };
}
