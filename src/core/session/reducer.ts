/**
 * What a session does about everything that happens to it. Deterministic and without side effects: the runtime carries the effects out.
 * Content (messages, output, usage) does not come here; the recorder takes it.
 */
import { errorInfo, ReinsError } from "../../events/errors.ts";
import type { ControlEvent, Effect, Input, Rules } from "./inputs.ts";
import { dismiss, exited, hold, lost, opened, openFailed, retired } from "./leg.ts";
import {
  afterRequested,
  answered,
  askFailed,
  beforeTool,
  followMode,
  requested,
  snapshotTaken,
  timedOut,
  withdrawn,
} from "./requests.ts";
import type { SessionState, SettingsChange } from "./state.ts";
import { isStopped } from "./state.ts";
import { Step } from "./step.ts";
import {
  advance,
  agentEnded,
  startAgentTurn,
  begun,
  suspendTurn,
  cancelled,
  closing,
  endTurn,
  finished,
  stopForError,
  openLeg,
  overBudget,
  prompted,
  promptFailed,
  steered,
  steerFailed,
  stopLeg,
  switched,
} from "./turn.ts";

export function reduce(state: SessionState, input: Input, rules: Rules): readonly [SessionState, readonly Effect[]] {
  const step = new Step(state, rules);
  take(step, input);
  return [step.state, step.effects];
}

function take(step: Step, input: Input): void {
  switch (input.type) {
    case "open":
      return openLeg(step);
    case "claim": {
      const { settings, startNotices } = step.state;
      step.settings({ people: input.people, holder: { ...settings.holder, policy: input.policy } });
      // What the store had to say was known when the session was opened, and is not recorded yet.
      const kept = startNotices.filter(({ code }) => code === "store");
      return step.set({ startNotices: [...kept, ...input.notices] });
    }
    case "prompt":
      return prompted(step, input.prompt);
    case "answer":
      return answered(step, input.requestId, input.answer);
    case "ask.failed":
      return askFailed(step, input.requestId, input.message);
    case "configure.start":
      return step.set({ configuring: [...step.state.configuring, input.change] });
    case "configure.done":
      return configured(step, input.change);
    case "configure.failed":
      return step.set({ configuring: step.state.configuring.filter((one) => one !== input.change) });
    case "cancel":
      return cancelled(step, input.handle);
    case "sleep":
      if (step.state.turn !== undefined) return;
      return dismiss(step, step.state.conversation.anyTurnDone ? input.state : undefined);
    case "close":
      return closing(step);
    case "close.finish":
      return endTurn(step, { outcome: "cancelled" });
    case "room.waiting":
      step.set({ waitingForRoom: input.why });
      return input.why === undefined ? undefined : step.notice("info", "waiting", input.why);
    case "agent.opened":
      return opened(step, input);
    case "agent.open_failed":
      return openFailed(step, input.leg, input.error);
    case "agent.lost":
      return lost(step, input.reason);
    case "agent.event":
      return agentEvent(step, input.event, input);
    case "agent.turn":
      return startAgentTurn(step, input.turn);
    case "agent.retired":
      return retired(step, input.leg, input.state);
    case "agent.exited":
      return exited(step, input);
    case "prompt.failed":
      return promptFailed(step, input);
    case "steer.done":
      return steered(step, input.handle);
    case "steer.failed":
      return steerFailed(step, input.handle, input.error);
    case "switch.start":
      return step.set({ switching: { to: input.to } });
    case "switch.end":
      step.set({ switching: undefined });
      return advance(step);
    case "switch.leave":
      return dismiss(step, input.state);
    case "switch.hold":
      return hold(step, input.holder, input.resumeFrom, input.announce);
    case "switch.done":
      return switched(step, input);
    case "handoff.start":
      return step.state.turn?.id === input.turn ? step.turn({ phase: "switching" }) : undefined;
    case "handoff.left":
      return step.state.turn?.id === input.turn ? suspendTurn(step, {}) : undefined;
    case "turn.begun":
      return begun(step, input.turn, input.error);
    case "finish.done":
      return finished(step, input);
    case "snapshot.wanted":
      return beforeTool(step, input.tool);
    case "snapshot.done":
      snapshotTaken(step, input.id);
      return advance(step);
    case "after.request":
      return afterRequested(step, input.event, input.source);
    case "timer":
      return timer(step, input.id);
    case "silence":
      return silence(step, input.seconds, input.hung);
    case "budget.exceeded":
      return overBudget(step, input.error, input.agentDone);
  }
}

function agentEvent(
  step: Step,
  event: ControlEvent,
  { nativeId, last }: Pick<Extract<Input, { type: "agent.event" }>, "nativeId" | "last">,
): void {
  switch (event.type) {
    case "tool.held":
    case "permission.requested":
    case "question.requested":
      return requested(step, event, nativeId ?? event.requestId);
    case "permission.resolved":
    case "question.resolved":
      return withdrawn(step, event);
    case "session.updated":
      return step.record(event.mode === undefined ? event : { ...event, mode: followMode(step, event.mode) });
    case "tool.started":
      beforeTool(step, event.tool);
      return step.record(event);
    case "agent.retrying": {
      const { turn, settings } = step.state;
      // Only what somebody asked for can go on with another agent.
      const mayMove = turn?.origin === "prompt" && turn.phase !== "finishing" && !isStopped(step.state);
      if (mayMove && step.rules.isTooSlow(settings.holder, event)) stopForError(step, event.error);
      return step.record(event);
    }
    case "turn.ended":
      return agentEnded(step, event, last);
  }
}

function configured(step: Step, change: SettingsChange): void {
  const { model, mode } = change;
  step.set({ configuring: step.state.configuring.filter((one) => one !== change) });
  step.settings({ model: model ?? step.state.settings.model });
  // A plan that was approved before does not count in a mode that is chosen now.
  if (mode !== undefined) step.settings({ confirmedMode: mode, chosenMode: mode, planApproved: false });
  step.do({
    do: "emit",
    event: {
      type: "session.updated",
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { mode }),
      by: "person",
    },
  });
}

function timer(step: Step, id: Extract<Input, { type: "timer" }>["id"]): void {
  if (id === "cancel") stopLeg(step);
  else timedOut(step, id.slice("request:".length));
}

function silence(step: Step, seconds: number, hung: boolean): void {
  const { id, name } = step.state.settings.holder.agent;
  if (hung)
    stopForError(
      step,
      errorInfo(new ReinsError("agent_hung", `${name} said nothing for ${seconds} seconds.`, { agent: id })),
    );
  else step.notice("info", "quiet", `${name} has been silent for ${seconds} seconds; it may still be working.`);
}
