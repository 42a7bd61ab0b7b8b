/** Texts of each thread, and the threads of subagents. */
import type { AgentEvent, TaskStatus } from "../../events/types.ts";
import { record, text, texts, type JsonObject } from "../../protocols/json.ts";
import { StreamedTexts, type StreamedText } from "../shared/texts.ts";

type Kind = "message" | "thought";

interface CodexText extends StreamedText {
  /** The source of the pieces: a summary of the thinking, or the thinking itself. */
  readonly channel: string;
  part: unknown;
}

/** Messages and thoughts, from pieces and from whole items. An item that is cut off is never completed. */
export class Texts extends StreamedTexts<CodexText> {
  readonly #prefix: string;
  #count = 0;

  constructor(prefix: string) {
    super({ reusesIds: true });
    this.#prefix = prefix;
  }

  delta(kind: Kind, params: JsonObject, thread: string, parent: string | undefined, channel = "text"): AgentEvent[] {
    const { itemId, delta, summaryIndex, contentIndex } = params;
    if (typeof itemId !== "string" || typeof delta !== "string" || delta === "") return [];
    const part = summaryIndex ?? contentIndex;
    this.#begin(itemId, { kind, thread, parent, channel, part });
    const text = this.find(itemId)!;
    if (text.channel !== channel) return [];
    const isNext = text.part !== part;
    text.part = part;
    return this.piece(itemId, isNext ? `\n\n${delta}` : delta);
  }

  /** Takes a whole item: the end of a streamed text, or all of it. */
  whole(kind: Kind, item: JsonObject, thread: string, parent: string | undefined): AgentEvent[] {
    const id = text(item["id"]) ?? "";
    const said = wholeText(kind, item);
    if (said !== "") this.#begin(id, { kind, thread, parent, channel: "text", part: undefined });
    return this.end(id, said);
  }

  #begin(id: string, about: Omit<CodexText, "messageId">): void {
    if (this.find(id) === undefined) this.begin(id, { ...about, messageId: `${this.#prefix}m${++this.#count}` });
  }
}

function wholeText(kind: Kind, item: JsonObject): string {
  if (kind === "message") return text(item["text"]) ?? "";
  const summary = texts(item["summary"]);
  return (summary.length > 0 ? summary : texts(item["content"])).join("\n\n");
}

interface Subagent {
  readonly callId: string;
  readonly parent: string | undefined;
  running: boolean;
  turnId: string | undefined;
  said: string | undefined;
}

/** Subagents are threads in the same process. Each belongs to the call that started it and may outlive its turn. */
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
    const title = text(item["prompt"]) ?? "Subagent";
    const threads = texts(item["receiverThreadIds"]);
    if (item["tool"] === "closeAgent") return threads.flatMap((threadId) => this.ended(threadId, "stopped"));
    if (item["tool"] !== "spawnAgent") return [];
    return threads.flatMap((threadId) => this.started(threadId, callId, parent, title));
  }

  started(threadId: string, callId: string, parent: string | undefined, title: string): AgentEvent[] {
    if (this.#threads.has(threadId)) return [];
    this.#threads.set(threadId, { callId, parent, running: true, turnId: undefined, said: undefined });
    return [{ type: "task.started", taskId: threadId, callId, kind: "subagent", title, status: "running", parent }];
  }

  /** The subagent starts to work, or continues after more input. */
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
