import { rename, rm, stat } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { ReinsError } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { ExportFormat } from "../view/index.ts";
import { exportSession } from "../view/index.ts";
import { withReins } from "./asking.ts";
import { untilEnding } from "./ending.ts";
import { safeFor } from "./safe-text.ts";
import { Screen, writeOut } from "./screen.ts";

export interface ExportCommand {
  readonly format?: ExportFormat;
  readonly output?: string;
  readonly thoughts?: boolean;
}

/** `reins export`: a session to take along. */
export async function exportOne(name: string, options: ExportCommand, ending: AbortSignal): Promise<void> {
  const { output, thoughts } = options;
  const format = options.format ?? formatOf(output);
  await withReins(async (reins) => {
    const { id, title } = await reins.sessions.get(name);
    const pieces = exportSession(batched(reins.sessions.events(id)), { format, title, thoughts });
    if (output !== undefined) return toFile(pieces, output, ending);
    const safe = format === "jsonl" ? (text: string) => text : safeFor(process.stdout);
    for await (const piece of until(ending, pieces)) await writeOut(safe(piece));
  });
}

const byEnding: Readonly<Record<string, ExportFormat>> = {
  ".md": "md",
  ".markdown": "md",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".html": "html",
  ".htm": "html",
};

function formatOf(output: string | undefined): ExportFormat {
  return byEnding[extname(output ?? "").toLowerCase()] ?? "md";
}

/** Few events at a time, so that a long session goes through and does not pile up. */
async function* batched(events: AsyncIterable<ReinsEvent>): AsyncGenerator<readonly ReinsEvent[]> {
  let batch: ReinsEvent[] = [];
  for await (const event of events) {
    batch.push(event);
    if (batch.length < 500) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function* until(ending: AbortSignal, pieces: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    for (;;) {
      const next = await untilEnding(ending, pieces.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await pieces.return(undefined);
  }
}

/** Into a file beside it first: one that was there stays whole until the new one is. */
async function toFile(pieces: AsyncGenerator<string>, output: string, ending: AbortSignal): Promise<void> {
  const there = await stat(output).catch(() => undefined);
  // Whoever may replace a device or a pipe would.
  if (there?.isFile() === false)
    throw new ReinsError("invalid_input", `${output} is ${there.isDirectory() ? "a folder" : "no file"}.`, {
      help: "Name a file: `-o session.html`.",
    });
  const partial = `${output}.${process.pid}.part`;
  try {
    await pipeline(until(ending, pieces), createWriteStream(partial, { flags: "wx" }));
    await rename(partial, output);
  } catch (thrown) {
    await rm(partial, { force: true });
    const { code } = thrown as NodeJS.ErrnoException;
    if (typeof code !== "string" || !code.startsWith("E")) throw thrown;
    throw new ReinsError("invalid_input", `${output} could not be written: ${words[code] ?? code}.`);
  }
  const { size } = await stat(output);
  new Screen().line(`Wrote ${output}, ${Math.ceil(size / 1000)} kB.`);
}

const words: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EACCES: "it is not allowed",
  EPERM: "it is not allowed",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
};
