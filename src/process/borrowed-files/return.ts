/** Restores a borrowed file: with its old bytes if nobody changed it since, else without the entries of Reins. */
import * as fs from "node:fs";
import { dirname } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import type { ChangeRecord } from "./records.ts";
import { Changed, missingFolders, pathOf, readPlain, removePlain, replacePlain, type PlainFile } from "./plain-file.ts";

/** Returns the text without the entries of Reins; undefined if nothing is left. */
export type Retract = (now: string) => string | undefined;

const tries = 5;

/** Returns true when no entry of Reins is left in the file. Throws when the file could not be written. */
export function giveBack(record: ChangeRecord, retract: Retract | undefined): boolean {
  fs.rmSync(record.draft, { force: true });
  const { root } = record.place;
  // If only the root folder is gone, the file went with it. If its parent is missing too, a disk may be unmounted and come back.
  if (!fs.existsSync(root)) return fs.existsSync(dirname(root));
  for (let left = tries; ; left--) {
    try {
      return giveBackOnce(record, retract);
    } catch (error) {
      if (!(error instanceof Changed) || left === 0) throw error;
    }
  }
}

function giveBackOnce(record: ChangeRecord, retract: Retract | undefined): boolean {
  const file = present(record);
  if (file === undefined) {
    removeMade(record);
    return true;
  }
  const before = record.before === null ? undefined : Buffer.from(record.before, "base64");
  if (before !== undefined && file.bytes.equals(before)) return true;
  if (file.bytes.equals(Buffer.from(record.after, "base64"))) {
    put(record, before, file);
    return true;
  }
  if (retract === undefined) return false;
  const now = file.bytes.toString("utf8");
  const text = retract(now);
  if (text !== now) put(record, text === undefined ? undefined : Buffer.from(text), file);
  return true;
}

/** Returns undefined for a link or folder that the user put in place of the file. */
function present({ place }: ChangeRecord): PlainFile | undefined {
  try {
    return missingFolders(place).length > 0 ? undefined : readPlain(pathOf(place));
  } catch (error) {
    if (error instanceof ReinsError) return undefined;
    throw error;
  }
}

function put(record: ChangeRecord, bytes: Buffer | undefined, file: PlainFile): void {
  const path = pathOf(record.place);
  if (bytes !== undefined) return replacePlain(path, record.draft, bytes, file.mode, file);
  removePlain(path, file);
  removeMade(record);
}

function removeMade({ made }: ChangeRecord): void {
  for (const folder of made.toReversed()) {
    try {
      fs.rmdirSync(folder);
    } catch {
      // The folder holds other files by now.
    }
  }
}
