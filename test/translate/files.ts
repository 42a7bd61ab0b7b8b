/** Reads recorded streams: this project's recordings, and plain output with one message per line. */
import { opendir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Exit } from "../../src/process/types.ts";
import { isRecord, parseJson, record, text } from "../../src/protocols/json.ts";
import type { RecordedMessage } from "./types.ts";
import { keptNames, readKept } from "../../src/testing/wire/archive.ts";

interface NumberedMessage extends RecordedMessage {
  /** Its line in the output file; messages that were sent are in another file. */
  readonly line?: number;
}

export interface RecordedFile {
  readonly name: string;
  readonly messages: readonly NumberedMessage[];
  readonly exit: Exit;
  readonly stderr: string;
}

export const kinds: readonly string[] = [".ndjson", ".jsonl", ".sse.txt"];

/** The names of all streams in a folder and below it, sorted. */
export async function streamsIn(folder: string): Promise<string[]> {
  // Throws when it is not a folder.
  await opendir(folder).then((opened) => opened.close());
  return keptNames(folder).filter(
    (name) => kinds.some((kind) => name.endsWith(kind)) && !/\.stdin\.(?:ndjson|jsonl)$/.test(name),
  );
}

/** Throws when the file is not UTF-8. */
export async function readStream(folder: string, name: string): Promise<RecordedFile> {
  const path = join(folder, name);
  const stem = path.replace(/(?:\.stdout)?\.(?:ndjson|jsonl)$/, "");
  const beside = (suffix: string): Promise<string> => readText(`${stem}${suffix}`).catch(() => "");
  const sent = messagesIn(await beside(".stdin.ndjson")).map(({ message }) => message);
  const meta = record(parseJson(await beside(".meta.json")));
  const code = meta["code"] ?? meta["exit"];
  const signal = text(meta["signal"]) as NodeJS.Signals | undefined;
  return {
    name,
    messages: mergeSent(messagesIn(await readText(path)), sent),
    exit: { code: typeof code === "number" ? code : signal === undefined ? 0 : null, signal: signal ?? null },
    stderr: text(meta["stderr"]) ?? (await beside(".stderr.txt")),
  };
}

async function readText(path: string): Promise<string> {
  const kept = path.includes(".recordings/") ? readKept(path) : undefined;
  return kept ?? new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
}

/** Splits at LF only: U+2028 may stand inside a JSON text. */
function messagesIn(file: string): NumberedMessage[] {
  return file.split("\n").flatMap((whole, index) => {
    // A stream of server-sent events also has names and comments.
    const line = whole.replace(/^data: ?/, "").trim();
    if (line === "" || /^(?::|event:|id:|retry:)/.test(line)) return [];
    return entryOf(parseJson(line) ?? line).map((entry) => ({ ...entry, line: index + 1 }));
  });
}

/** Lines of this project's recordings have a direction; older ones wrap lines that are not JSON as `__text`. */
function entryOf(message: unknown): RecordedMessage[] {
  if (!isRecord(message) || !("dir" in message) || !("t" in message)) return [{ dir: "out", message }];
  const { dir, msg, text: said } = message;
  if ((dir !== "in" && dir !== "out") || (msg === undefined && said === undefined) || msg === null) return [];
  if (record(msg)["type"] === "__text") return [{ dir, message: String(record(msg)["l"]) }];
  return [{ dir, message: msg ?? said }];
}

/** Inserts messages from a separate file between the printed lines, as far as their ids tell where. */
export function mergeSent(lines: readonly NumberedMessage[], sent: readonly unknown[]): NumberedMessage[] {
  const queue = sent.map((message): RecordedMessage => ({ dir: "in", message }));
  // Without ids the order is unknown: assume that everything was sent first.
  if (!sent.some(isRequest)) return [...queue, ...lines];
  const merged: NumberedMessage[] = [];
  const asked = new Set<unknown>();
  /** Our request that has no answer yet. */
  let waiting: unknown;

  const send = (): void => {
    const next = queue.shift()!;
    merged.push(next);
    if (isRequest(next.message)) waiting = record(next.message)["id"];
  };
  const maySend = (message: unknown): boolean => {
    if (isRequest(message)) return waiting === undefined;
    const { method, id } = record(message);
    return method !== undefined || asked.has(id);
  };
  const sendAllThatMay = (): void => {
    while (queue.length > 0 && maySend(queue[0]!.message)) send();
  };

  sendAllThatMay();
  for (const line of lines) {
    const { id, method } = record(line.message);
    const answers = method === undefined && id !== undefined;
    // An answer proves that its request was sent before, whatever else is pending.
    while (answers && id !== waiting && queue.some(({ message }) => isRequest(message) && record(message)["id"] === id))
      send();
    merged.push(line);
    if (answers && id === waiting) waiting = undefined;
    if (method !== undefined && id !== undefined) asked.add(id);
    sendAllThatMay();
  }
  return [...merged, ...queue];
}

function isRequest(message: unknown): boolean {
  return isRecord(message) && typeof message["method"] === "string" && message["id"] !== undefined;
}
