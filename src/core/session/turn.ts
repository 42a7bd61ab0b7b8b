/**
 * The lifecycle of a turn in the reducer: started, sent to the agent, possibly handed to another agent, finished; and
 * prompts that arrive meanwhile.
 */
import type { PromptInput } from "../../agents/contract.ts";
import { ReinsError, type ErrorInfo } from "../../events/errors.ts";
import type { AgentEventOf } from "../../events/types.ts";
import type { Ending } from "../record/recorder.ts";
import type { InputOf, Retired } from "./inputs.ts";
import { cancelRequests, endRequests, takeSnapshot } from "./requests.ts";
import { isCancelled, isStopped, type QueuedPrompt, type Steer, type TurnState } from "./state.ts";
import type { Step } from "./step.ts";
import type { TurnHandle } from "./turn-handle.ts";

export function prompted(step: Step, prompt: QueuedPrompt): void {
  const { lifecycle, turn, queue } = step.state;
  if (lifecycle === "closing") return step.do({ do: "refuse", handle: prompt.handle, error: closedError() });
  if (turn === undefined) return startPrompt(step, prompt);
  if (!step.rules.subagentsOnly() || isCancelled(turn) || queue.length > 0) return whenBusy(step, prompt, turn);
  // Background subagents do not block a prompt: their turn ends here, and they continue in the next one.
  step.set({ queue: [prompt] });
  endTurn(step, { outcome: "done" });
}

function whenBusy(step: Step, prompt: QueuedPrompt, turn: TurnState): void {
  const { settings, leg, queue, steers } = step.state;
  const { handle, input } = prompt;
  if (prompt.whenBusy === "reject")
    return step.do({ do: "refuse", handle, error: busyError(settings.active.agent.id) });
  if (prompt.whenBusy === "steer") {
    if (leg.is === "ready" && leg.steers && turn.phase === "running" && !isCancelled(turn)) {
      step.do({ do: "record.added", input, how: "steer" });
      step.do({ do: "caller.start", handle, turn: turn.id, back: 1 });
      step.turn({ handles: [...turn.handles, handle] });
      step.set({ steers: [...steers, { handle, leg: leg.id, chain: turn.chain }] });
      return step.do({ do: "agent.steer", leg: leg.id, handle, input });
    }
    const { capabilities, name } = settings.active.agent;
    const why = capabilities.steer ? "The turn accepts no prompt now" : `${name} accepts no prompt during a turn`;
    step.notice("warning", "divergence", `${why}; the prompt is queued.`);
  }
  step.do({ do: "record.added", input, how: "queue" });
  step.set({ queue: [...queue, prompt] });
}

/** Only a prompt that the agent accepted shares the result of the turn. */
export function steered(step: Step, handle: TurnHandle): void {
  const result = takeSteer(step, handle)?.result;
  if (result !== undefined) step.do({ do: "settle", handle, result }, { do: "result.forget", turn: result.turn });
}

export function steerFailed(step: Step, handle: TurnHandle, error: ReinsError): void {
  const { turn } = step.state;
  const steer = takeSteer(step, handle);
  if (steer === undefined) return;
  if (turn !== undefined) step.turn({ handles: turn.handles.filter((one) => one !== handle) });
  step.notice("error", "divergence", `The prompt could not be added to the turn: ${error.message}`);
  step.do({ do: "refuse", handle, error });
  if (steer.result !== undefined) step.do({ do: "result.forget", turn: steer.result.turn });
}

function takeSteer(step: Step, handle: TurnHandle): Steer | undefined {
  const { steers } = step.state;
  step.set({ steers: steers.filter((one) => one.handle !== handle) });
  return steers.find((one) => one.handle === handle);
}

export function dropSteers(step: Step, leg: number, error: ReinsError): void {
  for (const one of step.state.steers) if (one.leg === leg) steerFailed(step, one.handle, error);
}

export function hadTurn(last: Retired, { id, attempt }: TurnState): boolean {
  return last.turn === id && last.attempt === attempt;
}

function startPrompt(step: Step, { handle, input }: QueuedPrompt): void {
  step.do({ do: "caller.start", handle, turn: handle.id, back: 0 });
  start(step, { id: handle.id, chain: handle.id, input, handles: [handle] });
}

const justBegun = { begun: false, attempt: 1, endedByAgent: false } as const;

function start(
  step: Step,
  given: Pick<TurnState, "id" | "chain" | "handles"> & { readonly input: PromptInput },
  continues?: string,
): void {
  const { startNotices, waitingForRoom } = step.state;
  step.set({
    turn: { ...given, origin: "prompt", phase: "starting", ...justBegun },
    prompted: true,
    startNotices: [],
  });
  step.do({ do: "record.start_turn", turn: given.id, input: given.input, continues });
  for (const notice of startNotices) step.notice("warning", notice.code, notice.message);
  if (waitingForRoom !== undefined) step.notice("info", "waiting", waitingForRoom);
  step.do({ do: "budget.start", turn: given.id });
}

/** The agent started a turn by itself, and the recorder has it: make it the current turn. */
export function startAgentTurn(step: Step, id: string): void {
  if (step.state.turn !== undefined) return;
  step.set({ turn: { id, chain: id, origin: "agent", handles: [], phase: "running", ...justBegun } });
  step.do({ do: "budget.start", turn: id });
}

/** The budget was checked. `error` is set when the turn must not continue. */
export function begun(step: Step, id: string, error: ErrorInfo | undefined): void {
  const { turn } = step.state;
  if (turn?.id !== id || turn.phase === "finishing") return;
  step.turn({ begun: true });
  step.do({ do: "silence.start" });
  if (error === undefined) return advance(step);
  if (turn.origin === "agent") overBudget(step, error, false);
  else endTurn(step, { outcome: "budget", error }, { final: true });
}

export function advance(step: Step): void {
  const { turn, leg, switching, lifecycle, settings, snapshot } = step.state;
  if (turn?.phase !== "starting" || !turn.begun || switching !== undefined || lifecycle === "closing") return;
  if (turn.stop !== undefined) return;
  // The agent's commands cannot be held, so take the snapshot before it can run any.
  const holdsNothing = settings.active.agent.capabilities.hold.execute === "none";
  if (holdsNothing && snapshot.is === "none") takeSnapshot(step);
  if (leg.is !== "ready") return openLeg(step);
  if (holdsNothing && step.state.snapshot.is === "taking" && !leg.startsAhead) return;
  const { id, attempt, instead, input } = turn;
  step.turn({ phase: "running" });
  step.do({ do: "agent.prompt", leg: leg.id, turn: id, attempt, instead, input: input!, resumed: leg.resumed });
}

export function openLeg(step: Step): void {
  const { leg, lifecycle } = step.state;
  if (leg.is !== "none" || lifecycle === "closing") return;
  const id = leg.id + 1;
  step.set({ leg: { is: "opening", id } });
  step.do({ do: "agent.open", leg: id });
}

export function promptFailed(step: Step, input: InputOf<"prompt.failed">): void {
  const { turn } = step.state;
  if (turn?.id !== input.turn || turn.attempt !== input.attempt) return;
  endTurn(step, { outcome: isCancelled(turn) ? "cancelled" : "failed", error: input.error });
}

/** The agent reports the end of the turn. `last`: the agent had already exited during that turn, so it can end no other. */
export function agentEnded(step: Step, event: AgentEventOf<"turn.ended">, last: Retired | undefined): void {
  const { turn, conversation } = step.state;
  if (last !== undefined && (turn === undefined || !hadTurn(last, turn))) return;
  if (event.origin === "agent" && turn?.origin === "prompt") return;
  if (event.outcome !== "failed") step.set({ conversation: { ...conversation, anyTurnDone: true } });
  const isCancel = isCancelled(turn) && (event.outcome === "failed" || event.outcome === "interrupted");
  endTurn(step, isCancel ? { ...event, outcome: "cancelled" } : event, { byAgent: true });
}

interface How {
  readonly final?: boolean;
  readonly byAgent?: boolean;
}

export function endTurn(step: Step, given: Ending, { final = false, byAgent = false }: How = {}): void {
  const { turn } = step.state;
  if (turn === undefined || turn.phase === "finishing") return;
  if (turn.phase === "switching" && given.outcome !== "cancelled" && !final) return;
  if (given.error !== undefined) step.do({ do: "failed", code: given.error.code });
  const ending = stoppedEnding(turn, given);
  if (!final && goesOn(step, turn, ending)) return switchAgent(step, turn, ending);
  step.turn({ phase: "finishing", ending, endedByAgent: byAgent });
  const follow = step.rules.followsTurns && turn.origin === "prompt" && !isStopped(step.state);
  step.do({ do: "switch.abort" }, { do: "silence.stop" });
  step.do({ do: "finish", turn: turn.id, outcome: ending.outcome, follow });
}

/** When an error stopped the turn, that error is its result, whatever the agent reports. */
function stoppedEnding({ stop }: TurnState, ending: Ending): Ending {
  if (stop === undefined || stop.by === "cancel" || stop.late === true) return ending;
  return { ...ending, outcome: stop.by === "budget" ? "budget" : "failed", error: stop.error };
}

function goesOn(step: Step, turn: TurnState, { outcome, error }: Ending): boolean {
  const isWanted = turn.origin === "prompt" && !isCancelled(turn) && step.state.lifecycle === "open";
  if (!isWanted || outcome !== "failed" || error === undefined) return false;
  const { goesOn: yes, why } = step.rules.afterFailure(step.state.settings.active, error);
  if (why !== undefined) step.notice("info", "route", why);
  return yes;
}

function switchAgent(step: Step, turn: TurnState, ending: Ending): void {
  step.turn({ phase: "switching", ending });
  suspendTurn(step, ending);
  step.do({ do: "switch_agent", turn: turn.id, error: ending.error! });
}

export function suspendTurn(step: Step, { usage, costUsd }: Pick<Ending, "usage" | "costUsd">): void {
  endRequests(step);
  step.do({ do: "record.suspend_turn", ending: { usage, costUsd } });
}

export function switched(step: Step, input: InputOf<"switch.done">): void {
  const { turn } = step.state;
  if (turn?.id !== input.turn || turn.phase !== "switching") return;
  const { ending } = turn;
  const stop = isCancelled(turn) ? turn.stop : undefined;
  step.turn({ phase: "starting", attempt: turn.attempt + 1, stop, ending: undefined, instead: input.instead });
  if (input.result === "none") {
    step.do({ do: "record.resume_turn" });
    endTurn(step, ending!, { final: true });
  } else if (input.result === "failed") endTurn(step, { outcome: "failed", error: input.error }, { final: true });
  else advance(step);
}

export function finished(step: Step, input: InputOf<"finish.done">): void {
  const { turn, queue, lifecycle, leg } = step.state;
  if (turn?.id !== input.turn || turn.phase !== "finishing") return;
  const left = endRequests(step);
  const follows = turn.spent === undefined && !isCancelled(turn) && lifecycle === "open" && queue.length === 0;
  const nextPrompt = follows ? input.nextPrompt : undefined;
  const next = nextPrompt === undefined ? undefined : input.nextId;
  const ending: Ending = {
    ...turn.ending!,
    ...(isCancelled(turn)
      ? { outcome: "cancelled" as const }
      : turn.spent !== undefined && { outcome: "budget" as const, error: turn.spent }),
    next,
    filesChangedIncomplete: input.incomplete === true ? true : undefined,
  };
  step.do({ do: "record.end_turn", ending }, { do: "timer.stop", id: "cancel" });
  step.set({ turn: undefined, snapshot: { is: "none", id: step.state.snapshot.id, ran: false } });
  if (nextPrompt === undefined) over(step, turn);
  else start(step, { id: next!, chain: turn.chain, input: { text: nextPrompt }, handles: turn.handles }, turn.id);
  // A background subagent waits beyond the turn: its request is made again in the next turn.
  if (ending.outcome !== "cancelled" && leg.is === "ready" && left.length > 0)
    step.do({ do: "requests.again", events: left });
}

function over(step: Step, turn: TurnState): void {
  const result = { turn: turn.id };
  const unconfirmed = new Set(step.state.steers.map(({ handle }) => handle));
  step.set({ steers: step.state.steers.map((one) => (one.chain === turn.chain ? { ...one, result } : one)) });
  for (const handle of turn.handles) if (!unconfirmed.has(handle)) step.do({ do: "settle", handle, result });
  step.do({ do: "over", chain: turn.chain });
  const [queued, ...rest] = step.state.queue;
  if (step.state.lifecycle === "open" && queued !== undefined) {
    step.set({ queue: rest });
    startPrompt(step, queued);
  } else {
    step.set({ idleSince: step.rules.now() });
    step.do({ do: "idle" });
  }
}

export function dropQueued(step: Step, handle?: TurnHandle): void {
  const { queue } = step.state;
  const isDropped = (one: QueuedPrompt): boolean => handle === undefined || one.handle === handle;
  step.set({ queue: queue.filter((one) => !isDropped(one)) });
  const message = "The prompt was cancelled while it waited for its turn.";
  for (const one of queue.filter(isDropped))
    step.do({ do: "refuse", handle: one.handle, error: new ReinsError("cancelled", message) });
}

export function cancelled(step: Step, handle?: TurnHandle): void {
  dropQueued(step, handle);
  const { turn } = step.state;
  if (turn === undefined || isCancelled(turn)) return;
  if (handle !== undefined && !turn.handles.includes(handle)) return;
  step.turn({ stop: { by: "cancel" } });
  step.do({ do: "after.abort" });
  stopAgent(step, { outcome: "cancelled" });
}

/** Stops the agent like a cancel; the turn ends with outcome `budget`. `agentDone`: the agent has just ended the turn successfully. */
export function overBudget(step: Step, error: ErrorInfo, agentDone: boolean): void {
  const { turn } = step.state;
  if (turn === undefined || isStopped(step.state)) return;
  if (turn.phase === "finishing") {
    cancelRequests(step);
    step.turn({ spent: turn.spent ?? error });
    return step.do({ do: "after.abort", reason: "budget" });
  }
  step.turn({ stop: { by: "budget", error, late: agentDone } });
  if (agentDone) return;
  if (turn.phase === "switching") endTurn(step, { outcome: "budget", error }, { final: true });
  else stopAgent(step, { outcome: "budget", error });
}

function stopAgent(step: Step, ending: Ending): void {
  cancelRequests(step);
  const { leg, turn } = step.state;
  // Without a sent prompt there is nothing to stop, and a finishing turn has no more work for the agent.
  if (leg.is !== "ready" || turn?.phase !== "running") return endTurn(step, ending);
  // After the deadline the process is stopped; the session continues from the agent's state.
  step.do({ do: "timer.start", id: "cancel", ms: step.rules.deadlines.cancel }, { do: "agent.cancel", leg: leg.id });
}

/** The agent hangs or is too slow: stop its process; the turn fails with this error once the process is gone. */
export function stopForError(step: Step, error: ErrorInfo): void {
  const { turn, leg } = step.state;
  if (turn === undefined || turn.phase === "finishing") return;
  step.turn({ stop: turn.stop ?? { by: "error", error } });
  if (leg.is === "ready") stopLeg(step);
  else if (leg.is !== "stopping") endTurn(step, { outcome: "failed", error });
}

export function stopLeg(step: Step): void {
  const { leg } = step.state;
  if (leg.is !== "ready") return;
  step.set({ leg: { is: "stopping", id: leg.id } });
  step.do({ do: "agent.stop", leg: leg.id });
}

/** The session closes. A remote agent continues its work, so its turn is not cancelled. */
export function closing(step: Step): void {
  dropQueued(step);
  const { turn, settings } = step.state;
  step.set({ lifecycle: "closing" });
  step.do({ do: "switch.abort" }, { do: "after.abort" });
  if (turn !== undefined && settings.active.agent.capabilities.elsewhere !== true)
    step.turn({ stop: { by: "cancel" } });
  cancelRequests(step);
}

export function busyError(agent: string): ReinsError {
  return new ReinsError("session_busy", "The session is already working on a prompt.", {
    agent,
    help: "Wait for the turn to end, cancel it, or pass whenBusy: queue or steer.",
  });
}

export function closedError(): ReinsError {
  return new ReinsError("invalid_input", "The session is closed.");
}
