/** From the messages and parts that OpenCode keeps to what happened. Pure. */
import { isRecord, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { PastTurns } from "../shared/past-turns.ts";
import { errorOf } from "./errors.ts";
import { Sessions } from "./sessions.ts";
import { planOf } from "./todos.ts";
import { Calls } from "./translate-calls.ts";

export interface PastMessage {
  readonly data: Wire;
  readonly parts: readonly Wire[];
  /** ISO 8601. */
  readonly time: string | undefined;
}

export class OpenCodePast {
  readonly turns = new PastTurns();
  readonly #session: string;
  readonly #calls: Calls;

  constructor(session: string, cwd: string) {
    this.#session = session;
    this.#calls = new Calls({ cwd, servers: new Set() }, new Sessions(session));
  }

  see({ data, parts, time }: PastMessage): void {
    this.turns.at(time);
    if (data["role"] === "user") return this.#asked(parts);
    for (const part of parts) this.#part(part);
    this.turns.at(timeOf(record(data["time"])["completed"]));
    if (!isRecord(data["error"])) return;
    const error = errorOf(data["error"]);
    if (error === undefined) this.turns.end("cancelled");
    else this.turns.end(error.code === "refused" ? "refused" : "failed", error);
  }

  end(): void {
    this.turns.over();
  }

  #asked(parts: readonly Wire[]): void {
    const own = parts.filter((part) => part["synthetic"] !== true && part["ignored"] !== true);
    const said = own.flatMap((part) => (part["type"] === "text" ? (text(part["text"]) ?? []) : []));
    const files = own.filter((part) => part["type"] === "file");
    if (own.some((part) => part["type"] === "compaction"))
      return this.turns.event({ type: "context.compacted", trigger: "auto" });
    if (said.length === 0 && files.length === 0) return;
    const attachments = files.map((file) => ({
      kind: text(file["mime"])?.startsWith("image/") === true ? ("image" as const) : ("file" as const),
      name: text(file["filename"]) ?? "file",
    }));
    this.turns.prompt({ text: said.join("\n"), ...(attachments.length > 0 ? { attachments } : {}) });
  }

  #part(part: Wire): void {
    const { start } = record(part["time"] ?? record(part["state"])["time"]);
    this.turns.at(timeOf(start));
    switch (part["type"]) {
      case "text":
        if (part["ignored"] !== true) this.turns.message(text(part["text"]) ?? "");
        return;
      case "reasoning":
        return this.turns.thought(text(part["text"]) ?? "");
      case "tool":
        return this.#call(part, record(part["state"]));
    }
  }

  #call(part: Wire, state: Wire): void {
    const [callId, path] = [text(part["callID"]), text(record(state["metadata"])["filepath"])];
    // A file that was not there before is all in the input.
    if (part["tool"] === "write" && record(state["metadata"])["exists"] === false && callId !== undefined && path)
      this.#calls.held(callId, { path, existed: false, text: undefined });
    for (const event of this.#calls.part(this.#session, part, () => [])) {
      if (event.type === "tool.completed" || event.type === "tool.failed")
        this.turns.at(timeOf(record(state["time"])["end"]));
      // What it put out while it ran is all in its end.
      if (event.type !== "tool.progress") this.turns.event(event);
    }
    if (part["tool"] === "todowrite" && state["status"] === "completed")
      this.turns.event({ type: "plan.updated", entries: planOf(record(state["input"])["todos"]) });
  }
}

/** From milliseconds. */
export function timeOf(value: unknown): string | undefined {
  return typeof value === "number" && Math.abs(value) <= 8.64e15 ? new Date(value).toISOString() : undefined;
}
