/**
 * The state of one session, and what follows from it. Immutable: only the reducer makes a new one. What streams (messages, tool output) is
 * not in here; the recorder keeps that.
 */
import type { Answer, PromptInput } from "../../agents/contract.ts";
import type { ErrorInfo } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEventOf, EventPayload } from "../../events/types.ts";
import type { SessionOptions } from "../api.ts";
import { isWithin } from "../permissions/decide.ts";
import type { Grant } from "../permissions/options.ts";
import type { Rule } from "../policy/rule.ts";
import type { Ending } from "../record/recorder.ts";
import type { ActiveAgent } from "../route/session-route.ts";
import type { TurnHandle } from "./turn-handle.ts";

export interface SessionState {
  readonly lifecycle: "open" | "closing";
  readonly settings: Settings;
  readonly leg: Leg;
  readonly conversation: Conversation;
  readonly turn?: TurnState | undefined;
  readonly queue: readonly QueuedPrompt[];
  /** Prompts that were handed to the agent in a running turn, and are not confirmed yet. */
  readonly steers: readonly Steer[];
  readonly requests: ReadonlyMap<string, PendingRequest>;
  /** A person is connected, so requests have no deadline. */
  readonly present: boolean;
  /** What the user allowed for the session with the current agent, by key. */
  readonly grants: ReadonlySet<string>;
  /** Answers that allow something, until the folder was looked at. */
  readonly heldAnswers: readonly HeldAnswer[];
  readonly snapshot: Snapshot;
  /** One agent hands over to another; `to` is its name once it is chosen. No prompt is sent meanwhile. */
  readonly switching?: { readonly to?: string | undefined } | undefined;
  /** Recorded when the next agent is there. */
  readonly announce?: Switched | undefined;
  /** Recorded when the next turn starts. */
  readonly startNotices: readonly StartNotice[];
  /** Why the agent cannot start yet: there is no room for one more. */
  readonly waitingForRoom?: string | undefined;
  /** Changes of model or mode that the agent has not confirmed. */
  readonly configuring: readonly SettingsChange[];
  /** Somebody prompted it: there is a conversation to go on from. */
  readonly prompted: boolean;
  /** Since when there is nothing to do, in milliseconds. */
  readonly idleSince: number;
}

export interface Settings {
  readonly active: ActiveAgent;
  readonly model: string | undefined;
  /** The mode that the agent has; `modeInForce` may be narrower. */
  readonly confirmedMode: Mode;
  /** What the user chose; the agent may have narrowed it since. */
  readonly chosenMode: Mode;
  /** The user approved a plan, and the agent has not left its planning since. */
  readonly planApproved: boolean;
  readonly people: People;
}

export interface SettingsChange {
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
}

export type People = Pick<SessionOptions, "onPermission" | "onQuestion" | "attended">;

/** The agent's process. Its session object is with agent-process.ts, under the same id. */
export type Leg =
  /** stopping: its process is being ended; the next one is opened when it is gone. */
  | { readonly is: "none" | "opening" | "stopping"; readonly id: number }
  | {
      readonly is: "ready";
      readonly id: number;
      /** It goes on from an earlier leg of the same agent. */
      readonly resumed: boolean;
      /** It takes a prompt before the folder was looked at, and waits for that itself. */
      readonly startsAhead: boolean;
      readonly steers: boolean;
    };

export interface Conversation {
  readonly resumeFrom?: string | undefined;
  /** The agent ended a turn well, so it has written the conversation down. */
  readonly anyTurnDone: boolean;
  /** The agent had the session before, and another one since. */
  readonly wasAway: boolean;
}

export interface TurnState {
  readonly id: string;
  /** The first of the turns that follow each other by themselves; callers wait for the last of them. */
  readonly chain: string;
  readonly origin: "prompt" | "agent";
  readonly input?: PromptInput | undefined;
  /** What the agent is told instead, after a wait. */
  readonly instead?: PromptInput | undefined;
  readonly handles: readonly TurnHandle[];
  /**
   * - starting: no agent has it yet
   * - running: the agent has it
   * - switching: its agent failed or gives it away, and another one is looked for
   * - finishing: the agent is done; after-steps run, changed files are looked for
   */
  readonly phase: "starting" | "running" | "switching" | "finishing";
  /** The budget was looked at: it may be sent. */
  readonly begun: boolean;
  readonly stop?: Stop | undefined;
  readonly attempt: number;
  /** How it ends; set while switching (if nobody is found) and while finishing. */
  readonly ending?: Ending | undefined;
  /** The agent itself ended it: nothing more is read from it until the turn is over. */
  readonly endedByAgent: boolean;
  /** What follows it went over the budget. */
  readonly spent?: ErrorInfo | undefined;
}

/** Why nobody wants the turn any more. A cancel is never replaced; an error is, by a cancel. */
export type Stop =
  | { readonly by: "cancel" }
  /** `late`: the agent was done before it was known. */
  | { readonly by: "budget" | "error"; readonly error: ErrorInfo; readonly late?: boolean };

export interface QueuedPrompt {
  readonly handle: TurnHandle;
  readonly input: PromptInput;
  readonly whenBusy: "reject" | "queue" | "steer";
}

export interface Steer {
  readonly handle: TurnHandle;
  readonly leg: number;
  readonly chain: string;
  /** The turn is over; the caller gets this once the agent has confirmed the prompt. */
  readonly result?: TurnDone | undefined;
}

export interface TurnDone {
  readonly turn: string;
}

export type RequestEvent = AgentEventOf<"tool.held" | "permission.requested" | "question.requested">;
export type CommandSource = "user" | "project";

export interface PendingRequest {
  /** With the id that readers see. */
  readonly event: RequestEvent;
  /** The agent's own id. */
  readonly nativeId: string;
  readonly status: "holding" | "asking";
  /** What `always` would add. */
  readonly rule?: Rule | undefined;
  /** The call that waits for it, where Reins itself asks; and what "always" would allow. */
  readonly held?: AgentEventOf<"tool.held"> | undefined;
  readonly grant?: Grant | undefined;
  readonly origin: "agent" | "after_step";
  /** The leg that asked; no other is told the answer. */
  readonly leg: number;
}

export interface HeldAnswer extends Pick<PendingRequest, "nativeId" | "origin" | "leg"> {
  readonly requestId: string;
  readonly answer: Answer;
}

/** The folder as it was before the first tool of a turn that may change files without saying so. */
export interface Snapshot {
  readonly is: "none" | "taking" | "taken";
  readonly id: number;
  readonly ran: boolean;
}

export interface StartNotice {
  readonly code: "divergence" | "model_unknown" | "store";
  readonly message: string;
}

export type Switched = Extract<EventPayload, { type: "agent.switched" }>;

export function initialState(
  start: Pick<SessionState, "settings" | "conversation" | "startNotices" | "announce" | "idleSince">,
): SessionState {
  return {
    ...start,
    lifecycle: "open",
    leg: { is: "none", id: 0 },
    queue: [],
    steers: [],
    requests: new Map(),
    present: false,
    grants: new Set(),
    heldAnswers: [],
    snapshot: { is: "none", id: 0, ran: false },
    configuring: [],
    prompted: false,
  };
}

/** The narrowest of the mode that the agent has and those that it is being told: a narrower one holds at once, a wider one when it is confirmed. */
export function modeInForce({ settings, configuring }: SessionState): Mode {
  return configuring.reduce(
    (narrowest, { mode = narrowest }) => (isWithin(mode, narrowest) ? mode : narrowest),
    settings.confirmedMode,
  );
}

export function isCancelled(turn: TurnState | undefined): boolean {
  return turn?.stop?.by === "cancel";
}

export function isStopped({ lifecycle, turn }: SessionState): boolean {
  return lifecycle === "closing" || turn?.stop !== undefined;
}

/** Cancelled or over its budget: no other agent goes on with the turn. */
export function isFinal(turn: TurnState | undefined): boolean {
  return turn?.stop?.by === "cancel" || turn?.stop?.by === "budget";
}

/** False between the agent's `turn.ended` and the end of the turn. */
export function mayRead({ turn }: SessionState): boolean {
  return turn?.phase !== "finishing" || !turn.endedByAgent;
}

/** Whether the agent is read at the pace of the log's readers. One that is being stopped is read at once: whoever waits for its end must not wait for readers. */
export function waitsForReaders(state: SessionState): boolean {
  return !isStopped(state) && state.leg.is === "ready";
}

/** Whether silence of the agent means anything: it has no reason of ours to be silent. */
export function shouldSpeak(state: SessionState): boolean {
  const { turn, waitingForRoom, requests } = state;
  if (waitingForRoom !== undefined || turn === undefined) return false;
  return turn.phase !== "switching" && turn.phase !== "finishing" && !isAsking(requests);
}

/** Since when the agent could be put to sleep; undefined while there is something to do, or where it could not go on after it. */
export function idleSince(state: SessionState, agentState: string | undefined, hasTasks: boolean): number | undefined {
  const { leg, turn, queue, lifecycle, configuring, settings, conversation, prompted } = state;
  if (leg.is !== "ready" || turn !== undefined || queue.length > 0 || lifecycle !== "open") return undefined;
  if (configuring.length > 0 || hasTasks) return undefined;
  const wakes = settings.active.agent.capabilities.resume && conversation.anyTurnDone && agentState !== undefined;
  return wakes || !prompted ? state.idleSince : undefined;
}

function isAsking(requests: SessionState["requests"]): boolean {
  for (const { status } of requests.values()) if (status === "asking") return true;
  return false;
}
