/** Splits the bytes of an event stream (SSE) into events. A chunk may end inside a line or a character. */
import { LineSplitter } from "../../process/output/lines.ts";
import type { ServerEvent } from "./client.ts";

const LF = 10;
const CR = 13;

export interface FrameBatch {
  readonly events: readonly ServerEvent[];
  /** Number of events over the limit, which are left out. */
  readonly overlong: number;
}

export class Frames {
  /** The id of the last event that had one; a new connection continues after it. */
  lastId: string;
  /** How long to wait before a new connection, if the stream says so. */
  retryMs: number | undefined;
  readonly #lines: LineSplitter;
  readonly #maxBytes: number;
  #isFirst = true;
  #afterCr = false;
  #type = "";
  #data: string[] = [];
  #length = 0;
  #tooLong = false;

  constructor(maxBytes: number, lastId = "") {
    this.#maxBytes = maxBytes;
    this.#lines = new LineSplitter(maxBytes);
    this.lastId = lastId;
  }

  push(chunk: Uint8Array): FrameBatch {
    const events: ServerEvent[] = [];
    const batch = this.#lines.push(this.#withLf(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)));
    let overlong = batch?.overlong ?? 0;
    for (const read of batch?.lines ?? []) {
      const line = this.#isFirst ? read.replace(/^\uFEFF/, "") : read;
      this.#isFirst = false;
      if (line !== "") this.#field(line);
      else if (this.#tooLong) overlong++;
      else if (this.#data.length > 0)
        events.push({ type: this.#type || "message", data: this.#data.join("\n"), id: this.lastId });
      if (line === "") this.#begin();
    }
    return { events, overlong };
  }

  /** A line may end with CR alone. An LF at the start of the next chunk then belongs to that CR. */
  #withLf(chunk: Buffer): Buffer {
    const from = this.#afterCr && chunk[0] === LF ? 1 : 0;
    if (chunk.length > 0) this.#afterCr = chunk.at(-1) === CR;
    if (!chunk.includes(CR)) return chunk.subarray(from);
    return Buffer.from(chunk.toString("latin1", from).replace(/\r\n?/g, "\n"), "latin1");
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    // A comment, which only keeps the connection open.
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") this.#add(value);
    else if (name === "event") this.#type = value;
    else if (name === "id" && !value.includes("\0")) this.lastId = value;
    else if (name === "retry" && /^\d{1,9}$/.test(value)) this.retryMs = Number(value);
  }

  #add(value: string): void {
    this.#length += value.length;
    this.#tooLong ||= this.#length > this.#maxBytes;
    if (this.#tooLong) this.#data = [];
    else this.#data.push(value);
  }

  #begin(): void {
    this.#type = "";
    this.#data = [];
    this.#length = 0;
    this.#tooLong = false;
  }
}
