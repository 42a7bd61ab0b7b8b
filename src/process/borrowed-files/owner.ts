/** The files that this Reins borrowed. They are given back when no longer needed, when Reins ends, and by its guardian. */
import { beforeExit } from "../stop/stop.ts";
import type { LedgerOwner } from "../stop/ledger.ts";
import { SharedChanges } from "./borrow.ts";
import { processTable } from "../table/table.ts";
import type { Borrowed, BorrowedInfo, BorrowSpec, UserFiles } from "../types.ts";

const keptId = "kept";

interface BorrowedFilesOptions {
  /** The folder of the records. */
  readonly folder: string;
  readonly run: string;
  /** Makes sure that a guardian watches; throws where nothing may be borrowed any more. */
  readonly before: () => void;
}

export class BorrowedFiles implements UserFiles {
  readonly #o: BorrowedFilesOptions;
  readonly #changes: SharedChanges;
  readonly #table = processTable();
  /** By id, each with the path of its record once there is one. */
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
    // Count it from now on: a guardian that ends meanwhile must be started again.
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

  /** Gives back files that dead processes left unchanged since. */
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
      // Another process keeps the lock: the guardian, or the next start, gives it back.
    }
  }
}
