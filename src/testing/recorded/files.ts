/** The recorded streams of a folder: this project's own recordings, and plain output, one message a line, as anybody keeps it. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { isRecord, record, text } from "../../drivers/shared/read.ts";
import type { RecordedMessage } from "../../drivers/shared/recorded.ts";
import type { Exit } from "../../process/types.ts";
import { together } from "./together.ts";

export interface RecordedFile {
  /** From the folder. */
  readonly name: string;
  readonly messages: readonly (RecordedMessage & {
    /** Where it stands in the file; those sent stand in another. */ readonly line?: number;
  })[];
  readonly exit: Exit;
  readonly stderr: string;
}

/** How the names of recorded streams end. */
export const kinds: readonly string[] = [".ndjson", ".jsonl", ".sse.txt"];

/** Every file of a folder, and of the folders in it, that may be a stream; in order. */
export async function streamsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && kinds.some((kind) => entry.name.endsWith(kind)))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !/\.stdin\.(?:ndjson|jsonl)$/.test(name))
    .toSorted();
}

/** Throws where it cannot be read as text. */
export async function readStream(folder: string, name: string): Promise<RecordedFile> {
  const path = join(folder, name);
  const stem = path.replace(/(?:\.stdout)?\.(?:ndjson|jsonl)$/, "");
  const lines = messagesIn(await readText(path));
  const sent = messagesIn((await readText(`${stem}.stdin.ndjson`).catch(() => "")) || "");
  const meta = record(parsed(await readText(`${stem}.meta.json`).catch(() => "")));
  const code = meta["code"] ?? meta["exit"];
  const signal = text(meta["signal"]) as NodeJS.Signals | undefined;
  return {
    name,
    messages: together(
      lines,
      sent.map(({ message }) => message),
    ),
    exit: { code: typeof code === "number" ? code : signal === undefined ? 0 : null, signal: signal ?? null },
    stderr: text(meta["stderr"]) ?? (await readText(`${stem}.stderr.txt`).catch(() => "")),
  };
}

async function readText(path: string): Promise<string> {
  return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
}

/** Never split at U+2028, which may stand inside a JSON text. */
function messagesIn(file: string): { dir: "in" | "out"; message: unknown; line: number }[] {
  return file.split("\n").flatMap((whole, index) => {
    // A stream of server-sent events has names and remarks, too.
    const line = whole.replace(/^data: ?/, "").trim();
    if (line === "" || /^(?::|event:|id:|retry:)/.test(line)) return [];
    return entryOf(parsed(line) ?? line).map((entry) => ({ ...entry, line: index + 1 }));
  });
}

/** A line of our own recordings says who said it; older ones wrap what is no message. */
function entryOf(message: unknown): RecordedMessage[] {
  if (!isRecord(message) || !("dir" in message) || !("t" in message)) return [{ dir: "out", message }];
  const { dir, msg, text: said } = message;
  if ((dir !== "in" && dir !== "out") || (msg === undefined && said === undefined) || msg === null) return [];
  if (record(msg)["type"] === "__text") return [{ dir, message: String(record(msg)["l"]) }];
  return [{ dir, message: msg ?? said }];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
