/** Texts of each thread, and the threads of subagents. */
import type { AgentEvent, TaskStatus } from "../../events/types.ts";
import { record, text, texts } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";

type Kind = "message" | "thought";

interface Open {
  readonly kind: Kind;
  readonly threadId: string;
  readonly parent: string | undefined;
  readonly messageId: string;
  said: string;
  /** The source of the pieces: a summary of the thinking, or the thinking itself. */
  channel: string;
  part: unknown;
}

const nothing: readonly AgentEvent[] = Object.freeze([]);

/** Messages and thoughts, from pieces and from whole items. An item that is cut off is never completed. */
export class Texts {
  readonly #prefix: string;
  readonly #open = new Map<string, Open>();
  #count = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  piece(
    kind: Kind,
    params: JsonObject,
    threadId: string,
    parent: string | undefined,
    channel = "text",
  ): readonly AgentEvent[] {
    const { itemId, delta } = params;
    if (typeof itemId !== "string" || typeof delta !== "string" || delta === "") return nothing;
    let open = this.#open.get(itemId);
    const part = params["summaryIndex"] ?? params["contentIndex"];
    if (open === undefined) {
      open = { kind, threadId, parent, messageId: this.#nextId(), said: "", channel, part };
      this.#open.set(itemId, open);
    }
    if (open.channel !== channel) return nothing;
    const said = open.part === part ? delta : `\n\n${delta}`;
    open.part = part;
    open.said += said;
    return [{ type: `${kind}.delta`, messageId: open.messageId, text: said, parent: open.parent }];
  }

  /** A whole item: the end of a streamed text, or all of it. */
  whole(kind: Kind, item: JsonObject, parent: string | undefined): readonly AgentEvent[] {
    const id = text(item["id"]) ?? "";
    const open = this.#open.get(id);
    this.#open.delete(id);
    const said = wholeText(kind, item) || (open?.said ?? "");
    if (said === "") return nothing;
    const messageId = open?.messageId ?? this.#nextId();
    return [{ type: `${kind}.completed`, messageId, text: said, parent: open?.parent ?? parent }];
  }

  discarded(threadId: string, reason: "retry" | "steered"): readonly AgentEvent[] {
    return this.#end(threadId, ({ messageId, parent }) => ({ type: "message.discarded", messageId, reason, parent }));
  }

  /** Nothing more comes of this thread, so its texts are complete. */
  ended(threadId?: string): readonly AgentEvent[] {
    return this.#end(threadId, ({ kind, messageId, said, parent }) => ({
      type: `${kind}.completed`,
      messageId,
      text: said,
      parent,
    }));
  }

  #end(threadId: string | undefined, how: (open: Open) => AgentEvent): readonly AgentEvent[] {
    const events: AgentEvent[] = [];
    for (const [itemId, open] of this.#open) {
      if (threadId !== undefined && open.threadId !== threadId) continue;
      this.#open.delete(itemId);
      events.push(how(open));
    }
    return events;
  }

  #nextId(): string {
    return `${this.#prefix}m${++this.#count}`;
  }
}

function wholeText(kind: Kind, item: JsonObject): string {
  if (kind === "message") return text(item["text"]) ?? "";
  const summary = texts(item["summary"]);
  return (summary.length > 0 ? summary : texts(item["content"])).join("\n\n");
}

interface Subagent {
  readonly callId: string;
  /** The parent of that call. */
  readonly parent: string | undefined;
  running: boolean;
  turnId: string | undefined;
  said: string | undefined;
}

/** Subagents are threads in the same process. Each belongs to the call that started it, and may outlive its turn. */
export class Subagents {
  readonly #threads = new Map<string, Subagent>();

  parentOf(threadId: string): string | undefined {
    return this.#threads.get(threadId)?.callId;
  }

  get running(): string[] {
    return [...this.#threads].filter(([, { running }]) => running).map(([threadId]) => threadId);
  }

  get turns(): { threadId: string; turnId: string }[] {
    return [...this.#threads].flatMap(([threadId, { running, turnId }]) =>
      running && turnId !== undefined ? [{ threadId, turnId }] : [],
    );
  }

  after(item: JsonObject, callId: string, parent: string | undefined): AgentEvent[] {
    const events: AgentEvent[] = [];
    if (item["tool"] === "spawnAgent") {
      for (const threadId of texts(item["receiverThreadIds"]))
        events.push(...this.started(threadId, callId, parent, text(item["prompt"]) ?? "Subagent"));
    }
    if (item["tool"] === "closeAgent")
      for (const threadId of texts(item["receiverThreadIds"])) events.push(...this.ended(threadId, "stopped"));
    return events;
  }

  started(threadId: string, callId: string, parent: string | undefined, title: string): AgentEvent[] {
    if (this.#threads.has(threadId)) return [];
    this.#threads.set(threadId, { callId, parent, running: true, turnId: undefined, said: undefined });
    return [{ type: "task.started", taskId: threadId, callId, kind: "subagent", title, status: "running", parent }];
  }

  /** The subagent works: for the first time, or again after more input. */
  turnStarted(threadId: string, turnId: string | undefined): AgentEvent[] {
    const subagent = this.#threads.get(threadId);
    if (subagent === undefined) return [];
    const again = !subagent.running;
    subagent.running = true;
    subagent.turnId = turnId;
    const { callId, parent } = subagent;
    const events: AgentEvent[] = again
      ? [{ type: "task.updated", taskId: threadId, callId, status: "running", parent }]
      : [];
    return [...events, { type: "turn.phase", phase: "model", parent: callId }];
  }

  said(threadId: string, words: string | undefined): void {
    const subagent = this.#threads.get(threadId);
    if (subagent !== undefined && words !== undefined) subagent.said = words;
  }

  turnEnded(threadId: string, turn: JsonObject): AgentEvent[] {
    const error = text(record(turn["error"])["message"]);
    const status = turn["status"] === "completed" ? "completed" : turn["status"] === "failed" ? "failed" : "stopped";
    return this.ended(threadId, status, error);
  }

  ended(threadId: string, status: TaskStatus, why?: string): AgentEvent[] {
    const subagent = this.#threads.get(threadId);
    if (subagent?.running !== true) return [];
    subagent.running = false;
    subagent.turnId = undefined;
    const { callId, parent, said } = subagent;
    return [{ type: "task.updated", taskId: threadId, callId, status, summary: why ?? said, parent }];
  }
}
