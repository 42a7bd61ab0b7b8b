/**
 * Reads Qwen Code's transcript of a conversation for what the wire lacks: usage of earlier processes, and requests that
 * failed silently.
 */
import { open, readFile, stat } from "node:fs/promises";
import { number, parseJson, record, text, type JsonObject } from "../../protocols/json.ts";
import type { Tokens } from "../../events/types.ts";
import { addTokens } from "../../protocols/usage.ts";
import { tokens } from "./usage.ts";

/** A longer file is not summed up. */
const longest = 64 * 1024 * 1024;
/** The most that is read at once. */
const mostAdded = 4 * 1024 * 1024;

export class Transcript {
  readonly path: string;
  #read = 0;
  #reading = false;
  #failed = 0;

  constructor(path: string) {
    this.path = path;
  }

  async used(): Promise<Tokens | undefined> {
    const size = await this.#size();
    if (size === undefined) return { input: 0, output: 0, cacheRead: 0 };
    if (size > longest) return undefined;
    const content = await readFile(this.path, "utf8").catch(() => "");
    return requests(content, "qwen-code.api_response").reduce<Tokens>(
      (total, { input_token_count: input, output_token_count: output, cached_content_token_count: cached }) =>
        addTokens(total, tokens(input, output, cached)),
      { input: 0, output: 0, cacheRead: 0 },
    );
  }

  async begin(): Promise<void> {
    this.#read = (await this.#size()) ?? 0;
  }

  /** Failures since the last call that the program will retry. */
  async failures() {
    // A timer calls this, possibly before the last read is done.
    if (this.#reading) return [];
    this.#reading = true;
    const added = await this.#added().finally(() => (this.#reading = false));
    if (requests(added, "qwen-code.api_response").length > 0) this.#failed = 0;
    return (
      requests(added, "qwen-code.api_error")
        .filter((request) => text(request["subagent_id"]) === undefined)
        .map((request) => ({ status: number(request["status_code"]), said: text(request["error_message"]) ?? "" }))
        // Other failures end the turn at once.
        .filter(({ status }) => status === undefined || status === 429 || status >= 500)
        .map((failure) => ({ attempt: ++this.#failed, ...failure }))
    );
  }

  async #size(): Promise<number | undefined> {
    return (await stat(this.path).catch(() => undefined))?.size;
  }

  /** Returns whole lines only: the rest of the last one comes later. */
  async #added(): Promise<string> {
    const size = (await this.#size()) ?? 0;
    if (size <= this.#read) return "";
    const file = await open(this.path, "r").catch(() => undefined);
    if (file === undefined) return "";
    try {
      const buffer = Buffer.alloc(Math.min(size - this.#read, mostAdded));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, this.#read);
      const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
      // Skip a line that is longer than the buffer.
      this.#read += end === 0 && bytesRead === mostAdded ? bytesRead : end;
      return buffer.toString("utf8", 0, end);
    } finally {
      await file.close();
    }
  }
}

function requests(lines: string, kind: string): JsonObject[] {
  return lines.split("\n").flatMap((line) => {
    if (!line.includes(kind)) return [];
    const { subtype, systemPayload } = record(parseJson(line));
    const event = record(record(systemPayload)["uiEvent"]);
    return subtype === "ui_telemetry" && event["event.name"] === kind ? [event] : [];
  });
}
