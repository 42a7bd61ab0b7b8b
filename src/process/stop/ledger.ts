/** The list of the processes of one Reins on disk, written before each start, so that the next Reins can stop what a crash left. */
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import type { Leader } from "../table/owned.ts";

/** The first line of a ledger. */
export interface LedgerOwner {
  readonly run: string;
  readonly pid: number;
  readonly start: string | undefined;
  /** The host (`ProcessTable.host`). Existing files use this field name. */
  readonly place: string;
}

/** A further line; two for each child: the intent before the start, and the pid after it. */
export interface LedgerChild {
  readonly child: string;
  readonly agent: string;
  readonly session?: string | undefined;
  readonly pid?: number | undefined;
  readonly start?: string | undefined;
  readonly gone?: true | undefined;
}

/** A longer file is rewritten with the running processes only. */
const longestBytes = 64 * 1024;

export function ledgerPath(folder: string, run: string): string {
  return join(folder, `${run}.ndjson`);
}

/** The ledger file of one Reins process. Each line is one write, so a kill at any moment leaves complete lines. */
export class Ledger {
  readonly path: string;
  readonly #owner: LedgerOwner;
  readonly #living = new Map<string, LedgerChild>();
  /** Undefined once the file is removed, because the descriptor may be reused. */
  #file: number | undefined;
  #bytes = 0;

  constructor(folder: string, owner: LedgerOwner) {
    this.path = ledgerPath(folder, owner.run);
    this.#owner = owner;
    fs.mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.chmodSync(folder, 0o700);
    this.#file = this.#rewrite();
  }

  /** Throws when the ledger cannot be written. Then nothing may be started. */
  intend(child: LedgerChild): void {
    this.#append(child);
    this.#living.set(child.child, child);
  }

  started(child: LedgerChild): void {
    this.#living.set(child.child, child);
    this.#appendIfPossible(child);
  }

  gone(child: LedgerChild): void {
    this.#living.delete(child.child);
    this.#appendIfPossible({ ...child, gone: true });
  }

  remove(): void {
    if (this.#file === undefined) return;
    fs.closeSync(this.#file);
    this.#file = undefined;
    removeLedger(this.path);
  }

  #append(line: LedgerChild): void {
    if (this.#file === undefined) return;
    if (this.#bytes > longestBytes) {
      const old = this.#file;
      // Close the old file after the rewrite: if the rewrite fails, its descriptor must not be reused while this ledger still writes to it.
      this.#file = this.#rewrite();
      fs.closeSync(old);
    }
    this.#bytes += fs.writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  #appendIfPossible(line: LedgerChild): void {
    try {
      this.#append(line);
    } catch {
      // A full disk must not prevent using or stopping a running child. The entry written before the start already has its mark.
    }
  }

  /** Written under another name first, so that no reader sees a ledger without its owner. */
  #rewrite(): number {
    const file = fs.openSync(draftPath(this.path), "w", 0o600);
    try {
      for (const line of [this.#owner, ...this.#living.values()]) fs.writeSync(file, `${JSON.stringify(line)}\n`);
      fs.renameSync(draftPath(this.path), this.path);
    } catch (error) {
      fs.closeSync(file);
      throw error;
    }
    this.#bytes = 0;
    return file;
  }
}

export function removeLedger(path: string): void {
  fs.rmSync(path, { force: true });
  fs.rmSync(draftPath(path), { force: true });
}

function draftPath(path: string): string {
  return `${path}.draft`;
}

/** The ledger of another process, perhaps of an old version or broken. */
export interface LedgerContent {
  readonly owner: LedgerOwner;
  /** Children that started and have no recorded end. */
  readonly children: readonly (Leader & { readonly agent: string; readonly session: string | undefined })[];
  /** A start was intended and not confirmed. */
  readonly starting: boolean;
}

/** Returns undefined for a file that is no ledger; throws only when the file cannot be read. Ignores broken lines after the first. */
export function readLedger(path: string): LedgerContent | undefined {
  const [first, ...lines] = fs.readFileSync(path, "utf8").split("\n").map(parseRecord);
  if (!first) return undefined;
  const { run, pid, start, place } = first;
  if (typeof run !== "string" || !isPid(pid) || typeof place !== "string") return undefined;
  const leaders = new Map<unknown, LedgerContent["children"][number] | undefined>();
  for (const line of lines) {
    if (!line) continue;
    const { child, gone, pid: leader } = line;
    if (gone) leaders.delete(child);
    else if (isPid(leader))
      leaders.set(child, {
        pid: leader,
        start: textOrNothing(line["start"]),
        agent: textOrNothing(line["agent"]) ?? "",
        session: textOrNothing(line["session"]),
      });
    else if (typeof child === "string" && !leaders.has(child)) leaders.set(child, undefined);
  }
  const known = [...leaders.values()].filter((leader) => leader !== undefined);
  const owner = { run, pid, start: textOrNothing(start), place };
  return { owner, children: known, starting: known.length < leaders.size };
}

function parseRecord(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** 0 and -1 would signal our own group and every process. */
function isPid(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 1;
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
