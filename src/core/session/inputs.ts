/** Inputs (what happens to a session) and effects (what the session does about it). The reducer turns inputs into effects. */
import type { Answer, PermissionAnswer, PromptInput, QuestionAnswer } from "../../agents/contract.ts";
import type { Deadlines } from "../../events/deadlines.ts";
import type { ErrorCode, ErrorInfo, ReinsError } from "../../events/errors.ts";
import type { Tool } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf, EventPayload } from "../../events/types.ts";
import type { Policy } from "../policy/policy.ts";
import type { Rule } from "../policy/rule.ts";
import type { Ending } from "../record/recorder.ts";
import type { WantedTool } from "../record/tools.ts";
import type { ActiveAgent } from "../route/session-route.ts";
import type { SessionDecision } from "./decision.ts";
import type { TurnHandle } from "./turn-handle.ts";
import type {
  CommandSource,
  People,
  QueuedPrompt,
  RequestEvent,
  SessionState,
  SettingsChange,
  StartNotice,
  Switched,
  TurnDone,
} from "./state.ts";

/** Agent events that the reducer handles; all others go directly to the recorder. */
export type ControlEvent = Extract<AgentEvent, { type: ControlType }>;

/** Destination of each agent event. Exhaustive, so a new event type must be added here. */
export const eventRoute = {
  "message.delta": "content",
  "message.completed": "content",
  "message.discarded": "content",
  "thought.delta": "content",
  "thought.completed": "content",
  "tool.progress": "content",
  "tool.completed": "content",
  "tool.failed": "content",
  "file.changed": "content",
  "plan.updated": "content",
  "task.started": "content",
  "task.updated": "content",
  "turn.phase": "content",
  "usage.updated": "content",
  "limit.updated": "content",
  "context.compacted": "content",
  "process.exited": "content",
  notice: "content",
  "session.started": "content",
  "session.updated": "control",
  "tool.started": "control",
  "tool.held": "control",
  "permission.requested": "control",
  "permission.resolved": "control",
  "question.requested": "control",
  "question.resolved": "control",
  "agent.retrying": "control",
  "turn.ended": "control",
} as const satisfies Readonly<Record<AgentEvent["type"], "content" | "control">>;

type Routes = typeof eventRoute;
type ControlType = { [Type in keyof Routes]: Routes[Type] extends "control" ? Type : never }[keyof Routes];

export type TimerId = "cancel" | `request:${string}`;

/** A leg that accepts no more prompts, and the turn that it had at that time. */
export interface Retired {
  readonly turn: string | undefined;
  /** Attempt of the turn; another agent may have the turn since. */
  readonly attempt?: number | undefined;
}

export type Input = Readonly<
  // Sent by the caller.
  | { type: "open" }
  | { type: "claim"; people: People; policy: Policy; notices: readonly StartNotice[] }
  | { type: "prompt"; prompt: QueuedPrompt }
  | { type: "answer"; requestId: string; answer: PermissionAnswer | QuestionAnswer }
  | { type: "presence"; present: boolean }
  | { type: "ask.failed"; requestId: string; message: string }
  | { type: "configure.start" | "configure.done" | "configure.failed"; change: SettingsChange }
  | { type: "cancel"; handle?: TurnHandle }
  | { type: "sleep"; state: string | undefined }
  | { type: "close" }
  | { type: "close.finish" }
  // Sent by the agent. After its leg was retired, it can only end the turn that ran at that time.
  | { type: "room.waiting"; why: string | undefined }
  | { type: "agent.opened"; leg: number; resumed: boolean; startsAhead: boolean; steers: boolean }
  | { type: "agent.open_failed"; leg: number; error: ErrorInfo }
  | { type: "agent.lost"; reason: string }
  | { type: "agent.event"; event: ControlEvent; nativeId?: string; last?: Retired | undefined }
  | { type: "agent.turn"; turn: string }
  | { type: "agent.retired"; leg: number; state: string | undefined }
  | { type: "agent.exited"; leg: number; last: Retired; error: ErrorInfo | undefined }
  | { type: "prompt.failed"; turn: string; attempt: number; error: ErrorInfo }
  | { type: "steer.done"; handle: TurnHandle }
  | { type: "steer.failed"; handle: TurnHandle; error: ReinsError }
  // Sent by a switch to another agent.
  | { type: "switch.start"; to?: string | undefined }
  | { type: "switch.end" }
  | { type: "switch.leave"; state: string | undefined }
  | { type: "switch.activate"; active: ActiveAgent; resumeFrom: string | undefined; announce?: Switched | undefined }
  | { type: "switch.done"; turn: string; result: SwitchResult; instead?: PromptInput | undefined; error?: ErrorInfo }
  | { type: "handoff.start"; turn: string }
  | { type: "handoff.left"; turn: string }
  // Sent by work that an effect started.
  | { type: "turn.begun"; turn: string; error: ErrorInfo | undefined }
  | { type: "finish.done"; turn: string; nextPrompt?: string | undefined; nextId: string; incomplete?: boolean }
  | { type: "snapshot.wanted"; tool: Tool }
  | { type: "snapshot.done"; id: number }
  | { type: "after.request"; event: AgentEventOf<"permission.requested">; source: CommandSource }
  // Sent by timers and limits.
  | { type: "timer"; id: TimerId }
  | { type: "silence"; seconds: number; hung: boolean }
  | { type: "budget.exceeded"; error: ErrorInfo; agentDone: boolean }
>;

type OfType<One extends Input, Type> = One extends unknown ? (Type extends One["type"] ? One : never) : never;
export type InputOf<Type extends Input["type"]> = OfType<Input, Type>;

/** `same`: the same agent continues after a wait. `none`: no agent continues. `failed`: the agent that the user chose does not start. */
export type SwitchResult = "switched" | "same" | "none" | "failed";

/** Effects on the record: carried out at once, so that later events are recorded after them. */
export type RecordEffect = Readonly<
  | { do: "record"; event: Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }> }
  | { do: "emit"; event: EventPayload }
  | { do: "record.tool"; tool: WantedTool; nativeName: string }
  | { do: "record.start_leg"; resumed: boolean; tell: boolean }
  | { do: "record.end_leg" }
  | { do: "record.start_turn"; turn: string; input: PromptInput; continues: string | undefined }
  | { do: "record.added"; input: PromptInput; how: "queue" | "steer" }
  | { do: "record.suspend_turn"; ending: Pick<Ending, "usage" | "costUsd"> }
  | { do: "record.resume_turn" }
  | { do: "record.end_turn"; ending: Ending }
  /** The caller reads from the event before the last `back` events. */
  | { do: "caller.start"; handle: TurnHandle; turn: string; back: number }
  | { do: "budget.start"; turn: string }
  | { do: "budget.agent" }
  | { do: "requests.again"; events: readonly RequestEvent[] }
>;

/** External effects: carried out in order, after the recorded events are in the log. */
export type OuterEffect = Readonly<
  | { do: "agent.open"; leg: number }
  | {
      do: "agent.prompt";
      leg: number;
      turn: string;
      attempt: number;
      instead: PromptInput | undefined;
      input: PromptInput;
      resumed: boolean;
    }
  | { do: "agent.steer"; leg: number; handle: TurnHandle; input: PromptInput }
  | { do: "agent.answer"; leg: number; requestId: string; answer: Answer }
  | { do: "agent.cancel"; leg: number }
  | { do: "agent.stop"; leg: number }
  /** Stops an agent whose leg was already given up. The next one opens after it is gone. */
  | { do: "agent.dismiss"; leg: number }
  | { do: "pool.leave" }
  | { do: "ask"; requestId: string }
  | { do: "request.settled"; requestId: string }
  | { do: "after.answer"; requestId: string; answer: Answer }
  | { do: "save_rule"; rule: Rule }
  | { do: "timer.start"; id: TimerId; ms: number }
  | { do: "timer.stop"; id: TimerId }
  | { do: "silence.start" | "silence.stop" }
  | { do: "take_snapshot"; id: number }
  | { do: "switch_agent"; turn: string; error: ErrorInfo }
  | { do: "switch.abort" }
  | { do: "finish"; turn: string; outcome: Ending["outcome"]; follow: boolean }
  | { do: "after.abort"; reason?: "budget" }
  | { do: "failed"; code: ErrorCode }
  | { do: "settle"; handle: TurnHandle; result: TurnDone }
  /** Forgets the result of a finished turn, unless a caller still waits for it. */
  | { do: "result.forget"; turn: string }
  | { do: "refuse"; handle: TurnHandle; error: ReinsError }
  | { do: "over"; chain: string }
  | { do: "idle" }
>;

export type Effect = RecordEffect | OuterEffect;
type Doing<One extends Effect, Name> = One extends unknown ? (Name extends One["do"] ? One : never) : never;
export type EffectOf<Name extends Effect["do"]> = Doing<Effect, Name>;

/** Queries of the reducer. They change nothing; tests pass fakes. */
export interface Rules {
  /** May resolve symlinks on disk. */
  decide(
    event: AgentEventOf<"tool.held" | "permission.requested">,
    state: SessionState,
    source?: CommandSource,
  ): SessionDecision;
  /** Whether another agent may continue a failed turn, and otherwise the reason to report. */
  afterFailure(active: ActiveAgent, error: ErrorInfo): { readonly goesOn: boolean; readonly why?: string | undefined };
  isTooSlow(active: ActiveAgent, retry: AgentEventOf<"agent.retrying">): boolean;
  /** True when background subagents started the current turn, without the agent itself. */
  subagentsOnly(): boolean;
  readonly followsTurns: boolean;
  readonly deadlines: Pick<Deadlines, "permission" | "question" | "cancel">;
  now(): number;
}
