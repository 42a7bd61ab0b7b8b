/** Subagents: threads of their own in the same process. Each belongs to the call that started it, and may outlive its turn. */
import type { AgentEvent, TaskStatus } from "../../events/types.ts";
import { record, text, texts } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

interface Subagent {
  readonly callId: string;
  /** Of the call itself. */
  readonly parent: string | undefined;
  running: boolean;
  turnId: string | undefined;
  said: string | undefined;
}

export class Subagents {
  readonly #threads = new Map<string, Subagent>();

  /** The call that started the thread. */
  parentOf(threadId: string): string | undefined {
    return this.#threads.get(threadId)?.callId;
  }

  /** The taskIds that go on when the turn ends. */
  get running(): string[] {
    return [...this.#threads].filter(([, { running }]) => running).map(([threadId]) => threadId);
  }

  /** What can be interrupted. */
  get turns(): { threadId: string; turnId: string }[] {
    return [...this.#threads].flatMap(([threadId, { running, turnId }]) =>
      running && turnId !== undefined ? [{ threadId, turnId }] : [],
    );
  }

  /** After a call that started some, waited for some or ended some. */
  after(item: Wire, callId: string, parent: string | undefined): AgentEvent[] {
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

  /** It works: for the first time, or again because it was told more. */
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

  turnEnded(threadId: string, turn: Wire): AgentEvent[] {
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
