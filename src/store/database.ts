/** The file of a store: opened when it is first needed, brought up to date, and moved aside when it is damaged. */
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

/** How long another process may hold it. A transaction of ours takes a millisecond or two. */
const busyMs = 10_000;

const reads = /^\s*(?:SELECT|PRAGMA)/;

/** Undefined is stored as NULL. */
type Value = string | number | undefined;
const orNull = (value: Value): string | number | null => value ?? null;

export class Database {
  readonly path: string;
  #file: DatabaseSync | undefined;
  #trouble: string | undefined;
  #warning: string | undefined;
  #closed = false;
  /** Which file was opened, whatever its name is by now. */
  #identity = "";
  readonly #statements = new Map<string, StatementSync>();

  constructor(path: string) {
    this.path = path;
  }

  /** Why it cannot be used. */
  get trouble(): string | undefined {
    if (this.#file === undefined && this.#trouble === undefined && !this.#closed) this.#open();
    return this.#trouble;
  }

  /** A warning about a store that can be used all the same. Returned once. */
  takeWarning(): string | undefined {
    const warning = this.#warning;
    this.#warning = undefined;
    return warning;
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  /** A statement, prepared once. Throws one sentence when the store cannot be used. */
  sql(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#usable().prepare(text);
      // The number of the last row, which comes with every change, may be one of the search's own, too large for a number.
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

  /** All or nothing. What others write meanwhile waits; what they have written is seen. */
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

  /** Says in one sentence why the store cannot be used, where SQLite throws. */
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
      // Another process may be replacing the file right now, which SQLite reports as a disk error: look again under the lock.
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
    // SQLite then cannot make the files it needs beside it, and says no more than that.
    if (!mayBeWritten(dirname(this.path)))
      return `Nothing is kept: the store ${this.path} cannot be used, because its folder may not be written to.`;
    return `Nothing is kept: the store ${this.path} cannot be used, because ${reasonOf(thrown)}.`;
  }

  /** One process at a time: another one that found it damaged too may have been faster, and what it has begun must stay. */
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

  /** What is there stays, under another name. */
  #moveAside(): void {
    const backup = `${this.path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
    // The file itself last: whoever opens it meanwhile must not find a journal that belongs to another one.
    for (const end of ["-wal", "-shm", ""]) {
      if (existsSync(this.path + end)) renameSync(this.path + end, backup + end);
    }
    rmSync(this.#damagedMark, { force: true });
    this.#warning = `The store was damaged. It is now ${backup}, and a new one was begun.`;
  }

  #openUpToDate(): DatabaseSync {
    // What SQLite puts beside it gets the same permissions.
    if (!existsSync(this.path)) closeSync(openSync(this.path, "a", 0o600));
    const file = openFile(this.path);
    try {
      file.exec(`PRAGMA busy_timeout = ${busyMs}`);
      // Before anything is written: a newer one is not even brought into another mode.
      if (versionOf(file) > steps.length) throw new Newer();
      // NORMAL survives the end of a process at any moment; only a power cut may cost the last moments.
      file.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000");
      bringUpToDate(file);
      this.#identity = identityOf(this.path);
      return file;
    } catch (thrown) {
      file.close();
      throw thrown;
    }
  }

  /** A newer Reins may have changed the tables since we opened them. */
  #refuseNewer(): void {
    if (this.row<{ user_version: number }>("PRAGMA user_version")!.user_version <= steps.length) return;
    this.#trouble = newerVersion(this.path);
    throw new ReinsError("unsupported", this.#trouble);
  }

  /** A damage that shows only in use: the next one to open it begins anew. */
  #remember(thrown: unknown): void {
    if (!isDamaged(thrown) || this.#file === undefined) return;
    try {
      writeFileSync(this.#damagedMark, this.#identity, { mode: 0o600 });
    } catch {
      // Then the next one finds out by itself.
    }
  }

  /** Whoever still has the damaged one open when it is moved aside does not mean the new one. */
  #isMarked(): boolean {
    if (!existsSync(this.#damagedMark)) return false;
    return readFileSync(this.#damagedMark, "utf8") === identityOf(this.path);
  }

  #rollBack(): void {
    try {
      this.run("ROLLBACK");
    } catch {
      // Some failures have rolled it back already.
    }
  }

  get #damagedMark(): string {
    return `${this.path}.damaged`;
  }
}

class Newer extends Error {}

function newerVersion(path: string): string {
  return `The store ${path} was written by a newer Reins and is left alone; nothing is kept. Update Reins to use it.`;
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
  // Another process may have done it while this one waited.
  const version = versionOf(file);
  if (version > steps.length) throw new Newer();
  for (const step of steps.slice(version)) file.exec(step);
  file.exec(`PRAGMA user_version = ${steps.length}; COMMIT`);
}
