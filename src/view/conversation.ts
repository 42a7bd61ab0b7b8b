/** From events to the conversation a person reads, one event at a time; cheap for a delta, and the same from a list. */
import type { EventOf, ReinsEvent } from "../events/types.ts";
import { Calls } from "./calls.ts";
import * as items from "./items.ts";
import type { Conversation, Item, PermissionItem, QuestionItem, Task, TurnEntry } from "./model.ts";
import { Texts } from "./texts.ts";

/** The conversation of a whole list of events. */
export function conversation(events: Iterable<ReinsEvent>): Conversation {
  const builder = createConversation();
  for (const event of events) builder.apply(event);
  return builder.conversation;
}

export interface ConversationBuilder {
  /** Grows with every event. */
  readonly conversation: Conversation;
  /** Takes any event, lawful or not. One that is in already changes nothing, so a reader may come back with an overlap. */
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
        // The place first: a call that names itself as its parent must not end up in itself.
        this.#place(event).push(this.#calls.started(event));
        return;
      case "tool.progress":
        return this.#calls.progress(event);
      case "tool.completed":
        return this.#calls.completed(event);
      case "tool.failed":
        return this.#calls.failed(event);
      case "file.changed":
        if (!this.#calls.changed(event)) this.#add(event, { kind: "file", ...items.fileChange(event) });
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
        return this.#add(event, items.planItem(event));
      case "input.added":
        return this.#add(event, items.inputItem(event));
      case "notice":
        return this.#add(event, items.noticeItem(event));
      case "agent.retrying":
        return this.#add(event, items.retryItem(event));
      case "agent.switched":
        return this.#add(event, items.switchedItem(event));
      case "context.compacted":
        return this.#add(event, items.compactedItem(event));
      case "process.exited":
        return this.#add(event, items.exitItem(event));
      default:
        // An event of a later version of the vocabulary.
        return;
    }
  }

  #add(event: ReinsEvent, item: Item): void {
    this.#place(event).push(item);
  }

  /** Where an event belongs: to the call of its subagent, to its turn, or between turns. */
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
    if (turn !== undefined) turn.phase = event.phase;
  }

  #turnCompleted(event: EventOf<"turn.completed">): void {
    const turn = this.#turnOf(event);
    if (turn === undefined) return;
    const {
      outcome,
      error,
      text,
      costSource,
      durationMs,
      toolCalls,
      filesChanged,
      filesChangedIncomplete,
      background,
    } = event;
    turn.end = {
      outcome,
      error,
      text,
      costSource,
      durationMs,
      toolCalls,
      filesChanged,
      filesChangedIncomplete,
      background,
    };
    turn.phase = undefined;
    if (event.usage !== undefined) turn.usage = { tokens: event.usage, costUsd: event.costUsd };
  }

  #requested(event: EventOf<"permission.requested" | "question.requested">): void {
    const item = event.type === "permission.requested" ? items.permissionItem(event) : items.questionItem(event);
    this.#requests.set(event.requestId, item);
    this.conversation.waiting.push(item);
    this.#add(event, item);
  }

  #resolved(event: EventOf<"permission.resolved" | "question.resolved">): void {
    const item = this.#requests.get(event.requestId);
    const place = this.conversation.waiting.findIndex((waiting) => waiting === item);
    if (place !== -1) this.conversation.waiting.splice(place, 1);
    if (event.type === "permission.resolved" && item?.kind === "permission") {
      const { outcome, by, optionId, message } = event;
      item.resolution = { outcome, by, optionId, message };
    } else if (event.type === "question.resolved" && item?.kind === "question") {
      const { outcome, by, answers } = event;
      item.resolution = { outcome, by, answers };
    }
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
    const task: Task = {
      taskId,
      callId,
      taskKind: event.type === "task.started" ? event.kind : "other",
      title,
      status,
    };
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
    if (changed) this.#add(event, items.changedItem(event));
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
    const item = items.limitItem(event);
    const known = limits.findIndex((limit) => limit.window === event.window);
    // Agents tell the same again and again; a person wants to know when it changed.
    if (item.status !== (limits[known]?.status ?? "ok")) this.#add(event, item);
    limits.splice(known === -1 ? limits.length : known, 1, item);
  }
}
