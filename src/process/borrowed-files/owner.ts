/** The files that this Reins process borrowed. They are restored when no longer needed, when Reins ends, or by its guardian. */
import { beforeExit } from "../stop/stop.ts";
import type { LedgerOwner } from "../stop/ledger.ts";
import { SharedChanges } from "./borrow.ts";
import { processTable } from "../table/table.ts";
import type { Borrowed, BorrowedInfo, BorrowSpec, UserFiles } from "../types.ts";

const keptId = "kept";

interface BorrowedFilesOptions {
  readonly folder: string;
  readonly run: string;
  /** Makes sure that a guardian runs. Throws once nothing may be borrowed any more. */
  readonly before: () => void;
}

export class BorrowedFiles implements UserFiles {
  readonly #o: BorrowedFilesOptions;
  readonly #changes: SharedChanges;
  readonly #table = processTable();
  /** By holder id, with the path of the record once it is written. */
  readonly #mine = new Map<string, { readonly spec: BorrowSpec; record?: string }>();
  readonly #taking = new Set<Promise<unknown>>();
  #owner: Promise<LedgerOwner> | undefined;
  #count = 0;
  #takeBackHook: (() => void) | undefined;

  constructor(options: BorrowedFilesOptions) {
    this.#o = options;
    this.#changes = new SharedChanges(options.folder);
  }

  get borrowed(): number {
    return this.#mine.size;
  }

  async borrow(spec: BorrowSpec): Promise<Borrowed> {
    this.#o.before();
    const id = `${this.#o.run}-${++this.#count}`;
    // Registered before the first await, so that a guardian that dies meanwhile is restarted.
    this.#mine.set(id, { spec });
    this.#takeBackHook ??= beforeExit(() => this.#giveBackAll());
    const taken = this.#take(id, spec);
    this.#taking.add(taken);
    try {
      return { content: await taken, giveBack: () => this.#giveBack(id) };
    } catch (error) {
      this.#mine.delete(id);
      throw error;
    } finally {
      this.#taking.delete(taken);
    }
  }

  async keep(spec: BorrowSpec): Promise<void> {
    await this.#changes.borrow(spec, { id: keptId, kept: true });
  }

  discard(spec: BorrowSpec): void {
    this.#changes.discard(spec, keptId);
  }

  recover(agent: string, retract: BorrowSpec["retract"]): Promise<void> {
    return this.#changes.recover({ agent, retract });
  }

  /** Restores files of dead processes that the user has not changed since. */
  reap(): Promise<void> {
    return this.#changes.recover().catch(() => {});
  }

  list(agent: string): readonly BorrowedInfo[] {
    return this.#changes.list(agent);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#taking);
    this.#giveBackAll();
    this.#takeBackHook?.();
  }

  async #take(id: string, spec: BorrowSpec): Promise<string> {
    this.#owner ??= this.#table
      .startOf(process.pid)
      .then((start) => ({ run: this.#o.run, pid: process.pid, start, place: this.#table.host() }));
    const { content, record } = await this.#changes.borrow(spec, { id, ...(await this.#owner) });
    this.#mine.set(id, { spec, record });
    return content;
  }

  #giveBackAll(): void {
    for (const id of this.#mine.keys()) this.#giveBack(id);
  }

  #giveBack(id: string): void {
    const { spec, record } = this.#mine.get(id) ?? {};
    this.#mine.delete(id);
    if (spec === undefined || record === undefined) return;
    try {
      this.#changes.release(record, id, spec.retract);
    } catch {
      // Another process holds the lock. The guardian, or the next start, restores the file.
    }
  }
}
