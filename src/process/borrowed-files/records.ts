/** The record of a borrowed file. It is on disk before the file is touched, so that the change can always be undone. */
import * as fs from "node:fs";
import { join } from "node:path";
import type * as sqlite from "node:sqlite";
import { ReinsError } from "../../events/errors.ts";
import { sha256 } from "../crypto.ts";
import type { LedgerOwner } from "../stop/ledger.ts";
import { pathOf, type Place } from "./plain-file.ts";

/** A session, or `reins hooks install`, that needs the file in its changed state. */
export type Holder = { readonly id: string } & (LedgerOwner | { readonly kept: true });

export interface ChangeRecord {
  readonly agent: string;
  readonly place: Place;
  /** The content before the change, in Base64; null if there was no file. */
  readonly before: string | null;
  readonly after: string;
  /** Folders that were created for the file, the outermost first. */
  readonly made: readonly string[];
  /** The path that the content is written to before the rename. */
  readonly draft: string;
  readonly holders: readonly Holder[];
}

export function recordsFolder(home: string): string {
  return join(home, "lent");
}

export function recordPath(folder: string, place: Place): string {
  return join(folder, `${sha256(pathOf(place)).slice(0, 32)}.json`);
}

/** Returns undefined if there is no record or it cannot be read. */
export function readRecord(path: string): ChangeRecord | undefined {
  try {
    const record = JSON.parse(fs.readFileSync(path, "utf8")) as Partial<ChangeRecord>;
    const { agent, place, before, after, made, holders, draft } = record;
    const strings = [agent, place?.root, after, draft, before ?? "", ...(place?.parts ?? [undefined]), ...(made ?? [])];
    const whole = strings.every((value) => typeof value === "string");
    return whole && Array.isArray(holders) ? (record as ChangeRecord) : undefined;
  } catch {
    return undefined;
  }
}

export function writeRecord(path: string, record: ChangeRecord): void {
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

export function recordsIn(folder: string): { readonly path: string; readonly record: ChangeRecord }[] {
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

/** Each holder keeps the lock for milliseconds only. */
const patienceMs = 5_000;

/** Runs `work` in one process at a time. The kernel releases the lock with its process, however that ends. `work` must be synchronous. */
export function locked<Value>(folder: string, work: () => Value): Value {
  const { DatabaseSync } = load();
  const database = new DatabaseSync(join(folder, "lock"));
  try {
    database.exec(`PRAGMA busy_timeout = ${patienceMs}; BEGIN EXCLUSIVE`);
    return work();
  } finally {
    database.close();
  }
}

/** SQLite has the only lock in Node that a kill -9 releases. Loaded on demand; the warning that Node 22 prints is suppressed. */
function load(): typeof sqlite {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    const found = process.getBuiltinModule("node:sqlite") as typeof sqlite | undefined;
    if (found === undefined) throw new ReinsError("unsupported", "This Node has no SQLite.");
    return found;
  } finally {
    process.emitWarning = emitWarning;
  }
}
