/**
 * The reducer of a session. Deterministic and free of side effects: the runtime carries out the effects. Content
 * (messages, output, usage) goes directly to the recorder.
 */
import { errorInfo, ReinsError } from "../../events/errors.ts";
import type { Effect, Input, InputOf, Rules } from "./inputs.ts";
import { activate, dismiss, exited, lost, opened, openFailed, retired } from "./leg.ts";
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
import { presenceChanged } from "./presence.ts";
import { isStopped, type SessionState, type SettingsChange } from "./state.ts";
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

type Handlers = { readonly [Type in Input["type"]]: (step: Step, input: InputOf<Type>) => void };

const handlers: Handlers = {
  open: openLeg,
  claim: (step, { people, policy, notices }) => {
    const { settings, startNotices } = step.state;
    step.settings({ people, active: { ...settings.active, policy } });
    // Notices of the store were known when the session was opened and are not recorded yet.
    const kept = startNotices.filter(({ code }) => code === "store");
    step.set({ startNotices: [...kept, ...notices] });
  },
  prompt: (step, { prompt }) => prompted(step, prompt),
  answer: (step, { requestId, answer }) => answered(step, requestId, answer),
  presence: (step, { present }) => presenceChanged(step, present),
  "ask.failed": (step, { requestId, message }) => askFailed(step, requestId, message),
  "configure.start": (step, { change }) => step.set({ configuring: [...step.state.configuring, change] }),
  "configure.done": (step, { change }) => configured(step, change),
  "configure.failed": (step, { change }) => endConfiguring(step, change),
  cancel: (step, { handle }) => cancelled(step, handle),
  sleep: (step, { state }) => {
    if (step.state.turn === undefined) dismiss(step, step.state.conversation.anyTurnDone ? state : undefined);
  },
  close: closing,
  "close.finish": (step) => endTurn(step, { outcome: "cancelled" }),
  "room.waiting": (step, { why }) => {
    step.set({ waitingForRoom: why });
    if (why !== undefined) step.notice("info", "waiting", why);
  },
  "agent.opened": opened,
  "agent.open_failed": (step, { leg, error }) => openFailed(step, leg, error),
  "agent.lost": (step, { reason }) => lost(step, reason),
  "agent.event": agentEvent,
  "agent.turn": (step, { turn }) => startAgentTurn(step, turn),
  "agent.retired": (step, { leg, state }) => retired(step, leg, state),
  "agent.exited": exited,
  "prompt.failed": promptFailed,
  "steer.done": (step, { handle }) => steered(step, handle),
  "steer.failed": (step, { handle, error }) => steerFailed(step, handle, error),
  "switch.start": (step, { to }) => step.set({ switching: { to } }),
  "switch.end": (step) => {
    step.set({ switching: undefined });
    advance(step);
  },
  "switch.leave": (step, { state }) => dismiss(step, state),
  "switch.activate": (step, { active, resumeFrom, announce }) => activate(step, active, resumeFrom, announce),
  "switch.done": switched,
  "handoff.start": (step, { turn }) => {
    if (step.state.turn?.id === turn) step.turn({ phase: "switching" });
  },
  "handoff.left": (step, { turn }) => {
    if (step.state.turn?.id === turn) suspendTurn(step, {});
  },
  "turn.begun": (step, { turn, error }) => begun(step, turn, error),
  "finish.done": finished,
  "snapshot.wanted": (step, { tool }) => beforeTool(step, tool),
  "snapshot.done": (step, { id }) => {
    snapshotTaken(step, id);
    advance(step);
  },
  "after.request": (step, { event, source }) => afterRequested(step, event, source),
  timer: (step, { id }) => (id === "cancel" ? stopLeg(step) : timedOut(step, id.slice("request:".length))),
  silence: (step, { seconds, hung }) => silence(step, seconds, hung),
  "budget.exceeded": (step, { error, agentDone }) => overBudget(step, error, agentDone),
};

export function reduce(state: SessionState, input: Input, rules: Rules): readonly [SessionState, readonly Effect[]] {
  const step = new Step(state, rules);
  (handlers[input.type] as (step: Step, input: Input) => void)(step, input);
  return [step.state, step.effects];
}

function agentEvent(step: Step, { event, nativeId, last }: InputOf<"agent.event">): void {
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
      // Only a prompted turn can continue with another agent.
      const mayMove = turn?.origin === "prompt" && turn.phase !== "finishing" && !isStopped(step.state);
      if (mayMove && step.rules.isTooSlow(settings.active, event)) stopForError(step, event.error);
      return step.record(event);
    }
    case "turn.ended":
      return agentEnded(step, event, last);
  }
}

function endConfiguring(step: Step, change: SettingsChange): void {
  step.set({ configuring: step.state.configuring.filter((one) => one !== change) });
}

function configured(step: Step, change: SettingsChange): void {
  const { model, mode } = change;
  endConfiguring(step, change);
  step.settings({ model: model ?? step.state.settings.model });
  // An earlier plan approval does not apply in a newly selected mode.
  if (mode !== undefined) step.settings({ confirmedMode: mode, chosenMode: mode, planApproved: false });
  const changed = { ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) };
  step.do({ do: "emit", event: { type: "session.updated", ...changed, by: "person" } });
}

function silence(step: Step, seconds: number, hung: boolean): void {
  const { id, name } = step.state.settings.active.agent;
  const message = `${name} said nothing for ${seconds} seconds.`;
  if (hung) stopForError(step, errorInfo(new ReinsError("agent_hung", message, { agent: id })));
  else step.notice("info", "quiet", `${name} has been silent for ${seconds} seconds; it may still be working.`);
}
