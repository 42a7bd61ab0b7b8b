/** Reads the files in which agents keep conversations. Reins never writes them, and reads them in chunks because they may be long. */
import { constants } from "node:fs";
import { lstat, open, readdir, realpath, type FileHandle } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { parseJson, records, type JsonObject } from "../../../protocols/json.ts";
import { defaultLimits } from "../../../events/limits.ts";
import { readLines } from "../../../process/output/lines.ts";

/** A folder with more files than this does not hold conversations. */
const mostFiles = 100_000;

/**
 * Files below a folder whose relative path, with slashes, matches `wanted`; most recently changed first. The folder
 * itself may be a symlink, as people make for their settings; links inside it are not followed.
 */
export async function historyFiles(folder: string, depth: number, wanted: RegExp): Promise<readonly string[]> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined) return [];
  const paths: string[] = [];
  const look = async (place: string, deeper: number): Promise<void> => {
    for (const entry of await readdir(place, { withFileTypes: true }).catch(() => [])) {
      const path = join(place, entry.name);
      if (entry.isDirectory() && deeper > 0) await look(path, deeper - 1);
      if (!entry.isFile() || paths.length >= mostFiles) continue;
      if (wanted.test(relative(root, path).replaceAll(sep, "/"))) paths.push(path);
    }
  };
  await look(root, depth);
  const stats = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
  const files = paths.map((path, index) => ({ path, stat: stats[index] })).filter(({ stat }) => stat?.isFile());
  return files.toSorted((one, other) => other.stat!.mtimeMs - one.stat!.mtimeMs).map(({ path }) => path);
}

export interface HistoryLines {
  readonly entries: readonly JsonObject[];
  /** Number of lines that are too long or not JSON. */
  readonly broken: number;
}

/** The lines of a file in batches. Lines longer than `longest` count as broken. */
export async function* historyLines(
  path: string,
  longest: number = defaultLimits.lineBytes,
): AsyncGenerator<HistoryLines> {
  const file = await openFile(path);
  try {
    if (!(await file.stat()).isFile()) return;
    const chunks = file.createReadStream({ highWaterMark: 256 * 1024, autoClose: false });
    for await (const { lines, overlong } of readLines(chunks, longest)) {
      const filled = lines.filter((line) => line !== "");
      const entries = records(filled.map((line) => parseJson(line)));
      yield { entries, broken: overlong + filled.length - entries.length };
    }
  } finally {
    await file.close();
  }
}

/** Text of a small file beside the conversations; empty when it does not exist. */
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

/** Opens without following links and without blocking: the file may have become a link or a pipe since it was found. */
function openFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
}
