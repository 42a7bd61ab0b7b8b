/**
 * Runs one prompt on several agents, each in a git worktree in the state folder. The user's work tree, index and
 * branches are not touched.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { deadlinesWith } from "../../events/deadlines.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { limitsWith } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import { stateHome } from "../../process/home.ts";
import { createProcesses } from "../../process/index.ts";
import type { Processes } from "../../process/types.ts";
import { applyTo, changesOf, changesToKeep, commitOnBranch, forgetLocks, removeWorktree } from "./worktree.ts";
import { Git } from "./git.ts";
import { makeComparison, type Makers, type Wanted } from "./make.ts";
import {
  TaskQueue,
  Records,
  entryState,
  isOwned,
  originIn,
  ownerNow,
  type ComparisonRecord,
  type EntryRecord,
} from "./record.ts";
import type * as types from "./types.ts";

export interface ComparisonsOptions {
  readonly reins: Makers["reins"];
  readonly sessions: types.ComparedSessions;
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly redact: (text: string) => string;
  readonly folder: string;
  readonly onError: (thrown: unknown) => void;
}

export class Comparisons {
  readonly #options: ComparisonsOptions;
  readonly #git: Git;
  readonly #records: Records;
  readonly #worktrees = new TaskQueue();
  /** Resolves when the comparisons of dead processes are cleaned up. */
  readonly recovered: Promise<void>;

  constructor(options: ComparisonsOptions) {
    this.#options = options;
    this.#git = new Git(options.processes, options.env);
    this.#records = new Records(options.folder);
    this.recovered = this.#recover().catch(options.onError);
  }

  originOf(folder: string): string {
    return originIn(this.#options.folder, this.#records, folder);
  }

  get all(): readonly ComparisonRecord[] {
    return this.#records.made.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
  }

  get(id: string): ComparisonRecord {
    const record = this.#records.get(id);
    if (record?.phase !== "made") throw new ReinsError("invalid_input", `There is no comparison ${id}.`);
    return record;
  }

  async create(wanted: Wanted): Promise<types.Comparison> {
    await this.recovered;
    const discard = (record: ComparisonRecord): Promise<unknown> => this.#discard(record);
    const { reins, sessions, redact } = this.#options;
    const id = await makeComparison(
      { reins, sessions, redact, git: this.#git, records: this.#records, discard },
      wanted,
    );
    return this.show(this.get(id));
  }

  async show(record: ComparisonRecord): Promise<types.Comparison> {
    const { phase: _phase, owner: _owner, top: _top, common: _common, ...shown } = record;
    return { ...shown, entries: await Promise.all(record.entries.map((entry) => this.#entry(entry))) };
  }

  async details(record: ComparisonRecord): Promise<types.ComparisonDetails> {
    const shown = await this.show(record);
    const changes = await Promise.all(record.entries.map((entry) => this.#changes(record, entry)));
    return { ...shown, entries: shown.entries.map((entry, index) => ({ ...entry, ...changes[index]! })) };
  }

  async keep(record: ComparisonRecord, number: number, how: "branch" | "apply"): Promise<types.KeepAnswer> {
    const entry = record.entries.find((one) => one.number === number);
    if (entry === undefined) throw new ReinsError("invalid_input", `Comparison ${record.id} has no entry ${number}.`);
    const { state } = await this.#entry(entry);
    if (state === "running" || state === "waiting")
      throw new ReinsError("session_busy", `Entry ${number} is still at work.`, { help: "Cancel it, or wait." });
    return this.#worktrees.do(entry.branch, async () => {
      const { files } = await changesToKeep(this.#git, record, entry);
      const done =
        how === "branch" ? await commitOnBranch(this.#git, record, entry) : await applyTo(this.#git, record, entry);
      const kept: types.KeptEntry = { ...entry.kept, ...done, how, at: new Date().toISOString() };
      this.#records.change(record.id, number, { kept });
      return { ...kept, files };
    });
  }

  async remove({ id }: ComparisonRecord): Promise<readonly string[]> {
    const record: ComparisonRecord = { ...this.get(id), phase: "removing", owner: await ownerNow() };
    this.#records.put(record);
    const sessions = record.entries.flatMap(({ session }) => session ?? []);
    await Promise.all(sessions.map((session) => this.#options.sessions.close(session)));
    return this.#discard(record);
  }

  async close(): Promise<void> {
    await this.recovered;
    await this.#options.processes.close();
  }

  async #entry(entry: EntryRecord): Promise<types.ComparisonEntry> {
    const { gitDir: _gitDir, ...shown } = entry;
    return { ...shown, state: await entryState(this.#options.sessions, entry) };
  }

  #changes({ base }: ComparisonRecord, entry: EntryRecord): Promise<types.EntryChanges> {
    return this.#worktrees.shared(entry.branch, async () => {
      try {
        const { files, patch, cut } = await changesOf(this.#git, base, entry);
        return { files, patch: this.#options.redact(patch), cut };
      } catch (thrown) {
        return { files: [], patch: "", cut: false, trouble: toReinsError(thrown).message };
      }
    });
  }

  async #discard(record: ComparisonRecord): Promise<readonly string[]> {
    const stay: string[] = [];
    for (const entry of record.entries) {
      const gone = await this.#worktrees.do(entry.branch, () => removeWorktree(this.#git, record, entry));
      if (!gone) stay.push(entry.branch);
    }
    await rm(join(this.#options.folder, record.id), { recursive: true, force: true });
    // Keep the record: access to the sessions depends on the folder of the comparison.
    if (record.entries.some(({ session }) => session !== undefined)) this.#records.put({ ...record, phase: "removed" });
    else this.#records.forget(record.id);
    return stay;
  }

  /** Keeps complete comparisons of a killed process and removes incomplete ones. */
  async #recover(): Promise<void> {
    for (const name of this.#records.broken)
      await rm(join(this.#options.folder, name), { recursive: true, force: true });
    for (const record of this.#records.all) {
      if (record.phase === "removed" || (await isOwned(record))) continue;
      if (record.phase === "made") await forgetLocks(record);
      else await this.#discard(record);
    }
  }
}

export function openComparisons(options: Omit<ComparisonsOptions, "processes" | "folder">): Comparisons {
  const { env } = options;
  const tables = { deadlines: deadlinesWith(undefined), limits: limitsWith(undefined) };
  // Git ends by itself, so no guardian is needed.
  const processes = createProcesses({ env, redact: createRedactor(env), ...tables, guardian: false });
  return new Comparisons({ ...options, processes, folder: join(stateHome(env), "comparisons") });
}
