/** The conversation that terminal, page, export and briefing draw. Plain data, made by `createConversation`. */
import type { Mode } from "../events/modes.ts";
import type { ToolKind } from "../events/tools.ts";
import type { EventOf, EventType, TaskStatus, Tokens } from "../events/types.ts";
import type { endFields, ItemOf } from "./items.ts";

/** Selected fields of an event type. */
type Of<Type extends EventType, Names extends keyof EventOf<Type>> = Pick<EventOf<Type>, Names>;

export interface Conversation {
  sessionId?: string | undefined;
  title?: string | undefined;
  /** The agent that holds the session now. */
  agent?: string | undefined;
  model?: string | undefined;
  modelLabel?: string | undefined;
  mode?: Mode | undefined;
  cwd?: string | undefined;
  commands?: EventOf<"session.updated">["commands"];
  /** Turns, and the items between them, in order. */
  readonly entries: (TurnEntry | Item)[];
  /** Pending permissions and questions, oldest first. Each one is also in `entries`, where it was asked. */
  readonly waiting: (PermissionItem | QuestionItem)[];
  /** Tasks, which may outlive their turn. */
  readonly tasks: Task[];
  /** The last reading of each usage window of a plan. */
  readonly limits: LimitItem[];
  usage?: Usage | undefined;
  context?: EventOf<"usage.updated">["context"];
  /** Sequence number of the last applied event; events up to it are ignored. */
  lastSeq: number;
}

export interface Usage {
  readonly tokens: Tokens | undefined;
  readonly costUsd: number | undefined;
}

export interface TurnEntry extends Of<"turn.started", "agent" | "origin" | "cause" | "input"> {
  readonly kind: "turn";
  readonly id: string;
  readonly startedAt: string;
  readonly items: Item[];
  phase?: EventOf<"turn.phase">["phase"] | undefined;
  usage?: Usage | undefined;
  /** Undefined while the turn runs. */
  end?: TurnEnd | undefined;
}

export type TurnEnd = Of<"turn.completed", (typeof endFields)[number]>;

export type Item =
  | TextItem
  | ToolItem
  | FileItem
  | PlanItem
  | PermissionItem
  | QuestionItem
  | InputItem
  | TaskItem
  | NoticeItem
  | RetryItem
  | LimitItem
  | CompactedItem
  | SwitchedItem
  | ChangedItem
  | ExitItem;

export interface TextItem {
  readonly kind: "message" | "thought";
  readonly id: string;
  text: string;
  streaming: boolean;
  content?: EventOf<"message.completed">["content"];
  /** Full size in bytes, set when the text was cut. */
  bytes?: number | undefined;
}

export interface ToolItem extends Of<"tool.started", "callId" | "tool" | "nativeName"> {
  readonly kind: "tool";
  readonly toolKind: ToolKind;
  title: string;
  input: unknown;
  locations?: EventOf<"tool.started">["locations"];
  status: "running" | "completed" | "failed";
  /** The end of the output so far, while the tool runs. `output` has the final result. */
  progress: string;
  output?: EventOf<"tool.completed">["output"];
  error?: EventOf<"tool.failed">["error"];
  reason?: EventOf<"tool.failed">["reason"];
  durationMs?: number | undefined;
  exitCode?: number | undefined;
  readonly files: FileChange[];
  /** Items of the call's subagent. */
  readonly items: Item[];
}

export type FileChange = Of<"file.changed", "path" | "op" | "oldPath" | "diff" | "added" | "removed">;

/** A file change that belongs to no call. */
export type FileItem = ItemOf<"file.changed">;

export type PlanItem = ItemOf<"plan.updated">;

export interface PermissionItem extends ItemOf<"permission.requested"> {
  /** Undefined while the request is pending. */
  resolution?: Of<"permission.resolved", "outcome" | "by" | "optionId" | "message"> | undefined;
}

export interface QuestionItem extends ItemOf<"question.requested"> {
  resolution?: Of<"question.resolved", "outcome" | "by" | "answers"> | undefined;
}

/** Text that the person added while the turn was running. */
export type InputItem = ItemOf<"input.added">;

export interface Task extends Of<"task.started", "taskId" | "callId"> {
  readonly taskKind: EventOf<"task.started">["kind"];
  title: string;
  status: TaskStatus;
  summary?: string | undefined;
}

/** The start of a task. `task` is the same object as in `Conversation.tasks`. */
export interface TaskItem {
  readonly kind: "task";
  readonly task: Task;
}

export type NoticeItem = ItemOf<"notice">;
export type RetryItem = ItemOf<"agent.retrying">;
export type LimitItem = ItemOf<"limit.updated">;
export type CompactedItem = ItemOf<"context.compacted">;
export type SwitchedItem = ItemOf<"agent.switched">;

/** The model or mode changed, or the agent's context was cleared. */
export type ChangedItem = ItemOf<"session.updated">;

export type ExitItem = ItemOf<"process.exited">;
