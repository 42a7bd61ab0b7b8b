/** SQLite comes with Node. It is loaded when a store is opened and not before. */
import type * as sqlite from "node:sqlite";
import type { DatabaseSync } from "node:sqlite";
import { ReinsError } from "../events/errors.ts";

export type { DatabaseSync, StatementSync } from "node:sqlite";

export function openFile(path: string): DatabaseSync {
  const { DatabaseSync: Opened } = load();
  return new Opened(path);
}

function load(): typeof sqlite {
  // Node 22 warns that it is experimental, on everybody's stderr, while it is being loaded.
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

const names: Readonly<Record<number, SqliteTrouble>> = {
  5: "busy",
  6: "busy",
  8: "readonly",
  10: "disk",
  11: "corrupt",
  13: "full",
  14: "cannot_open",
  26: "corrupt",
};

export type SqliteTrouble = "busy" | "readonly" | "disk" | "corrupt" | "full" | "cannot_open";

/** What sort of trouble SQLite has; undefined for what is no trouble of the disk. */
export function troubleOf(thrown: unknown): SqliteTrouble | undefined {
  const code = thrown instanceof Error && "errcode" in thrown ? thrown.errcode : undefined;
  // The upper bytes are details.
  return typeof code === "number" ? names[code & 0xff] : undefined;
}
