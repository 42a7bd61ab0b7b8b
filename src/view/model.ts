/** The conversation as every front draws it: terminal, page, export, briefing. Plain data, made by `createConversation`. */
import type { Mode } from "../events/modes.ts";
import type { ToolKind } from "../events/tools.ts";
import type { EventOf, EventType, TaskStatus, Tokens } from "../events/types.ts";

/** Fields of an event as they are. */
type Of<Type extends EventType, Names extends keyof EventOf<Type>> = Pick<EventOf<Type>, Names>;

export interface Conversation {
  sessionId?: string | undefined;
  title?: string | undefined;
  /** Who holds the session now, and how. */
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
  /** Of the whole session, where it is known. */
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

export type TurnEnd = Of<
  "turn.completed",
  | "outcome"
  | "error"
  | "text"
  | "costSource"
  | "durationMs"
  | "toolCalls"
  | "filesChanged"
  | "filesChangedIncomplete"
  | "background"
>;

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
  /** What its subagent said and did. */
  readonly items: Item[];
}

export type FileChange = Of<"file.changed", "path" | "op" | "oldPath" | "diff" | "added" | "removed">;

/** A change that is of no call. */
export interface FileItem extends FileChange {
  readonly kind: "file";
}

export interface PlanItem extends Of<"plan.updated", "entries"> {
  readonly kind: "plan";
}

type Asked = "requestId" | "callId" | "tool" | "title" | "input" | "reason" | "diff" | "options" | "deadline";

export interface PermissionItem extends Of<"permission.requested", Asked> {
  readonly kind: "permission";
  /** Until it is there somebody is waited for. */
  resolution?: Of<"permission.resolved", "outcome" | "by" | "optionId" | "message"> | undefined;
}

export interface QuestionItem extends Of<"question.requested", "requestId" | "callId" | "questions" | "deadline"> {
  readonly kind: "question";
  resolution?: Of<"question.resolved", "outcome" | "by" | "answers"> | undefined;
}

/** More from the person while the turn was running. */
export interface InputItem extends Of<"input.added", "text" | "attachments" | "how"> {
  readonly kind: "input";
}

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

export interface NoticeItem extends Of<"notice", "level" | "code" | "message" | "count"> {
  readonly kind: "notice";
}

export interface RetryItem extends Of<"agent.retrying", "attempt" | "ofMax" | "delayMs" | "error"> {
  readonly kind: "retry";
}

export interface LimitItem extends Of<"limit.updated", "window" | "status" | "usedPercent" | "resetsAt"> {
  readonly kind: "limit";
}

export interface CompactedItem extends Of<"context.compacted", "trigger" | "before" | "after"> {
  readonly kind: "compacted";
}

export interface SwitchedItem extends Of<"agent.switched", "from" | "to" | "reason"> {
  readonly kind: "switched";
}

/** The model or the mode became another one, or the agent forgot the conversation. */
export interface ChangedItem extends Of<"session.updated", "model" | "mode" | "reset" | "by" | "reason"> {
  readonly kind: "changed";
}

export interface ExitItem extends Of<"process.exited", "code" | "signal"> {
  readonly kind: "exit";
}
