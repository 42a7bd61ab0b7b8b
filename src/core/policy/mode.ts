/** What the mode of a session says about a tool; rules go before it, and never beyond it. */
import type { Agent, HoldAnswer } from "../../agents/contract.ts";
import { ReinsError } from "../../events/errors.ts";
import { modes } from "../../events/modes.ts";
import type { Mode } from "../../events/modes.ts";
import { toolKinds } from "../../events/tools.ts";
import type { Tool } from "../../events/tools.ts";
import type { Decision } from "./rule.ts";

/** Tools that only look, think or talk. */
function looksOnly(tool: Tool): boolean {
  const kind = toolKinds[tool];
  return (
    kind === "read" ||
    kind === "search" ||
    kind === "think" ||
    kind === "fetch" ||
    kind === "switch_mode" ||
    tool === "question"
  );
}

/** The word on a tool that waits before anything else happens. `defer` leaves it to the agent's own rules, which ask where in doubt. */
export function holdVerdict(mode: Mode, tool: Tool): HoldAnswer {
  if (mode === "full") return tool === "question" ? { decision: "defer" } : { decision: "allow" };
  if (mode === "read" && !looksOnly(tool)) return { decision: "deny", message: denial(mode) };
  // A rule of the person's for every day may allow commands that planning must not run.
  if (mode === "plan" && toolKinds[tool] === "execute") return { decision: "ask" };
  return { decision: "defer" };
}

/** What remains of a rule's word in a mode: what is denied is denied in every one, and nothing is allowed that the mode keeps from it. */
export function withRule<Word extends { readonly decision: string }>(
  byMode: Word,
  byRule: Decision | undefined,
  mode: Mode,
  tool: Tool,
): Decision | undefined {
  if (byRule === undefined || byRule === "deny") return byRule;
  if (byMode.decision === "deny" || tool === "question" || tool === "plan") return undefined;
  if (byRule === "allow" && (mode === "read" || mode === "plan") && !looksOnly(tool)) return undefined;
  return byRule;
}

/** The word on a permission the agent asks for: allowed, denied with a sentence, or `ask` a person. */
export function permissionVerdict(
  mode: Mode,
  tool: Tool,
  ordinaryPlace: boolean,
): { decision: "allow" | "ask" | "deny"; message?: string } {
  switch (mode) {
    case "full":
      return { decision: "allow" };
    case "edits":
      return { decision: toolKinds[tool] === "edit" && ordinaryPlace ? "allow" : "ask" };
    case "ask":
      return { decision: "ask" };
    case "plan":
    case "read":
      return looksOnly(tool) ? { decision: "ask" } : { decision: "deny", message: denial(mode) };
  }
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

/** Whether one mode allows no more than another. */
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

function denial(mode: Mode): string {
  return `Not allowed: this session only looks (mode ${mode}).`;
}

export const nobodyThere = "Denied: nobody is there to answer. Choose a mode that allows it, or let a person answer.";
