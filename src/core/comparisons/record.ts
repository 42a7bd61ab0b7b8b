/** The record of a comparison. It is written before anything is created, so that the next process can clean up after a crash. */
import { readdirSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { processTable } from "../../process/table/table.ts";
import { pathRules, relativeTo } from "../../workspace/paths.ts";
import { realPath } from "../../workspace/real-paths.ts";
import { readJson, writePrivate } from "../../process/private-file.ts";
import type { ComparedSessions, Comparison, ComparisonEntry, EntryState } from "./types.ts";

export interface EntryRecord extends Omit<ComparisonEntry, "state"> {
  readonly gitDir?: string | undefined;
}

export interface ComparisonRecord extends Omit<Comparison, "entries"> {
  /**
   * `made`: the sessions have started. `removed`: kept because its sessions exist. The next process removes a
   * comparison left in another phase.
   */
  readonly phase: "making" | "made" | "removing" | "removed";
  readonly owner: { readonly pid: number; readonly start?: string | undefined };
  /** Top of the user's work tree, and the common git directory. */
  readonly top: string;
  readonly common: string;
  readonly entries: readonly EntryRecord[];
}

const file = "comparison.json";

export class Records {
  readonly folder: string;
  /** Folders without a valid record. */
  readonly broken: readonly string[];
  readonly #all = new Map<string, ComparisonRecord>();

  constructor(folder: string) {
    this.folder = folder;
    const broken: string[] = [];
    for (const name of names(folder)) {
      const record = read(join(folder, name, file));
      if (record?.id === name) this.#all.set(name, record);
      else if (/^[0-9a-f]{10}$/.test(name)) broken.push(name);
    }
    this.broken = broken;
  }

  get all(): readonly ComparisonRecord[] {
    return [...this.#all.values()];
  }

  get made(): readonly ComparisonRecord[] {
    return this.all.filter(({ phase }) => phase === "made");
  }

  get(id: string): ComparisonRecord | undefined {
    return this.#all.get(id);
  }

  put(record: ComparisonRecord): void {
    writePrivate(join(this.folder, record.id, file), `${JSON.stringify(record, undefined, 2)}\n`);
    this.#all.set(record.id, record);
  }

  change(id: string, number: number, change: Partial<EntryRecord>): void {
    const record = this.#all.get(id);
    if (record === undefined) return;
    const entries = record.entries.map((entry) => (entry.number === number ? { ...entry, ...change } : entry));
    this.put({ ...record, entries });
  }

  forget(id: string): void {
    this.#all.delete(id);
  }
}

export async function ownerNow(): Promise<ComparisonRecord["owner"]> {
  return { pid: process.pid, start: await processTable().startOf(process.pid) };
}

export async function isOwned({ owner: { pid, start } }: ComparisonRecord): Promise<boolean> {
  return start !== undefined && (await processTable().startOf(pid)) === start;
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function read(path: string): ComparisonRecord | undefined {
  const value = readJson<Partial<ComparisonRecord> | null>(path);
  const whole = typeof value?.id === "string" && typeof value.top === "string" && Array.isArray(value.entries);
  return whole ? (value as ComparisonRecord) : undefined;
}

export async function entryState(
  sessions: ComparedSessions,
  { session, error }: Pick<EntryRecord, "session" | "error">,
): Promise<EntryState> {
  if (error !== undefined) return "failed";
  return session === undefined ? "gone" : sessions.state(session);
}

/** Maps a path in a worktree of a comparison to the user's work tree. Returns any other path unchanged. */
export function originIn(folder: string, records: Records, path: string): string {
  if (records.all.length === 0) return path;
  const real = realPath(resolve("/", path));
  const rules = pathRules();
  const [id = ""] = relativeTo(realPath(folder), real, rules)?.split(sep) ?? [];
  const record = records.get(id);
  for (const entry of record?.entries ?? []) {
    const way = relativeTo(realPath(entry.folder), real, rules);
    if (way !== undefined) return join(record!.top, way);
  }
  return path;
}

const freshMs = 1_000;

/** Runs one task at a time per worktree. `shared` gives callers within the next second the same result. */
export class TaskQueue {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #known = new Map<string, { readonly answer: Promise<unknown>; readonly until: number }>();

  do<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    this.#known.delete(key);
    const before = this.#last.get(key) ?? Promise.resolve();
    const now = before.then(work, work);
    this.#last.set(key, now);
    const forget = (): void => {
      if (this.#last.get(key) === now) this.#last.delete(key);
    };
    now.then(forget, forget);
    return now;
  }

  shared<Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const known = this.#known.get(key);
    if (known !== undefined && known.until > performance.now()) return known.answer as Promise<Answer>;
    const answer = this.do(key, work);
    this.#known.set(key, { answer, until: Number.POSITIVE_INFINITY });
    const found = (): void => {
      if (this.#known.get(key)?.answer !== answer) return;
      this.#known.set(key, { answer, until: performance.now() + freshMs });
      setTimeout(() => this.#known.get(key)?.answer === answer && this.#known.delete(key), freshMs).unref();
    };
    answer.then(found, () => this.#known.delete(key));
    return answer;
  }
}
