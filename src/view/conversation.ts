import type { EventOf, ReinsEvent } from "../events/types.ts";
import { endFields, fileChange, itemOf, picked } from "./items.ts";
import type { Conversation, Item, PermissionItem, QuestionItem, Task, TextItem, ToolItem, TurnEntry } from "./model.ts";

export function conversation(events: Iterable<ReinsEvent>): Conversation {
  const builder = createConversation();
  for (const event of events) builder.apply(event);
  return builder.conversation;
}

export interface ConversationBuilder {
  readonly conversation: Conversation;
  /** Takes any event, lawful or not. An event that was applied before changes nothing, so a reader may resume with an overlap. */
  apply(event: ReinsEvent): void;
}

export function createConversation(): ConversationBuilder {
  return new Builder();
}

class Builder implements ConversationBuilder {
  readonly conversation: Conversation = { entries: [], waiting: [], tasks: [], limits: [], lastSeq: 0 };
  readonly #turns = new Map<string, TurnEntry>();
  readonly #calls = new Calls();
  readonly #texts = new Texts();
  readonly #requests = new Map<string, PermissionItem | QuestionItem>();
  readonly #tasks = new Map<string, Task>();

  apply(event: ReinsEvent): void {
    if (event.seq <= this.conversation.lastSeq) return;
    this.conversation.lastSeq = event.seq;
    switch (event.type) {
      case "message.delta":
      case "thought.delta":
        return this.#texts.delta(event, () => this.#place(event));
      case "message.completed":
      case "thought.completed":
        return this.#texts.completed(event, () => this.#place(event));
      case "message.discarded":
        return this.#texts.discarded(event);
      case "tool.started":
        // Find the place first: a call that names itself as its parent must not end up inside itself.
        this.#place(event).push(this.#calls.started(event));
        return;
      case "tool.progress":
        return this.#calls.progress(event);
      case "tool.completed":
      case "tool.failed":
        return this.#calls.ended(event);
      case "file.changed":
        if (!this.#calls.changed(event)) this.#add(event, itemOf(event));
        return;
      case "permission.requested":
      case "question.requested":
        return this.#requested(event);
      case "permission.resolved":
      case "question.resolved":
        return this.#resolved(event);
      case "task.started":
      case "task.updated":
        return this.#task(event);
      case "turn.started":
        return this.#turnStarted(event);
      case "turn.phase":
        return this.#phase(event);
      case "turn.completed":
        return this.#turnCompleted(event);
      case "session.started":
      case "session.updated":
        return this.#session(event);
      case "usage.updated":
        return this.#usage(event);
      case "limit.updated":
        return this.#limit(event);
      case "plan.updated":
      case "input.added":
      case "notice":
      case "agent.retrying":
      case "agent.switched":
      case "context.compacted":
      case "process.exited":
        return this.#add(event, itemOf(event));
      default:
        // Ignore an event type of a later version.
        return;
    }
  }

  #add(event: ReinsEvent, item: Item): void {
    this.#place(event).push(item);
  }

  /** The list an event belongs to: the items of its subagent's call, its turn, or the entries between turns. */
  #place(event: ReinsEvent): (TurnEntry | Item)[] {
    return this.#calls.get(event.parent)?.items ?? this.#turnOf(event)?.items ?? this.conversation.entries;
  }

  #turnOf(event: ReinsEvent): TurnEntry | undefined {
    return event.turnId === undefined ? undefined : this.#turns.get(event.turnId);
  }

  #turnStarted(event: EventOf<"turn.started">): void {
    const { agent, origin, cause, input, time: startedAt } = event;
    const turn: TurnEntry = { kind: "turn", id: event.turnId ?? "", agent, origin, cause, input, startedAt, items: [] };
    this.#turns.set(turn.id, turn);
    this.conversation.entries.push(turn);
  }

  #phase(event: EventOf<"turn.phase">): void {
    const turn = this.#turnOf(event);
    // Ignore the phase of a subagent: the turn is waiting for the subagent's call.
    if (turn !== undefined && event.parent === undefined) turn.phase = event.phase;
  }

  #turnCompleted(event: EventOf<"turn.completed">): void {
    const turn = this.#turnOf(event);
    if (turn === undefined) return;
    turn.end = picked(event, endFields);
    turn.phase = undefined;
    if (event.usage !== undefined) turn.usage = { tokens: event.usage, costUsd: event.costUsd };
  }

  #requested(event: EventOf<"permission.requested" | "question.requested">): void {
    const item: PermissionItem | QuestionItem = itemOf(event);
    this.#requests.set(event.requestId, item);
    this.conversation.waiting.push(item);
    this.#add(event, item);
  }

  #resolved(event: EventOf<"permission.resolved" | "question.resolved">): void {
    const item = this.#requests.get(event.requestId);
    const place = this.conversation.waiting.findIndex((waiting) => waiting === item);
    if (place !== -1) this.conversation.waiting.splice(place, 1);
    if (event.type === "permission.resolved" && item?.kind === "permission")
      item.resolution = picked(event, ["outcome", "by", "optionId", "message"]);
    else if (event.type === "question.resolved" && item?.kind === "question")
      item.resolution = picked(event, ["outcome", "by", "answers"]);
  }

  #task(event: EventOf<"task.started" | "task.updated">): void {
    const known = this.#tasks.get(event.taskId);
    if (known !== undefined) {
      known.title = event.title ?? known.title;
      known.status = event.status;
      if (event.type === "task.updated") known.summary = event.summary ?? known.summary;
      return;
    }
    const { taskId, callId, title = taskId, status } = event;
    const taskKind = event.type === "task.started" ? event.kind : "other";
    const task: Task = { taskId, callId, taskKind, title, status };
    this.#tasks.set(taskId, task);
    this.conversation.tasks.push(task);
    this.#add(event, { kind: "task", task });
  }

  #session(event: EventOf<"session.started" | "session.updated">): void {
    const { conversation } = this;
    conversation.sessionId = event.sessionId;
    conversation.agent = event.agent;
    conversation.model = event.model ?? conversation.model;
    conversation.mode = event.mode ?? conversation.mode;
    if (event.type === "session.started") {
      conversation.modelLabel = event.modelLabel;
      conversation.cwd = event.cwd;
      return;
    }
    conversation.title = event.title ?? conversation.title;
    conversation.commands = event.commands ?? conversation.commands;
    if (event.model !== undefined) conversation.modelLabel = undefined;
    const changed = event.model !== undefined || event.mode !== undefined || event.reset === true;
    if (changed) this.#add(event, itemOf(event));
  }

  #usage(event: EventOf<"usage.updated">): void {
    if (event.parent !== undefined) return;
    this.conversation.context = event.context ?? this.conversation.context;
    const of = event.scope === "session" ? this.conversation : this.#turnOf(event);
    if (of === undefined || (event.tokens === undefined && event.costUsd === undefined)) return;
    of.usage = { tokens: event.tokens ?? of.usage?.tokens, costUsd: event.costUsd ?? of.usage?.costUsd };
  }

  #limit(event: EventOf<"limit.updated">): void {
    const { limits } = this.conversation;
    const item = itemOf(event);
    const known = limits.findIndex((limit) => limit.window === event.window);
    // Agents repeat the same reading; show it only when the status changes.
    if (item.status !== (limits[known]?.status ?? "ok")) this.#add(event, item);
    limits.splice(known === -1 ? limits.length : known, 1, item);
  }
}

/** How many characters of a running tool's output are kept. */
const progressLength = 16 * 1024;

class Calls {
  readonly #items = new Map<string, ToolItem>();

  get(callId: string | undefined): ToolItem | undefined {
    return callId === undefined ? undefined : this.#items.get(callId);
  }

  started(event: EventOf<"tool.started">): ToolItem {
    const native = picked(event, ["callId", "tool", "nativeName", "title", "input", "locations"]);
    const item: ToolItem = {
      ...{ kind: "tool", ...native, toolKind: event.kind },
      ...{ status: "running", progress: "", files: [], items: [] },
    };
    this.#items.set(event.callId, item);
    return item;
  }

  progress(event: EventOf<"tool.progress">): void {
    const item = this.#items.get(event.callId);
    if (item === undefined) return;
    item.title = event.title ?? item.title;
    item.input = event.input ?? item.input;
    item.locations = event.locations ?? item.locations;
    item.progress += event.output ?? "";
    // Cut only after the text has doubled: cutting at every small piece would copy the text again and again.
    if (item.progress.length > 2 * progressLength) item.progress = item.progress.slice(-progressLength);
  }

  ended(event: EventOf<"tool.completed" | "tool.failed">): void {
    const item = this.#items.get(event.callId);
    if (item === undefined) return;
    const end: Partial<ToolItem> =
      event.type === "tool.completed"
        ? { status: "completed", ...picked(event, ["output", "durationMs", "exitCode"]) }
        : { status: "failed", ...picked(event, ["error", "reason"]), exitCode: event.error.exitCode };
    Object.assign(item, { progress: "", ...end });
  }

  /** Returns false when the call of the change is unknown. */
  changed(event: EventOf<"file.changed">): boolean {
    const item = this.get(event.callId);
    item?.files.push(fileChange(event));
    return item !== undefined;
  }
}

type Delta = EventOf<"message.delta" | "thought.delta">;
type Completed = EventOf<"message.completed" | "thought.completed">;
type Among = (TurnEntry | Item)[];

/** Streaming messages and thoughts: extended by deltas, completed, or discarded. */
class Texts {
  readonly #streaming = new Map<string, { readonly item: TextItem; readonly among: Among }>();

  delta(event: Delta, among: () => Among): void {
    const open = this.#streaming.get(event.messageId);
    if (open !== undefined) {
      open.item.text += event.text;
      return;
    }
    const place = among();
    this.#streaming.set(event.messageId, { item: add(event, place), among: place });
  }

  completed(event: Completed, among: () => Among): void {
    const item = this.#streaming.get(event.messageId)?.item ?? add(event, among());
    this.#streaming.delete(event.messageId);
    item.text = event.text;
    item.streaming = false;
    item.bytes = event.bytes;
    if (event.type === "message.completed") item.content = event.content;
  }

  discarded(event: EventOf<"message.discarded">): void {
    const open = this.#streaming.get(event.messageId);
    if (open === undefined) return;
    this.#streaming.delete(event.messageId);
    open.among.splice(open.among.lastIndexOf(open.item), 1);
  }
}

function add(event: Delta | Completed, among: Among): TextItem {
  const kind = event.type.startsWith("message") ? "message" : "thought";
  const item: TextItem = { kind, id: event.messageId, text: event.text, streaming: true };
  among.push(item);
  return item;
}
