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
import type { DatabaseSync } from "node:sqlite";

export interface Database extends Disposable {
  readonly rows: DatabaseSync;
}

/** Undefined where there is none. */
export async function openDatabase(path: string): Promise<Database | undefined> {
  if (!isFile(path)) return undefined;
  // Only here: it is slow to load, and not all need it.
  const { DatabaseSync } = await import("node:sqlite");
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
