/** `reins/store`: durable sessions in one SQLite file in the user's data folder, with large content in separate files beside it. */
import { join } from "node:path";
import type { SessionAbout, SessionLog, Store } from "../core/log/types.ts";
import { blobFolder } from "./blobs.ts";
import { breakerTable } from "./breakers.ts";
import { collectStore } from "./collect.ts";
import { Database } from "./database.ts";
import { dataFolder } from "./folder.ts";
import { LeaseTable } from "./leases.ts";
import { searchStore } from "./search.ts";
import { Sessions } from "./sessions.ts";
import { StoredLog } from "./stored-log.ts";
import { usageRecords } from "./usage-records.ts";
import { Writer } from "./writer.ts";

export type * from "../core/log/types.ts";

/** Options of `openStore`. All are optional. */
export interface StoreOptions {
  /** Environment that determines the folder, such as `REINS_HOME`. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Folder of the store. Default: the data folder of the user, as `env` determines it. */
  readonly folder?: string | undefined;
}

/**
 * Opens the user's store. The file itself is opened on first use. Close the store after the Reins that uses it.
 *
 * @example
 * using store = openStore();
 * await using reins = createReins({ store });
 */
export function openStore({ env = process.env, folder = dataFolder(env) }: StoreOptions = {}): Store {
  const db = new Database(join(folder, "reins.db"));
  const writer = new Writer(db);
  const sessions = new Sessions(db);
  const leases = new LeaseTable(db);
  const blobs = join(folder, "blobs");

  function open(id: string, about?: SessionAbout): SessionLog {
    if (about === undefined) throw new TypeError("A store has to be told about a session.");
    const { run } = about.owner;
    leases.beat(run);
    const onEnd = (): void => {
      leases.gone(run);
      quietly(() => sessions.removeIfEmpty(id));
      quietly(() => leases.release(id, run));
    };
    return new StoredLog({ db, writer, id, about, onEnd });
  }

  const close = (): void => {
    if (!db.isOpen) return;
    writer.flush();
    db.close();
  };

  return {
    get trouble() {
      return db.trouble;
    },
    takeWarning: () => db.takeWarning(),
    open,
    sessions,
    leases,
    usage: usageRecords(db),
    breakers: breakerTable(db),
    blobs: blobFolder(blobs),
    search: (words, options) => searchStore(db, words, options),
    collect: (options) => collectStore(db, blobs, options),
    close,
    [Symbol.dispose]: close,
  };
}

/** For the end of a session: problems with the store were already reported while it ran. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}
