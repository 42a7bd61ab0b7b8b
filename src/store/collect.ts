/** Garbage collection: removes old sessions, the oldest sessions above a size limit, and files that nothing refers to. */
import { readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Collected, CollectOptions, StoredSession } from "../core/log/types.ts";
import type { Database } from "./database.ts";
import { removeSession, sessionColumns, storedSession, type SessionRow } from "./rows.ts";
import { troubleOf } from "./sqlite.ts";

const dayMs = 24 * 3600 * 1000;
/** A file is written before the event that refers to it, so young files are never removed. */
const youngMs = 3600 * 1000;

export function collectStore(
  db: Database,
  blobs: string,
  { keepDays, maxMb, dry = false, daily = false }: CollectOptions = {},
): Collected {
  return db.reading(() => {
    if (daily && !isDue(db)) return { sessions: [], files: 0, bytesBefore: 0, bytesAfter: 0 };
    const bytesBefore = sizeOf(db, blobs);
    const doomed = [...tooOld(db, keepDays), ...tooMuch(db, blobs, maxMb, keepDays)];
    if (dry) return { sessions: doomed, files: unused(db, blobs).length, bytesBefore, bytesAfter: bytesBefore };
    const sessions = doomed.filter((session) => db.transaction(() => removeIfIdle(db, session)));
    const files = unused(db, blobs).filter((path) => removeIfOld(path));
    for (const { folder, names } of foldersIn(blobs)) if (names.length === 0) removeFolder(folder);
    db.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('collected_at', ?)", [String(Date.now())]);
    if (!daily && isUnused(db)) compact(db);
    return { sessions, files: files.length, bytesBefore, bytesAfter: sizeOf(db, blobs) };
  });
}

function isDue(db: Database): boolean {
  const row = db.row<{ value: string }>("SELECT value FROM meta WHERE key = 'collected_at'");
  // Use the absolute difference: the clock may have been set back.
  return row === undefined || Math.abs(Date.now() - Number(row.value)) > dayMs;
}

/** VACUUM locks out all other processes while it runs. */
function isUnused(db: Database): boolean {
  return db.row("SELECT 1 FROM leases LIMIT 1") === undefined;
}

/** VACUUM temporarily needs as much disk space again. On a full disk the sessions stay removed, only the file does not shrink. */
function compact(db: Database): void {
  try {
    db.run("INSERT INTO search (search) VALUES ('optimize')");
    db.run("VACUUM");
    db.row("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (thrown) {
    const why = troubleOf(thrown);
    if (why !== "full" && why !== "busy" && why !== "disk") throw thrown;
  }
}

/** Call inside a transaction. Another process may have continued the session since it was selected. */
function removeIfIdle(db: Database, { id, updatedAt }: StoredSession): boolean {
  const row = db.row<{ number: number }>(
    `SELECT s.number FROM sessions s WHERE s.id = ? AND s.updated_at = ? AND ${idle}`,
    [id, Date.parse(updatedAt)],
  );
  if (row !== undefined) removeSession(db, row.number, id);
  return row !== undefined;
}

/** Another process may have stored the same content again since the file was selected. */
function removeIfOld(path: string): boolean {
  if (Date.now() - modified(path) <= youngMs) return false;
  rmSync(path, { force: true });
  return true;
}

/** Excludes sessions that a process is using now. */
const idle = "s.id NOT IN (SELECT session FROM leases)";

function tooOld(db: Database, keepDays: number | undefined): readonly StoredSession[] {
  if (keepDays === undefined) return [];
  const text = `SELECT ${sessionColumns} WHERE ${idle} AND s.updated_at < ? ORDER BY s.updated_at`;
  return db.rows<SessionRow>(text, [Date.now() - keepDays * dayMs]).map(storedSession);
}

/** Estimates the size of a session from its event lines, including its share of the search index. */
function tooMuch(
  db: Database,
  blobs: string,
  maxMb: number | undefined,
  keepDays: number | undefined,
): readonly StoredSession[] {
  if (maxMb === undefined) return [];
  const gone = new Set(tooOld(db, keepDays).map(({ id }) => id));
  const rows = db.rows<SessionRow>(`SELECT ${sessionColumns} WHERE ${idle} ORDER BY s.updated_at`);
  let excess = bytesInUse(db, blobs) - maxMb * 1e6;
  const doomed: StoredSession[] = [];
  for (const row of rows) {
    if (excess <= 0) break;
    excess -= bytesOf(db, blobs, row.number);
    if (!gone.has(row.id)) doomed.push(storedSession(row));
  }
  return doomed;
}

function bytesOf(db: Database, blobs: string, number: number): number {
  const lines = "SELECT coalesce(sum(length(line) + 40), 0) AS bytes FROM events WHERE session = ?";
  const { bytes } = db.row<{ bytes: number }>(lines, [number])!;
  const only = db.rows<{ hash: string }>(
    `SELECT hash FROM blob_uses u WHERE session = ?
     AND NOT EXISTS (SELECT 1 FROM blob_uses o WHERE o.hash = u.hash AND o.session <> u.session)`,
    [number],
  );
  const blobSizes = only.map(({ hash }) => sizeOfFile(join(blobs, hash.slice(7, 9), hash.slice(9))));
  return blobSizes.reduce((sum, size) => sum + size, bytes * 1.2);
}

function unused(db: Database, blobs: string): readonly string[] {
  const used = new Set(db.rows<{ hash: string }>("SELECT DISTINCT hash FROM blob_uses").map(({ hash }) => hash));
  return foldersIn(blobs).flatMap(({ folder, prefix, names }) =>
    names
      .filter((name) => !used.has(`sha256-${prefix}${name}`))
      .map((name) => join(folder, name))
      .filter((path) => Date.now() - modified(path) > youngMs),
  );
}

function foldersIn(blobs: string): { folder: string; prefix: string; names: string[] }[] {
  return names(blobs).map((prefix) => ({ folder: join(blobs, prefix), prefix, names: names(join(blobs, prefix)) }));
}

function sizeOf(db: Database, blobs: string): number {
  return sizeOfFile(db.path) + sizeOfFile(`${db.path}-wal`) + blobBytes(blobs);
}

/** Excludes free pages of removed sessions: SQLite reuses them before the file grows. */
function bytesInUse(db: Database, blobs: string): number {
  const pragma = (name: string): number => Number(Object.values(db.row<object>(`PRAGMA ${name}`)!)[0]);
  const free = pragma("freelist_count") * pragma("page_size");
  const whole = pragma("page_count") * pragma("page_size");
  return whole - free + blobBytes(blobs);
}

function blobBytes(blobs: string): number {
  return foldersIn(blobs)
    .flatMap(({ folder, names: all }) => all.map((name) => sizeOfFile(join(folder, name))))
    .reduce((sum, bytes) => sum + bytes, 0);
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function sizeOfFile(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function modified(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Another process has just put a file into the folder.
  }
}
