/** What is written down of a comparison, before anything of it is made: whatever becomes of the server, the next one knows what there is. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { processTable } from "../../process/table.ts";
import { writePrivate } from "../private-file.ts";
import type { Comparison, ComparisonEntry } from "../schemas/comparisons.ts";

export interface EntryRecord extends Omit<ComparisonEntry, "state"> {
  /** Where git keeps its worktree. */
  readonly gitDir?: string | undefined;
}

export interface ComparisonRecord extends Omit<Comparison, "entries"> {
  /** `made`: its sessions have begun. What a dead one was making or removing is removed. `removed`: so that its sessions are still known. */
  readonly phase: "making" | "made" | "removing" | "removed";
  readonly owner: { readonly pid: number; readonly start?: string | undefined };
  /** Where the person's work tree begins, and where git keeps the repository. */
  readonly top: string;
  readonly common: string;
  readonly entries: readonly EntryRecord[];
}

const file = "comparison.json";

/** All of them, in a folder each. */
export class Records {
  readonly folder: string;
  /** Folders in which there is none: whoever made them got no further. */
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

/** Another server that still works on it. */
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
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as Partial<ComparisonRecord> | null;
    const whole = typeof value?.id === "string" && typeof value.top === "string" && Array.isArray(value.entries);
    return whole ? (value as ComparisonRecord) : undefined;
  } catch {
    return undefined;
  }
}
