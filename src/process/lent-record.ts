/** What is known of a file that Reins has changed for a while: on disk before the file is touched, so that it can always be undone. */
import * as fs from "node:fs";
import { join } from "node:path";
import { sha256 } from "./crypto.ts";
import type { LedgerOwner } from "./ledger.ts";
import { pathOf } from "./plain-file.ts";
import type { Place } from "./plain-file.ts";

/** Who needs the file as it is now. */
export type Holder = { readonly id: string } & (LedgerOwner | { readonly kept: true });

export interface LentRecord {
  readonly agent: string;
  readonly place: Place;
  /** What it had in it, Base64; null: there was none. */
  readonly before: string | null;
  readonly after: string;
  /** Folders that were made for it, the outermost first. */
  readonly made: readonly string[];
  /** Where it is written before it takes its place. */
  readonly draft: string;
  readonly holders: readonly Holder[];
}

/** The folder of the records and of their lock. */
export function lentFolder(home: string): string {
  return join(home, "lent");
}

export function lockPath(folder: string): string {
  return join(folder, "lock");
}

export function recordPath(folder: string, place: Place): string {
  return join(folder, `${sha256(pathOf(place)).slice(0, 32)}.json`);
}

/** Undefined where there is none, or none that can be understood. */
export function readRecord(path: string): LentRecord | undefined {
  try {
    const record = JSON.parse(fs.readFileSync(path, "utf8")) as Partial<LentRecord>;
    const { agent, place, before, after, made, holders, draft } = record;
    const strings = [agent, place?.root, after, draft, before ?? "", ...(place?.parts ?? [undefined]), ...(made ?? [])];
    const whole = strings.every((value) => typeof value === "string");
    return whole && Array.isArray(holders) ? (record as LentRecord) : undefined;
  } catch {
    return undefined;
  }
}

export function writeRecord(path: string, record: LentRecord): void {
  const draft = `${path}.draft`;
  const file = fs.openSync(draft, "w", 0o600);
  try {
    fs.writeFileSync(file, JSON.stringify(record));
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  fs.renameSync(draft, path);
}

export function recordsIn(folder: string): { readonly path: string; readonly record: LentRecord }[] {
  let names: string[];
  try {
    names = fs.readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const path = join(folder, name);
      const record = readRecord(path);
      return record === undefined ? [] : [{ path, record }];
    });
}
