/** Decides about one tool call from cancellation, tool filter, rules and mode. Pure; decide.test.ts has the whole table. */
import type { Agent } from "../../agents/contract.ts";
import type { Verdict } from "../policy/decide.ts";
import { explainVerdict } from "../policy/policy.ts";
import { ReinsError } from "../../events/errors.ts";
import { modes, type Mode } from "../../events/modes.ts";
import { toolKinds, type Tool } from "../../events/tools.ts";
import type { Located } from "../../workspace/real-paths.ts";

export interface CallFacts {
  readonly tool: Tool;
  readonly name?: string | undefined;
  /** Location of the call's paths, the strictest of them. Undefined when the call has no paths. */
  readonly where?: Located["where"] | undefined;
  /** True when the canonical tool was guessed from the tool's name, so it is not trusted to be read-only. */
  readonly guessed?: boolean | undefined;
  readonly filter?: "allowed" | "disallowed" | undefined;
  readonly remembered?: boolean | undefined;
  readonly rule?: Verdict | undefined;
}

export interface DecisionContext {
  readonly mode: Mode;
  /** The mode that the user selected; the agent may have narrowed it since. */
  readonly chosenMode: Mode;
  readonly judge: "agent" | "reins";
  /** `hold`: the call waits before anything else happens. `permission`: the agent itself asks. */
  readonly kind: "hold" | "permission";
  readonly cancelling?: boolean | undefined;
  /** The agent allows ordinary edits itself, so an edit that it asks about needs a person. */
  readonly keepsEdits?: boolean | undefined;
  readonly source?: "user" | "project" | undefined;
}

export interface Decision {
  /** `defer`: the agent's own rules decide. */
  readonly decision: "allow" | "deny" | "ask" | "defer";
  readonly message?: string | undefined;
  readonly rule?: Verdict | undefined;
  /** True when the caller disallowed the tool, which need not be reported for each call. */
  readonly silent?: true | undefined;
  /** True when the mode allowed the call, not an explicit decision about it. */
  readonly unasked?: true | undefined;
}

export function decide(call: CallFacts, context: DecisionContext): Decision {
  if (context.cancelling === true) return { decision: "deny", message: "The turn was cancelled." };
  const judged = context.kind === "hold" && context.judge === "reins";
  if (judged && call.filter === "disallowed")
    return { decision: "deny", message: `The tool ${call.name} is not allowed here.`, silent: true };
  // Approval of an agent's own plan depends on the mode that the user selected.
  const mode = context.kind === "permission" && call.tool === "plan" ? context.chosenMode : context.mode;
  const byMode = judged
    ? judgedByMode(mode, call)
    : context.kind === "hold"
      ? heldByMode(mode, call.tool)
      : bySource(askedByMode(mode, call, context.keepsEdits === true), context.source);
  const { rule } = call;
  const byRule = ruleWithin(byMode, rule, mode, call.tool);
  return rule === undefined || byRule === undefined
    ? byMode
    : { decision: byRule, message: explainVerdict(rule), rule };
}

/** For judge `reins`: the complete table of what may run in each mode. */
function judgedByMode(mode: Mode, call: CallFacts): Decision {
  const table = tableOf(mode, call);
  if (table.decision !== "ask") return table;
  const ordinary = call.where === undefined || call.where === "ordinary";
  const named = call.filter === "allowed" && ordinary && mode !== "read" && mode !== "plan";
  return named || call.remembered === true ? pass : table;
}

const pass: Decision = { decision: "allow", unasked: true };
const ask: Decision = { decision: "ask" };

function tableOf(mode: Mode, { tool, where, guessed }: CallFacts): Decision {
  if (mode === "full") return { decision: "allow" };
  // The question itself waits for the user, not the call.
  if (tool === "question") return pass;
  switch (toolKinds[tool]) {
    case "think":
      return guessed === true ? ask : pass;
    case "read":
    case "search":
      return guessed === true || where === "outside" ? ask : pass;
    case "fetch":
    case "switch_mode":
      return ask;
    case "edit":
      if (mode === "edits" && where === "ordinary" && guessed !== true) return pass;
      return mode === "read" || mode === "plan" ? denial(mode) : ask;
    default:
      return mode === "read" || mode === "plan" ? denial(mode) : ask;
  }
}

/** For judge `agent`: decides only what a mode excludes or allows as a whole. */
function heldByMode(mode: Mode, tool: Tool): Decision {
  if (mode === "full") return { decision: tool === "question" ? "defer" : "allow" };
  if (mode === "read" && !looksOnly(tool)) return denial(mode);
  // The agent's own everyday rules may allow commands that must not run while planning.
  return { decision: mode === "plan" && toolKinds[tool] === "execute" ? "ask" : "defer" };
}

function askedByMode(mode: Mode, { tool, where }: CallFacts, keepsEdits: boolean): Decision {
  switch (mode) {
    case "full":
      return { decision: "allow" };
    case "edits":
      return toolKinds[tool] === "edit" && where === "ordinary" && !keepsEdits ? { decision: "allow" } : ask;
    case "ask":
      return ask;
    case "plan":
    case "read":
      return looksOnly(tool) ? ask : denial(mode);
  }
}

/** A command that the user wrote down is already allowed. One that came with a project needs approval even if the mode allows it. */
function bySource(byMode: Decision, source: DecisionContext["source"]): Decision {
  if (source === "user" && byMode.decision === "ask") return { decision: "allow" };
  return source === "project" && byMode.decision === "allow" ? ask : byMode;
}

/** The effect of a rule within a mode: a deny rule always applies, and an allow rule cannot allow what the mode excludes. */
function ruleWithin(
  byMode: Decision,
  rule: Verdict | undefined,
  mode: Mode,
  tool: Tool,
): Verdict["decision"] | undefined {
  if (rule === undefined || rule.decision === "deny") return rule?.decision;
  if (byMode.decision === "deny" || tool === "question" || tool === "plan") return undefined;
  if (rule.decision === "allow" && (mode === "read" || mode === "plan") && !looksOnly(tool)) return undefined;
  return rule.decision;
}

const looking: ReadonlySet<string> = new Set(["read", "search", "think", "fetch", "switch_mode"]);

/** True for a tool that changes nothing: mode `read` allows it, and another agent may continue after it. */
export function looksOnly(tool: Tool): boolean {
  return looking.has(toolKinds[tool]) || tool === "question";
}

function denial(mode: Mode): Decision {
  return { decision: "deny", message: `Not allowed: this session only looks (mode ${mode}).` };
}

/**
 * The mode after the agent changed its own mode: always accepted when narrower, and up to the user's mode when wider.
 * Leaving the agent's own planning restores the user's mode. Leaving planning that the user selected needs an
 * approved plan, and the mode is then `ask`.
 */
export function followedMode(current: Mode, says: Mode, chosen: Mode, planApproved: boolean): Mode {
  if (isWithin(says, current)) return says;
  if (current !== "plan") return isWithin(says, chosen) ? says : current;
  if (chosen !== "plan") return chosen;
  return planApproved ? "ask" : current;
}

export function isWithin(mode: Mode, other: Mode): boolean {
  return modes.indexOf(mode) <= modes.indexOf(other);
}

/** Refuses a mode that the agent does not have. Replacing it by another mode might allow more than was requested. */
export function refuseMode(agent: Agent, mode: Mode): void {
  if (agent.capabilities.modes.includes(mode)) return;
  throw new ReinsError("unsupported", `${agent.name} has no mode ${mode}.`, {
    agent: agent.id,
    help: `Choose one of ${agent.capabilities.modes.join(", ")}.`,
  });
}

export const nobodyThere = "Denied: nobody is there to answer. Choose a mode that allows it, or let a person answer.";
