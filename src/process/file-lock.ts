/** One at a time, however many processes there are and whatever kills them: the lock is the kernel's and goes with its process. */
import type * as sqlite from "node:sqlite";
import { ReinsError } from "../events/errors.ts";

/** Whoever holds it works for milliseconds. */
const patienceMs = 5_000;

/** Does it with the lock at `path`. Nothing in it may wait: it is all one step, also for the rest of this process. */
export function locked<Value>(path: string, work: () => Value): Value {
  const { DatabaseSync } = load();
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${patienceMs}; BEGIN EXCLUSIVE`);
    return work();
  } finally {
    database.close();
  }
}

/** SQLite comes with Node, and has the only lock of Node's that a kill -9 opens. It is loaded when it is needed, and Node 22 warns then. */
function load(): typeof sqlite {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    const found = process.getBuiltinModule("node:sqlite") as typeof sqlite | undefined;
    if (found === undefined) throw new ReinsError("unsupported", "This Node has no SQLite.");
    return found;
  } finally {
    process.emitWarning = emitWarning;
  }
}
