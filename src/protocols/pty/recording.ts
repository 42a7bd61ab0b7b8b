/** Records the output of a terminal in an asciicast file (version 2), which other players can show too. Input is not recorded. */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { ReinsError } from "../../events/errors.ts";
import type { Redactor, StreamRedactor } from "../../events/redact.ts";
import { parseJson, record, text } from "../json.ts";

export interface RecordingHeader {
  readonly columns: number;
  readonly rows: number;
  /** When the recording began, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly title: string;
}

export interface RecordedEvent {
  /** Seconds since the beginning. */
  readonly time: number;
  /** Output, a new size (`80x24`), a note from Reins, or the exit with its code. */
  readonly kind: "output" | "resize" | "note" | "exit";
  readonly text: string;
}

export interface Recording extends RecordingHeader {
  readonly events: readonly RecordedEvent[];
}

const letters = { output: "o", resize: "r", note: "m", exit: "x" } as const;
const kinds = new Map(
  Object.entries(letters).map(([kind, letter]) => [letter as string, kind as RecordedEvent["kind"]]),
);

/** A longer recording stops with a note. */
export const longestRecordingBytes = 16 * 1024 * 1024;
/** Output within this time becomes one event and one write. A kill loses at most this much. */
const flushMs = 100;
/** Notes one after the other, without output between them: detached, and attached again. */
const mostNotes = 2;

export interface RecorderOptions extends RecordingHeader {
  readonly path: string;
  readonly redact: Redactor;
  readonly longestBytes?: number | undefined;
  readonly now?: (() => number) | undefined;
}

export class TerminalRecorder {
  readonly #file: number;
  readonly #decoder = new TextDecoder();
  readonly #redact: StreamRedactor;
  readonly #longestBytes: number;
  readonly #startedAt: number;
  readonly #now: () => number;
  #bytes = 0;
  #waiting = "";
  #timer: NodeJS.Timeout | undefined;
  #full = false;
  #closed = false;
  /** Notes since the last output or size. Further ones are only counted: somebody may come and go all day. */
  #notes = 0;

  constructor({ path, redact, longestBytes = longestRecordingBytes, now = Date.now, ...header }: RecorderOptions) {
    this.#file = openSync(path, "wx", 0o600);
    this.#redact = redact.stream();
    this.#longestBytes = longestBytes;
    this.#startedAt = header.startedAt;
    this.#now = now;
    const { columns: width, rows: height, startedAt, title } = header;
    this.#write(lineOf({ version: 2, width, height, timestamp: Math.floor(startedAt / 1_000), title: redact(title) }));
  }

  output(bytes: Buffer): void {
    if (this.#full || this.#closed) return;
    // The redactor keeps back an end that may be the beginning of a secret.
    this.#waiting += this.#redact.push(this.#decoder.decode(bytes, { stream: true }));
    this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref();
  }

  resize(columns: number, rows: number): void {
    this.#flush();
    this.#event("resize", `${columns}x${rows}`);
  }

  note(words: string): void {
    this.#flush();
    this.#notes++;
    if (this.#notes <= mostNotes) this.#event("note", words);
  }

  /** May be called more than once. */
  close(exitCode: number): void {
    if (this.#closed) return;
    this.#waiting += this.#redact.push(this.#decoder.decode()) + this.#redact.flush();
    this.#flush();
    this.#event("exit", String(exitCode));
    this.#closed = true;
    closeSync(this.#file);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === "") return;
    const waiting = this.#waiting;
    this.#waiting = "";
    this.#event("output", waiting);
  }

  #event(kind: RecordedEvent["kind"], words: string): void {
    if (this.#closed || (this.#full && kind !== "exit")) return;
    if (kind !== "note") this.#countNotes();
    const time = Math.max(0, Math.round(this.#now() - this.#startedAt) / 1_000);
    const line = lineOf([time, letters[kind], words]);
    // A control character takes six bytes in the file, so measure the line, not the text.
    if (!this.#full && this.#bytes + line.length > this.#longestBytes) {
      this.#full = true;
      this.#write(lineOf([time, letters.note, "The recording is full; later output is not recorded."]));
      if (kind !== "exit") return;
    }
    this.#write(line);
  }

  /** One note for all that were left out. */
  #countNotes(): void {
    const left = this.#notes - mostNotes;
    this.#notes = 0;
    if (left > 0) this.#event("note", `${left} more notes of the same kind`);
  }

  #write(line: Buffer): void {
    this.#bytes += line.length;
    try {
      writeSync(this.#file, line);
    } catch {
      // A full disk must not end the program on the terminal.
      this.#full = true;
    }
  }
}

function lineOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}

/** Reads a recording from any source. Skips invalid lines. */
export function readRecording(path: string): Recording {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (cause) {
    throw new ReinsError("invalid_input", `The recording ${path} cannot be read.`, { cause });
  }
  const [first = "", ...lines] = content.split("\n");
  const header = record(parseJson(first));
  const [columns, rows] = [Number(header["width"]), Number(header["height"])];
  if (header["version"] !== 2 || !(columns >= 1) || !(rows >= 1))
    throw new ReinsError("invalid_input", `${path} is not a terminal recording (asciicast, version 2).`);
  const startedAt = Number(header["timestamp"] ?? 0) * 1_000;
  return { columns, rows, startedAt, title: text(header["title"]) ?? "", events: lines.flatMap(eventIn) };
}

function eventIn(line: string): RecordedEvent[] {
  const parsed: unknown = parseJson(line);
  if (!Array.isArray(parsed)) return [];
  const [time, letter, words] = parsed as unknown[];
  const kind = typeof letter === "string" ? kinds.get(letter) : undefined;
  if (typeof time !== "number" || kind === undefined || typeof words !== "string") return [];
  return [{ time, kind, text: words }];
}
