/** The database file of a store: opened on first use, migrated to the current version, and moved aside when damaged. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { ReinsError } from "../events/errors.ts";
import { steps } from "./schema.ts";
import type { DatabaseSync, StatementResultingChanges, StatementSync } from "node:sqlite";
import { isDamaged, openFile, reasonOf, troubleOf } from "./sqlite.ts";

/** How long to wait for another process. A transaction of Reins takes a millisecond or two. */
const busyMs = 10_000;

const reads = /^\s*(?:SELECT|PRAGMA)/;

type Value = string | number | undefined;
const orNull = (value: Value): string | number | null => value ?? null;

export class Database {
  readonly path: string;
  #file: DatabaseSync | undefined;
  #trouble: string | undefined;
  #warning: string | undefined;
  #closed = false;
  /** Inode of the opened file, which stays the same when the file is renamed. */
  #identity = "";
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string) {
    this.path = path;
  }

  /** Why the store cannot be used, as a sentence. Undefined when it works. */
  get trouble(): string | undefined {
    if (this.#file === undefined && this.#trouble === undefined && !this.#closed) this.#open();
    return this.#trouble;
  }

  /** A warning about a store that still works. Returned once. */
  takeWarning(): string | undefined {
    const warning = this.#warning;
    this.#warning = undefined;
    return warning;
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** Returns a prepared statement and caches it. Throws a ReinsError when the store cannot be used. */
  sql(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#usable().prepare(text);
      // Every change returns the last row id. For the search table it may exceed the safe integers, so read it as bigint.
      if (!reads.test(text)) statement.setReadBigInts(true);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  row<Row>(text: string, values: readonly Value[] = []): Row | undefined {
    return this.sql(text).get(...values.map(orNull)) as Row | undefined;
  }

  rows<Row>(text: string, values: readonly Value[] = []): Row[] {
    return this.sql(text).all(...values.map(orNull)) as Row[];
  }

  run(text: string, values: readonly Value[] = []): StatementResultingChanges {
    return this.sql(text).run(...values.map(orNull));
  }

  /** Runs `work` in a transaction that sees all committed writes of other processes and blocks new ones. */
  transaction<Result>(work: () => Result): Result {
    this.run("BEGIN IMMEDIATE");
    try {
      this.#refuseNewer();
      const result = work();
      this.run("COMMIT");
      return result;
    } catch (thrown) {
      this.#rollBack();
      this.#remember(thrown);
      throw thrown;
    }
  }

  /** Converts SQLite errors to a ReinsError with one sentence. */
  reading<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (thrown) {
      if (thrown instanceof ReinsError) throw thrown;
      this.#remember(thrown);
      throw new ReinsError("internal", `The store ${this.path} cannot be used: ${reasonOf(thrown)}.`, {
        cause: thrown,
      });
    }
  }

  close(): void {
    this.#closed = true;
    this.#statements.clear();
    this.#file?.close();
    this.#file = undefined;
  }

  #usable(): DatabaseSync {
    if (this.trouble !== undefined) throw new ReinsError("unsupported", this.trouble);
    if (this.#file === undefined) throw new ReinsError("invalid_input", "The store is closed.");
    return this.#file;
  }

  #open(): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      this.#file = this.#isMarked() ? this.#beginAnew() : this.#openUpToDate();
    } catch (thrown) {
      // Another process may be replacing the file at this moment, which SQLite reports as a disk error. Check again under the lock.
      if (isDamaged(thrown) || troubleOf(thrown) === "disk") this.#tryAnew();
      else this.#trouble = this.#sentence(thrown);
    }
  }

  #tryAnew(): void {
    try {
      this.#file = this.#beginAnew();
    } catch (thrown) {
      this.#trouble = this.#sentence(thrown);
    }
  }

  #sentence(thrown: unknown): string {
    if (thrown instanceof Newer) return newerVersion(this.path);
    // SQLite cannot create its journal files in this case and reports only a generic error.
    if (!mayBeWritten(dirname(this.path)))
      return `Sessions are not stored: the store ${this.path} cannot be used, because its folder is not writable.`;
    return `Sessions are not stored: the store ${this.path} cannot be used, because ${reasonOf(thrown)}.`;
  }

  /** Only one process replaces a damaged file at a time. Another process may have done it already, and its new file must stay. */
  #beginAnew(): DatabaseSync {
    const lock = openFile(`${this.path}.lock`);
    try {
      lock.exec(`PRAGMA busy_timeout = ${busyMs}; BEGIN EXCLUSIVE`);
      if (!this.#isMarked() && !this.#isDamagedStill()) return this.#openUpToDate();
      this.#moveAside();
      return this.#openUpToDate();
    } finally {
      lock.close();
    }
  }

  #isDamagedStill(): boolean {
    try {
      this.#openUpToDate().close();
      return false;
    } catch (thrown) {
      if (isDamaged(thrown)) return true;
      throw thrown;
    }
  }

  /** Keeps the damaged files under another name. */
  #moveAside(): void {
    const backup = `${this.path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
    // Rename the database last: a process that opens it in between must not find a journal of another file.
    for (const end of ["-wal", "-shm", ""]) {
      if (existsSync(this.path + end)) renameSync(this.path + end, backup + end);
    }
    rmSync(this.#damagedMark, { force: true });
    this.#warning = `The store was damaged. It was moved to ${backup}, and a new one was created.`;
  }

  #openUpToDate(): DatabaseSync {
    // SQLite gives its journal files the same permissions as the database file.
    if (!existsSync(this.path)) closeSync(openSync(this.path, "a", 0o600));
    const file = openFile(this.path);
    try {
      file.exec(`PRAGMA busy_timeout = ${busyMs}`);
      // Check before anything is written: do not even change the journal mode of a newer store.
      if (versionOf(file) > steps.length) throw new Newer();
      // NORMAL survives a crash of the process at any time; only a power cut may lose the last writes.
      file.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000");
      bringUpToDate(file);
      this.#identity = identityOf(this.path);
      return file;
    } catch (thrown) {
      file.close();
      throw thrown;
    }
  }

  /** A newer Reins may have migrated the tables since this process opened them. */
  #refuseNewer(): void {
    if (this.row<{ user_version: number }>("PRAGMA user_version")!.user_version <= steps.length) return;
    this.#trouble = newerVersion(this.path);
    throw new ReinsError("unsupported", this.#trouble);
  }

  /** Marks damage that only shows in use, so that the next process that opens the store starts a new file. */
  #remember(thrown: unknown): void {
    if (!isDamaged(thrown) || this.#file === undefined) return;
    try {
      writeFileSync(this.#damagedMark, this.#identity, { mode: 0o600 });
    } catch {
      // Without the mark, the next process detects the damage itself.
    }
  }

  /** The mark names the damaged file by inode: a process that still has the old file open must not mark the new one. */
  #isMarked(): boolean {
    if (!existsSync(this.#damagedMark)) return false;
    return readFileSync(this.#damagedMark, "utf8") === identityOf(this.path);
  }

  #rollBack(): void {
    try {
      this.run("ROLLBACK");
    } catch {
      // Some failures have already rolled the transaction back.
    }
  }

  get #damagedMark(): string {
    return `${this.path}.damaged`;
  }
}

class Newer extends Error {}

function newerVersion(path: string): string {
  return `The store ${path} was written by a newer Reins, so sessions are not stored. Update Reins to use it.`;
}

function mayBeWritten(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === "ENOENT";
  }
}

function identityOf(path: string): string {
  return String(statSync(path, { throwIfNoEntry: false, bigint: true })?.ino ?? "");
}

function versionOf(file: DatabaseSync): number {
  return (file.prepare("PRAGMA user_version").get() as { user_version: number }).user_version;
}

function bringUpToDate(file: DatabaseSync): void {
  if (versionOf(file) === steps.length) return;
  file.exec("BEGIN IMMEDIATE");
  // Another process may have migrated while this one waited for the lock.
  const version = versionOf(file);
  if (version > steps.length) throw new Newer();
  for (const step of steps.slice(version)) file.exec(step);
  file.exec(`PRAGMA user_version = ${steps.length}; COMMIT`);
}
