/**
 * OpenCode's database, opened so that nothing is written beside it. SQLite reads a database that others write to with the help of
 * two files next to it, and makes them where they are missing:
 * - without the first there is nothing but the database itself, and it is read as a file that does not change;
 * - with both somebody may be writing, and it is read as SQLite reads;
 * - with the first alone somebody stopped in the middle, and a copy is read.
 */
import { copyFileSync, lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as sqlite from "node:sqlite";
import type { DatabaseSync } from "node:sqlite";

export interface Database extends Disposable {
  readonly rows: DatabaseSync;
}

/** Undefined where there is none, or no SQLite. */
export function openDatabase(path: string): Database | undefined {
  const DatabaseSync = isFile(path) ? loadSqlite()?.DatabaseSync : undefined;
  if (DatabaseSync === undefined) return undefined;
  if (!isFile(`${path}-wal`)) {
    const address = pathToFileURL(path);
    address.search = "immutable=1";
    return opened(new DatabaseSync(address, { readOnly: true }));
  }
  if (isFile(`${path}-shm`)) return opened(new DatabaseSync(path, { readOnly: true }));
  const folder = mkdtempSync(join(tmpdir(), "reins-history-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "copy.db");
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    return opened(new DatabaseSync(copy), remove);
  } catch (thrown) {
    remove();
    throw thrown;
  }
}

/** Only when it is needed; and Node 22 would warn on everybody's stderr that it is experimental. */
function loadSqlite(): typeof sqlite | undefined {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

function opened(rows: DatabaseSync, after: () => void = () => {}): Database {
  return {
    rows,
    [Symbol.dispose]() {
      rows.close();
      after();
    },
  };
}

/** No link either: it may lead anywhere. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
