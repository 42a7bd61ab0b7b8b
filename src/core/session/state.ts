/**
 * The state of one session, and what can be derived from it. Immutable: only the reducer creates a new state.
 * Streamed content (messages, tool output) is in the recorder instead.
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
  /** Prompts sent to the agent in a running turn that it has not confirmed yet. */
  readonly steers: readonly Steer[];
  readonly requests: ReadonlyMap<string, PendingRequest>;
  /** True while a person is connected, so requests have no deadline. */
  readonly present: boolean;
  /** Keys of what the user allowed for the session with the current agent. */
  readonly grants: ReadonlySet<string>;
  /** Answers that allow a call, held back until the snapshot is done. */
  readonly heldAnswers: readonly HeldAnswer[];
  readonly snapshot: Snapshot;
  /** Set during a switch of agents, when no prompt is sent. `to` is the name of the next agent, once known. */
  readonly switching?: { readonly to?: string | undefined } | undefined;
  /** Recorded when the next agent has opened. */
  readonly announce?: Switched | undefined;
  /** Recorded when the next turn starts. */
  readonly startNotices: readonly StartNotice[];
  /** Why the agent cannot start yet, when there is no room for another. */
  readonly waitingForRoom?: string | undefined;
  /** Changes of model or mode that the agent has not confirmed. */
  readonly configuring: readonly SettingsChange[];
  /** True once a prompt was sent, so there is a conversation to resume. */
  readonly prompted: boolean;
  /** Since when there is nothing to do, in milliseconds since the epoch. */
  readonly idleSince: number;
}

export interface Settings {
  readonly active: ActiveAgent;
  readonly model: string | undefined;
  /** The mode of the agent; `modeInForce` may be narrower. */
  readonly confirmedMode: Mode;
  /** The mode that the user selected; the agent may have narrowed it since. */
  readonly chosenMode: Mode;
  /** True when the user approved a plan and the agent has not left planning since. */
  readonly planApproved: boolean;
  readonly people: People;
}

export interface SettingsChange {
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
}

export type People = Pick<SessionOptions, "onPermission" | "onQuestion" | "attended">;

/** The agent's process. agent-process.ts has its session object, under the same id. */
export type Leg =
  /** stopping: the process is being ended; the next leg opens when it is gone. */
  | { readonly is: "none" | "opening" | "stopping"; readonly id: number }
  | {
      readonly is: "ready";
      readonly id: number;
      /** True when it continues an earlier leg of the same agent. */
      readonly resumed: boolean;
      /** True when it accepts a prompt before the snapshot is done, and waits for the snapshot itself. */
      readonly startsAhead: boolean;
      readonly steers: boolean;
    };

export interface Conversation {
  readonly resumeFrom?: string | undefined;
  /** True when the agent ended a turn successfully, so it has saved the conversation. */
  readonly anyTurnDone: boolean;
  /** True when the agent held the session before and another one did since. */
  readonly wasAway: boolean;
}

export interface TurnState {
  readonly id: string;
  /** Id of the first in a chain of turns that continue automatically; callers wait for the last. */
  readonly chain: string;
  readonly origin: "prompt" | "agent";
  readonly input?: PromptInput | undefined;
  /** The prompt to send after a wait, instead of `input`. */
  readonly instead?: PromptInput | undefined;
  readonly handles: readonly TurnHandle[];
  /**
   * - starting: not sent to an agent yet
   * - running: the agent works on it
   * - switching: its agent failed or gives it away, and another is being found
   * - finishing: the agent is done; after-steps run, changed files are searched
   */
  readonly phase: "starting" | "running" | "switching" | "finishing";
  /** True when the budget was checked and the prompt may be sent. */
  readonly begun: boolean;
  readonly stop?: Stop | undefined;
  readonly attempt: number;
  /** How the turn ends; set while switching (in case no agent is found) and while finishing. */
  readonly ending?: Ending | undefined;
  /** True when the agent itself ended the turn: nothing more is read from it until the turn is over. */
  readonly endedByAgent: boolean;
  /** Set when the after-steps exceeded the budget. */
  readonly spent?: ErrorInfo | undefined;
}

/** Why the turn is being stopped. A cancel is never replaced; an error is replaced by a cancel. */
export type Stop =
  | { readonly by: "cancel" }
  /** `late`: the agent was done before the limit was known to be reached. */
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
  /** Set when the turn is over. The caller gets it once the agent has confirmed the prompt. */
  readonly result?: TurnDone | undefined;
}

export interface TurnDone {
  readonly turn: string;
}

export type RequestEvent = AgentEventOf<"tool.held" | "permission.requested" | "question.requested">;
export type CommandSource = "user" | "project";

export interface PendingRequest {
  /** The request, with the id that readers see. */
  readonly event: RequestEvent;
  readonly nativeId: string;
  readonly status: "holding" | "asking";
  /** The rule that "always" would add. */
  readonly rule?: Rule | undefined;
  /** The held call, when Reins itself asks, and the scope of "always". */
  readonly held?: AgentEventOf<"tool.held"> | undefined;
  readonly grant?: Grant | undefined;
  readonly origin: "agent" | "after_step";
  /** The leg that asked; only this leg gets the answer. */
  readonly leg: number;
}

export interface HeldAnswer extends Pick<PendingRequest, "nativeId" | "origin" | "leg"> {
  readonly requestId: string;
  readonly answer: Answer;
}

/** The folder before the first tool of a turn that may change files without reporting it. */
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

/** The narrowest of the agent's mode and the modes it is being changed to: a narrower mode applies at once, a wider one when confirmed. */
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

/** True when the turn was cancelled or exceeded its budget: no other agent continues it. */
export function isFinal(turn: TurnState | undefined): boolean {
  return turn?.stop?.by === "cancel" || turn?.stop?.by === "budget";
}

/** False between the agent's `turn.ended` and the end of the turn. */
export function mayRead({ turn }: SessionState): boolean {
  return turn?.phase !== "finishing" || !turn.endedByAgent;
}

/**
 * Whether the agent is read at the pace of the log's readers. An agent being stopped is read at once: its end must
 * not wait for readers.
 */
export function waitsForReaders(state: SessionState): boolean {
  return !isStopped(state) && state.leg.is === "ready";
}

/** True when silence of the agent is significant, because nothing on our side makes it wait. */
export function shouldSpeak(state: SessionState): boolean {
  const { turn, waitingForRoom, requests } = state;
  if (waitingForRoom !== undefined || turn === undefined) return false;
  return turn.phase !== "switching" && turn.phase !== "finishing" && !isAsking(requests);
}

/** Since when the agent could be put to sleep. Undefined while it has work, or when it could not be resumed. */
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
