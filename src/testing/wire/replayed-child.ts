import type { Child, Exit, LineBatch } from "../../process/types.ts";
import { parseJson } from "../../protocols/json.ts";
import { Gates } from "../barriers.ts";
import { answeredId, emptyAnswer, renamed, requestId, sameKind, withAnsweredId } from "./match.ts";
import { lineOf, type Recording, type WireEntry } from "./record.ts";

/** Options of a replay. */
export interface ReplayOptions {
  /** Replies to a message that is not in the recording. Default: an empty answer to a request, otherwise nothing. */
  readonly reply?: ((message: unknown) => readonly unknown[]) | undefined;
  /** How long to wait for a recorded input before the replay fails. Default: 5,000. */
  readonly deadlineMs?: number | undefined;
}

/** Above the highest pid of Linux, so that no signal to this pid can hit a process. */
const noPid = 4_194_305;
const usualDeadline = 5_000;

/**
 * Plays a recording: prints what was printed and, at each recorded input, waits until the live driver writes a message of the same kind.
 * Ids of the driver's requests replace the recorded ids in their answers, and its UUIDs everywhere.
 */
export class ReplayedChild implements Child {
  readonly pid = noPid;
  readonly exited: Promise<Exit>;
  readonly lines: AsyncIterable<LineBatch>;
  readonly inputs: unknown[] = [];
  readonly #rest: WireEntry[];
  readonly #recording: Recording;
  readonly #options: ReplayOptions;
  readonly #exit = Promise.withResolvers<Exit>();
  readonly #liveIds = new Map<unknown, unknown>();
  readonly #renamed = new Map<string, string>();
  readonly #gates: Gates;
  readonly #left = new AbortController();
  readonly #replies: string[] = [];
  readonly #unmatched: unknown[] = [];
  #unfinished = "";
  #closed = false;
  #gone = false;
  #problem = "";
  #news = Promise.withResolvers<void>();

  constructor(recording: Recording, options: ReplayOptions = {}, gates: Gates = new Gates()) {
    this.#recording = recording;
    this.#rest = [...recording.entries];
    this.#options = options;
    this.#gates = gates;
    this.exited = this.#exit.promise;
    this.lines = this.#play();
  }

  write(text: string): Promise<void> {
    const parts = (this.#unfinished + text).split("\n");
    this.#unfinished = parts.pop() ?? "";
    for (const line of parts) this.#hear(parseJson(line, line));
    this.#wake();
    return Promise.resolve();
  }

  closeStdin(): void {
    this.#closed = true;
    if (!this.#rest.some((entry) => entry.dir === "out")) this.#leave();
    this.#wake();
  }

  stderrTail(): string {
    return this.#problem === "" ? (this.#recording.meta?.stderr ?? "") : this.#problem;
  }

  stop(): Promise<Exit> {
    this.#leave({ code: null, signal: "SIGTERM" });
    return this.exited;
  }

  /** True when the replay waits for a new request. Answers of the driver itself do not count. */
  get isCaughtUp(): boolean {
    const next = this.#rest[0];
    return next === undefined || (next.dir === "in" && !this.#arrives(next) && answeredId(said(next)) === undefined);
  }

  #hear(message: unknown): void {
    this.inputs.push(message);
    if (this.#rest.some((entry) => entry.dir === "in" && sameKind(said(entry), message))) this.#unmatched.push(message);
    else {
      const empty = emptyAnswer(message);
      const replies = this.#options.reply?.(message) ?? (empty === undefined ? [] : [empty]);
      this.#replies.push(...replies.map((reply) => JSON.stringify(reply)));
    }
  }

  async *#play(): AsyncGenerator<LineBatch> {
    while (!this.#gone) {
      if (this.#replies.length > 0) yield { lines: this.#replies.splice(0), overlong: 0 };
      const entry = this.#rest[0];
      if (entry === undefined) {
        if (this.#endsByItself()) return this.#leave();
        await this.#news.promise;
      } else if (entry.dir === "out") yield { lines: this.#takeOutputs(), overlong: 0 };
      else if (entry.dir === "mark") {
        await this.#gates.wait(entry.mark, this.#left.signal);
        this.#rest.shift();
      } else if (entry.dir === "sig" || this.#arrived(entry)) this.#rest.shift();
      else await this.#newsOrDeadline(entry);
    }
  }

  /** Lines printed without an input between them arrive as one batch. */
  #takeOutputs(): string[] {
    const next = this.#rest.findIndex((entry) => entry.dir !== "out");
    return this.#rest.splice(0, next === -1 ? this.#rest.length : next).map((entry) => this.#lineNow(entry));
  }

  #lineNow(entry: WireEntry): string {
    if (!("msg" in entry)) return lineOf(entry) ?? "";
    const live = this.#liveIds.get(answeredId(entry.msg));
    let line = JSON.stringify(live === undefined ? entry.msg : withAnsweredId(entry.msg, live));
    for (const [recorded, now] of this.#renamed) line = line.replaceAll(recorded, now);
    return line;
  }

  #arrives(entry: WireEntry): boolean {
    if ("eof" in entry) return this.#closed;
    return this.#unmatched.some((message) => sameKind(said(entry), message));
  }

  #arrived(entry: WireEntry): boolean {
    if (!this.#arrives(entry) || "eof" in entry) return this.#closed && "eof" in entry;
    const recorded = said(entry);
    // Take only one, because several lines may be equal.
    const [live] = this.#unmatched.splice(
      this.#unmatched.findIndex((message) => sameKind(recorded, message)),
      1,
    );
    for (const [before, now] of renamed(recorded, live)) this.#renamed.set(before, now);
    if (requestId(recorded) !== undefined) this.#liveIds.set(requestId(recorded), requestId(live));
    return true;
  }

  async #newsOrDeadline(entry: WireEntry): Promise<void> {
    // The end of stdin comes when the caller is done, so it has no deadline; other inputs follow within moments.
    if ("eof" in entry) return this.#news.promise;
    const timer = setTimeout(() => {
      this.#problem = `The replay waited too long for ${(lineOf(entry) ?? "").slice(0, 300)}`;
      this.#leave({ code: 1, signal: null });
    }, this.#options.deadlineMs ?? usualDeadline);
    await this.#news.promise;
    clearTimeout(timer);
  }

  /**
   * A process that was not told about the end of its input ended by itself, or still ran. A process that was told may have been stopped
   * later.
   */
  #endsByItself(): boolean {
    const { entries, meta } = this.#recording;
    const told = entries.some((entry) => "eof" in entry);
    const stopped = meta?.code === 143 || meta?.signal === "SIGTERM";
    return told ? this.#closed && !stopped : meta !== undefined;
  }

  #leave(exit?: Exit): void {
    this.#gone = true;
    this.#left.abort();
    const { code = 0, signal = null } = this.#recording.meta ?? {};
    this.#exit.resolve(exit ?? { code, signal });
    this.#wake();
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}

const said = (entry: WireEntry): unknown => ("msg" in entry ? entry.msg : "text" in entry ? entry.text : undefined);
