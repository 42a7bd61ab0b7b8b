/** The lifecycle of a leg in the reducer: opened when needed, retired when the agent exited or was dismissed, then followed by another. */
import { errorInfo, ReinsError, type ErrorInfo } from "../../events/errors.ts";
import type { ActiveAgent } from "../route/session-route.ts";
import type { InputOf } from "./inputs.ts";
import { isCancelled, type Switched } from "./state.ts";
import type { Step } from "./step.ts";
import { advance, dropSteers, endTurn, hadTurn } from "./turn.ts";

export function opened(step: Step, input: InputOf<"agent.opened">): void {
  const { leg, announce, turn } = step.state;
  if (leg.is !== "opening" || leg.id !== input.leg) return;
  const { resumed, startsAhead, steers } = input;
  step.set({ leg: { is: "ready", id: leg.id, resumed, startsAhead, steers }, announce: undefined });
  if (announce !== undefined) step.do({ do: "emit", event: announce });
  // Between turns no event may follow for a long time, and readers must know which agent holds the session.
  step.do({ do: "record.start_leg", resumed, tell: announce !== undefined && turn === undefined });
  advance(step);
}

export function openFailed(step: Step, id: number, error: ErrorInfo): void {
  const { leg, turn, switching } = step.state;
  if (leg.is !== "opening" || leg.id !== id) return;
  step.set({ leg: { is: "none", id } });
  // During a switch, the code that searches for an agent handles the failure.
  if (turn?.phase !== "starting" || !turn.begun || switching !== undefined) return;
  endTurn(step, { outcome: isCancelled(turn) ? "cancelled" : "failed", error });
}

export function lost(step: Step, reason: string): void {
  step.set({ conversation: { ...step.state.conversation, resumeFrom: undefined } });
  step.do({ do: "emit", event: { type: "session.updated", reset: true, by: "agent", reason } });
}

/** The agent accepts no more prompts. The next leg continues from `state`. */
export function retired(step: Step, id: number, state: string | undefined): void {
  const { leg, conversation } = step.state;
  if (leg.is === "none" || leg.id !== id) return;
  step.set({
    leg: { is: "none", id },
    conversation: { ...conversation, resumeFrom: state ?? conversation.resumeFrom },
  });
  step.do({ do: "pool.leave" }, { do: "record.end_leg" });
  advance(step);
}

/** The leg was read to its end. The turn that it had when it was retired ends with it, unless the agent reported its end. */
export function exited(step: Step, { leg, last, error }: InputOf<"agent.exited">): void {
  const { turn, lifecycle, settings } = step.state;
  const { id, name } = settings.active.agent;
  dropSteers(step, leg, new ReinsError("agent_crashed", `${name} ended before it took the prompt in.`, { agent: id }));
  if (turn === undefined || !hadTurn(last, turn)) return;
  const crashed = (): ErrorInfo =>
    errorInfo(new ReinsError("agent_crashed", `${name} ended in the middle of the turn.`, { agent: id }));
  const outcome = isCancelled(turn) || lifecycle === "closing" ? "cancelled" : "failed";
  endTurn(step, { outcome, error: error ?? crashed() }, { byAgent: true });
}

export function dismiss(step: Step, state: string | undefined): void {
  const { leg } = step.state;
  if (leg.is !== "ready" && leg.is !== "stopping") return;
  // Dismiss before the next leg can open: that one waits until this process is gone.
  step.do({ do: "agent.dismiss", leg: leg.id });
  retired(step, leg.id, state);
}

export function activate(
  step: Step,
  active: ActiveAgent,
  resumeFrom: string | undefined,
  announce: Switched | undefined,
): void {
  const { chosenMode } = step.state.settings;
  step.settings({ active, model: active.options.model, confirmedMode: chosenMode, planApproved: false });
  const conversation = { resumeFrom, anyTurnDone: false, wasAway: resumeFrom !== undefined };
  step.set({ conversation, announce, grants: new Set() });
  step.do({ do: "budget.agent" });
}
