/** Changes files of the user for as long as a session needs the change. Several sessions and several Reins processes share one change. */
import * as fs from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { ReinsError } from "../../events/errors.ts";
import { randomHex } from "../crypto.ts";
import { locked, readRecord, recordPath, recordsIn, writeRecord, type ChangeRecord, type Holder } from "./records.ts";
import { giveBack, type Retract } from "./return.ts";
import { missingFolders, pathOf, readPlain, replacePlain, requireWritable, type Place } from "./plain-file.ts";
import { isOwnerAlive } from "../stop/reap.ts";
import { processTable } from "../table/table.ts";
import type { BorrowedInfo, BorrowSpec } from "../types.ts";

interface Change {
  readonly content: string;
  readonly record: string;
}

export class SharedChanges {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Changes the file, or joins the holders of an existing change that fits. */
  async borrow(spec: BorrowSpec, holder: Holder): Promise<Change> {
    const place = placeOf(spec);
    const path = recordPath(this.#folder, place);
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const dead = await deadAmong(readRecord(path)?.holders ?? []);
    return locked(this.#folder, () => {
      const known = readRecord(path);
      const holders = living(known?.holders ?? [], dead).filter(({ id }) => id !== holder.id);
      const joined = known !== undefined && holders.length > 0 ? this.#join(spec, known) : undefined;
      if (known !== undefined && joined !== undefined) {
        writeRecord(path, { ...known, holders: [...holders, holder] });
        return { content: joined, record: path };
      }
      if (known !== undefined) this.#return(path, { ...known, holders }, spec.retract);
      return { content: this.#change(spec, place, path, [...holders, holder]), record: path };
    });
  }

  /** Removes a holder, and restores the file with the last one. If the file cannot be written now, the next start tries again. */
  release(path: string, id: string, retract: Retract): void {
    if (readRecord(path) === undefined) return;
    locked(this.#folder, () => {
      const record = readRecord(path);
      if (record === undefined) return;
      const holders = record.holders.filter((holder) => holder.id !== id);
      if (holders.length === 0) this.#return(path, { ...record, holders }, retract);
      else writeRecord(path, { ...record, holders });
    });
  }

  /** Removes a holder, and removes the entries of Reins even when there is no record of them. */
  discard(spec: BorrowSpec, id: string): void {
    const place = placeOf(spec);
    const path = recordPath(this.#folder, place);
    if (readRecord(path) !== undefined) return this.release(path, id, spec.retract);
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const draft = draftFor(pathOf(place));
    // A random text that no file contains, so that `retract` decides.
    const after = randomHex(24);
    const record = { agent: spec.agent, place, before: null, after, made: [], draft, holders: [] };
    locked(this.#folder, () => giveBack(record, spec.retract));
  }

  /** Releases all changes that a run holds, because the run is dead or about to end. */
  releaseRun(run: string): void {
    if (recordsIn(this.#folder).length === 0) return;
    locked(this.#folder, () => {
      for (const { path, record } of recordsIn(this.#folder)) {
        const holders = record.holders.filter((holder) => "kept" in holder || holder.run !== run);
        this.#settle(path, record, holders, undefined);
      }
    });
  }

  /** Restores files that dead processes left changed. A file that the user has changed since needs the `retract` of its agent. */
  async recover(of?: { readonly agent: string; readonly retract: Retract }): Promise<void> {
    const dead = await deadAmong(recordsIn(this.#folder).flatMap(({ record }) => record.holders));
    const wanted = ({ record }: { record: ChangeRecord }): boolean =>
      (of === undefined || record.agent === of.agent) && living(record.holders, dead).length < record.holders.length;
    const left = ({ record }: { record: ChangeRecord }): boolean =>
      record.agent === of?.agent && record.holders.length === 0;
    if (!recordsIn(this.#folder).some((one) => wanted(one) || left(one))) return;
    locked(this.#folder, () => {
      for (const { path, record } of recordsIn(this.#folder))
        if (of === undefined || record.agent === of.agent)
          this.#settle(path, record, living(record.holders, dead), of?.retract);
    });
  }

  list(agent: string): readonly BorrowedInfo[] {
    return recordsIn(this.#folder)
      .filter(({ record }) => record.agent === agent)
      .map(({ record: { place, holders } }) => {
        const kept = holders.filter((holder) => "kept" in holder).length;
        return { path: pathOf(place), kept: kept > 0, sessions: holders.length - kept };
      });
  }

  /** Returns the text of the file if the change can be shared; undefined if the file must be changed again. */
  #join(spec: BorrowSpec, record: ChangeRecord): string | undefined {
    const file = readPlain(pathOf(record.place));
    if (file === undefined || !file.bytes.equals(Buffer.from(record.after, "base64"))) return undefined;
    const text = decode(file.bytes, record.place);
    if (!spec.shares(text))
      throw new ReinsError("session_busy", `${pathOf(record.place)} is in use by another session.`);
    return text;
  }

  /** Writes the record before the file, so that a kill in between leaves nothing to undo. */
  #change(spec: BorrowSpec, place: Place, path: string, holders: readonly Holder[]): string {
    const missing = missingFolders(place);
    const target = pathOf(place);
    const file = missing.length > 0 ? undefined : readPlain(target);
    requireWritable(target, file);
    const text = spec.change(file === undefined ? undefined : decode(file.bytes, place));
    const after = Buffer.from(text);
    const draft = draftFor(target);
    const before = file === undefined ? null : file.bytes.toString("base64");
    const record = { agent: spec.agent, place, before, after: after.toString("base64"), made: missing, draft };
    writeRecord(path, { ...record, holders });
    try {
      for (const folder of missing) fs.mkdirSync(folder);
      replacePlain(target, draft, after, file?.mode ?? 0o644, file);
    } catch (error) {
      this.#return(path, { ...record, holders }, spec.retract);
      throw error;
    }
    return text;
  }

  #settle(path: string, record: ChangeRecord, holders: readonly Holder[], retract: Retract | undefined): void {
    if (holders.length === 0) this.#return(path, { ...record, holders }, retract);
    else if (holders.length < record.holders.length) writeRecord(path, { ...record, holders });
  }

  #return(path: string, record: ChangeRecord, retract: Retract | undefined): void {
    let done = false;
    try {
      done = giveBack(record, retract);
    } catch {
      // The disk is full, or the file is not writable now. The next start tries again.
    }
    if (done) fs.rmSync(path, { force: true });
    else writeRecord(path, record);
  }
}

function placeOf({ root, path }: Pick<BorrowSpec, "root" | "path">): Place {
  return { root: fs.realpathSync(root), parts: path.split(sep === "\\" ? /[\\/]/ : "/") };
}

/** In the same folder, because a rename across disks is not atomic. */
function draftFor(target: string): string {
  return join(dirname(target), `.${basename(target)}.${randomHex(6)}.reins`);
}

/** Refuses a file that is not UTF-8, because every byte must be restored. */
function decode(bytes: Buffer, place: Place): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ReinsError("invalid_input", `${pathOf(place)} is not UTF-8, so Reins leaves it as it is.`);
  }
}

async function deadAmong(holders: readonly Holder[]): Promise<ReadonlySet<string>> {
  const table = processTable();
  const dead = new Set<string>();
  for (const holder of holders)
    if (!("kept" in holder) && holder.place === table.host() && !(await isOwnerAlive(holder, table)))
      dead.add(holder.id);
  return dead;
}

/** A holder that was added after the check counts as alive. */
function living(holders: readonly Holder[], dead: ReadonlySet<string>): readonly Holder[] {
  return holders.filter(({ id }) => !dead.has(id));
}
