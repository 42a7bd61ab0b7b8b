/** Reads and replaces a user's file as a whole: never through a link, and only if it has not changed since it was read. */
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { ReinsError } from "../../events/errors.ts";

export interface PlainFile {
  readonly bytes: Buffer;
  readonly mode: number;
  /** Changes whenever the file is written. */
  readonly stamp: string;
}

const mostBytes = 1024 * 1024;

/** A file below an existing folder. */
export interface Place {
  /** The real path of the folder. */
  readonly root: string;
  readonly parts: readonly string[];
}

export function pathOf({ root, parts }: Place): string {
  return join(root, ...parts);
}

/** Lists the missing folders between the root and the file. Throws if one of them is a link or not a folder. */
export function missingFolders({ root, parts }: Place): string[] {
  const missing: string[] = [];
  let folder = root;
  for (const part of parts.slice(0, -1)) {
    folder = join(folder, part);
    const found = fs.lstatSync(folder, { throwIfNoEntry: false });
    if (found === undefined) missing.push(folder);
    else if (!found.isDirectory()) throw notPlain(folder, found.isSymbolicLink() ? "is a link" : "is not a folder");
  }
  return missing;
}

/** Returns undefined if there is no file. Throws a ReinsError if it is not a regular file. */
export function readPlain(path: string): PlainFile | undefined {
  // Windows has no O_NOFOLLOW.
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw notPlain(path, "is a link");
  // Non-blocking, because the path could be a pipe without a writer.
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  let file: number;
  try {
    file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP" || code === "EMLINK") throw notPlain(path, "is a link");
    throw error;
  }
  try {
    const stat = fs.fstatSync(file, { bigint: true });
    if (!stat.isFile()) throw notPlain(path, "is not a file");
    if (stat.nlink > 1n) throw notPlain(path, "has several hard links");
    if (stat.size > mostBytes) throw notPlain(path, "is too large");
    return { bytes: fs.readFileSync(file), mode: Number(stat.mode & 0o7777n), stamp: stampOf(stat) };
  } finally {
    fs.closeSync(file);
  }
}

/** Throws if the file must not be changed. Checks the mode bits too, because root can write everything. */
export function requireWritable(path: string, file: PlainFile | undefined): void {
  try {
    if (file !== undefined) {
      fs.accessSync(path, fs.constants.W_OK);
      if ((file.mode & 0o200) === 0) throw notPlain(path, "is read-only");
    }
    let folder = dirname(path);
    while (!fs.existsSync(folder)) folder = dirname(folder);
    fs.accessSync(folder, fs.constants.W_OK);
    if ((fs.statSync(folder).mode & 0o200) === 0) throw notPlain(folder, "is read-only");
  } catch (error) {
    throw error instanceof ReinsError ? error : notPlain(path, "is not writable");
  }
}

/** Replaces `was` (undefined: no file), or throws `Changed`. A kill leaves the old file, the new file, or the old file and the draft. */
export function replacePlain(
  path: string,
  draft: string,
  bytes: Uint8Array,
  mode: number,
  was: PlainFile | undefined,
): void {
  fs.rmSync(draft, { force: true });
  const file = fs.openSync(draft, "wx", 0o600);
  try {
    fs.writeFileSync(file, bytes);
    fs.fchmodSync(file, mode);
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  try {
    requireSame(path, was);
    if (was === undefined) create(draft, path);
    else fs.renameSync(draft, path);
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

export function removePlain(path: string, was: PlainFile): void {
  requireSame(path, was);
  fs.unlinkSync(path);
}

/** Another process wrote to the file in the meantime. */
export class Changed extends Error {}

function requireSame(path: string, was: PlainFile | undefined): void {
  const now = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if ((now && stampOf(now)) !== was?.stamp) throw new Changed(path);
}

/** Unlike a rename, a hard link does not replace a file created in the meantime. Falls back to a rename on file systems without links. */
function create(draft: string, path: string): void {
  try {
    fs.linkSync(draft, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new Changed(path);
    fs.renameSync(draft, path);
  }
}

function stampOf({ ino, size, mtimeNs, ctimeNs }: fs.BigIntStats): string {
  return [ino, size, mtimeNs, ctimeNs].join(" ");
}

function notPlain(path: string, why: string): ReinsError {
  return new ReinsError("invalid_input", `${path} ${why}, so Reins leaves it as it is.`);
}
