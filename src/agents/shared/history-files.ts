/** The files an agent keeps its conversations in. They are only read, one line after the other, however long they are. */
import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { isRecord } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { defaultLimits } from "../../events/limits.ts";
import { readLines } from "../../process/lines.ts";

export interface HistoryFile {
  readonly path: string;
  /** In milliseconds. */
  readonly modified: number;
}

/** A folder with more than this in it is nobody's conversations. */
const mostFiles = 100_000;

/**
 * The files below a folder, the last changed first; `wanted` is asked about the path from there, with slashes. The folder itself may be
 * a link, as people make for their settings; nothing within it that is one is followed.
 */
export async function historyFiles(
  folder: string,
  depth: number,
  wanted: (path: string) => boolean,
): Promise<readonly HistoryFile[]> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return [];
  const paths: string[] = [];
  const look = async (place: string, deeper: number): Promise<void> => {
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => [])) {
      const path = join(place, entry.name);
      if (entry.isDirectory() && deeper > 0) await look(path, deeper - 1);
      if (!entry.isFile() || paths.length >= mostFiles) continue;
      if (wanted(relative(root, path).replaceAll(sep, "/"))) paths.push(path);
    }
  };
  await look(root, depth);
  const found = await Promise.all(
    paths.map(async (path) => ({ path, stat: await lstat(path).catch(() => undefined) })),
  );
  const files = found.flatMap(({ path, stat }) => (stat?.isFile() === true ? [{ path, modified: stat.mtimeMs }] : []));
  return files.toSorted((one, other) => other.modified - one.modified);
}

export interface HistoryLines {
  readonly entries: readonly Wire[];
  /** Lines that are too long, or no JSON. */
  readonly broken: number;
}

/** Its lines of JSON, in batches. Those longer than `longest` are counted as broken. */
export async function* historyLines(
  path: string,
  longest: number = defaultLimits.lineBytes,
): AsyncGenerator<HistoryLines> {
  const file = await openFile(path);
  try {
    if (!(await file.stat()).isFile()) return;
    const chunks = file.createReadStream({ highWaterMark: 256 * 1024, autoClose: false });
    for await (const { lines, overlong } of readLines(chunks, longest)) {
      const entries = lines.filter((line) => line !== "").map(parsed);
      const good = entries.filter((entry) => entry !== undefined);
      yield { entries: good, broken: overlong + entries.length - good.length };
    }
  } finally {
    await file.close();
  }
}

/** A small file beside them, as text; empty where there is none of that kind. */
export async function historyNote(path: string): Promise<string> {
  const file = await openFile(path).catch(() => undefined);
  try {
    const found = await file?.stat();
    return found?.isFile() === true && found.size <= longestNote ? await file!.readFile("utf8") : "";
  } catch {
    return "";
  } finally {
    await file?.close();
  }
}

const longestNote = 16 * 1024;

/** It may have become a link or a pipe since it was found. */
function openFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
}

function parsed(line: string): Wire | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
