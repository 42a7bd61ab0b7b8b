/** The conversation as every front draws it: terminal, page, export, briefing. Plain data, made by `createConversation`. */
import type { Mode } from "../events/modes.ts";
import type { ToolKind } from "../events/tools.ts";
import type { EventOf, EventType, TaskStatus, Tokens } from "../events/types.ts";
import type { endFields, ItemOf } from "./items.ts";

/** Fields of an event as they are. */
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
  /** Everything in order: turns, and what happened between them. */
  readonly entries: (TurnEntry | Item)[];
  /** The permissions and questions that wait for somebody, the oldest first; each is also where it was asked. */
  readonly waiting: (PermissionItem | QuestionItem)[];
  /** Work that may outlive its turn. */
  readonly tasks: Task[];
  /** The last reading of each window of a plan's allowance. */
  readonly limits: LimitItem[];
  usage?: Usage | undefined;
  context?: EventOf<"usage.updated">["context"];
  /** The last event that is in here; one that came before it changes nothing. */
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
  /** How it ended; a turn without one still runs. */
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
  /** How many bytes there were, where some were cut. */
  bytes?: number | undefined;
}

export interface ToolItem extends Of<"tool.started", "callId" | "tool" | "nativeName"> {
  readonly kind: "tool";
  readonly toolKind: ToolKind;
  title: string;
  input: unknown;
  locations?: EventOf<"tool.started">["locations"];
  status: "running" | "completed" | "failed";
  /** The end of what it has put out while it runs; what it came to is in `output`. */
  progress: string;
  output?: EventOf<"tool.completed">["output"];
  error?: EventOf<"tool.failed">["error"];
  reason?: EventOf<"tool.failed">["reason"];
  durationMs?: number | undefined;
  exitCode?: number | undefined;
  readonly files: FileChange[];
  /** Items of its subagent. */
  readonly items: Item[];
}

export type FileChange = Of<"file.changed", "path" | "op" | "oldPath" | "diff" | "added" | "removed">;

/** A change that is of no call. */
export type FileItem = ItemOf<"file.changed">;

export type PlanItem = ItemOf<"plan.updated">;

export interface PermissionItem extends ItemOf<"permission.requested"> {
  /** Undefined while the request waits. */
  resolution?: Of<"permission.resolved", "outcome" | "by" | "optionId" | "message"> | undefined;
}

export interface QuestionItem extends ItemOf<"question.requested"> {
  resolution?: Of<"question.resolved", "outcome" | "by" | "answers"> | undefined;
}

/** More from the person while the turn was running. */
export type InputItem = ItemOf<"input.added">;

export interface Task extends Of<"task.started", "taskId" | "callId"> {
  readonly taskKind: EventOf<"task.started">["kind"];
  title: string;
  status: TaskStatus;
  summary?: string | undefined;
}

/** Where a task began; the object is the one in `tasks`. */
export interface TaskItem {
  readonly kind: "task";
  readonly task: Task;
}

export type NoticeItem = ItemOf<"notice">;
export type RetryItem = ItemOf<"agent.retrying">;
export type LimitItem = ItemOf<"limit.updated">;
export type CompactedItem = ItemOf<"context.compacted">;
export type SwitchedItem = ItemOf<"agent.switched">;

/** The model or the mode became another one, or the agent forgot the conversation. */
export type ChangedItem = ItemOf<"session.updated">;

export type ExitItem = ItemOf<"process.exited">;
