/** The one decision about a call of an agent: cancelled, filter, rules and mode together. Pure; its table is decide.test.ts. */
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
  /** Where its paths lie, the strictest of them. Undefined: it has none. */
  readonly where?: Located["where"] | undefined;
  /** The agent took the tool for this one by its name alone: that it only looks is not believed. */
  readonly guessed?: boolean | undefined;
  readonly filter?: "allowed" | "disallowed" | undefined;
  readonly remembered?: boolean | undefined;
  readonly rule?: Verdict | undefined;
}

export interface DecisionContext {
  readonly mode: Mode;
  /** What the user chose; the agent may have narrowed it since. */
  readonly chosenMode: Mode;
  readonly judge: "agent" | "reins";
  /** `hold`: the call waits before anything else happens. `permission`: the agent itself wants to know. */
  readonly kind: "hold" | "permission";
  readonly cancelling?: boolean | undefined;
  /** The agent lets ordinary edits pass by itself: one that it asks about is one that a person must see. */
  readonly keepsEdits?: boolean | undefined;
  readonly source?: "user" | "project" | undefined;
}

export interface Decision {
  /** `defer`: as the agent itself decides. */
  readonly decision: "allow" | "deny" | "ask" | "defer";
  readonly message?: string | undefined;
  readonly rule?: Verdict | undefined;
  /** The caller took the tool away: that is nothing to tell about each call. */
  readonly silent?: true | undefined;
  /** Allowed because the mode lets such calls pass: nobody allowed exactly this one. */
  readonly unasked?: true | undefined;
}

export function decide(call: CallFacts, context: DecisionContext): Decision {
  if (context.cancelling === true) return { decision: "deny", message: "The turn was cancelled." };
  const judged = context.kind === "hold" && context.judge === "reins";
  if (judged && call.filter === "disallowed")
    return { decision: "deny", message: `The tool ${call.name} is not allowed here.`, silent: true };
  // Whether an agent's own plan needs approval depends on the mode that the user chose.
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

/** Where Reins is the judge: what may run in each mode, complete. */
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
  // It is the question that waits for the user, not the call.
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

/** Where the agent is the judge: only what a mode excludes, or allows as a whole. */
function heldByMode(mode: Mode, tool: Tool): Decision {
  if (mode === "full") return { decision: tool === "question" ? "defer" : "allow" };
  if (mode === "read" && !looksOnly(tool)) return denial(mode);
  // The agent's own rules for every day may allow commands that planning must not run.
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

/** The user who wrote a command down has allowed it already, unless it came with a project: then a mode is not enough. */
function bySource(byMode: Decision, source: DecisionContext["source"]): Decision {
  if (source === "user" && byMode.decision === "ask") return { decision: "allow" };
  return source === "project" && byMode.decision === "allow" ? ask : byMode;
}

/** What remains of a rule in a mode: a denial in every one, and nothing is allowed that the mode excludes. */
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

/** Whether a tool changes nothing: the mode `read` allows it, and another agent may go on after it. */
export function looksOnly(tool: Tool): boolean {
  return looking.has(toolKinds[tool]) || tool === "question";
}

function denial(mode: Mode): Decision {
  return { decision: "deny", message: `Not allowed: this session only looks (mode ${mode}).` };
}

/**
 * The mode after an agent changed its own: narrower always, wider up to what the person chose. Out of a plan of its own it goes
 * back to that; out of planning that the person chose only with an approved plan, and then it asks.
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

/** A mode the agent does not have is refused, not replaced: what was asked for must never become wider. */
export function refuseMode(agent: Agent, mode: Mode): void {
  if (agent.capabilities.modes.includes(mode)) return;
  throw new ReinsError("unsupported", `${agent.name} has no mode ${mode}.`, {
    agent: agent.id,
    help: `Choose one of ${agent.capabilities.modes.join(", ")}.`,
  });
}

export const nobodyThere = "Denied: nobody is there to answer. Choose a mode that allows it, or let a person answer.";
