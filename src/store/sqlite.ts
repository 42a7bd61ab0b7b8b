/** SQLite is part of Node. It is loaded only when a store is opened. */
import type * as sqlite from "node:sqlite";
import type { DatabaseSync } from "node:sqlite";
import { ReinsError } from "../events/errors.ts";

export function openFile(path: string): DatabaseSync {
  const { DatabaseSync: Opened } = load();
  return new Opened(path);
}

function load(): typeof sqlite {
  // Suppress the warning: Node 22 prints to stderr that SQLite is experimental when it is loaded.
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

const reasons = {
  busy: "another process locks it for too long",
  readonly: "it is read-only",
  disk: "the disk reports an error",
  corrupt: "it is damaged",
  full: "the disk is full",
  cannot_open: "it cannot be opened",
};

type SqliteTrouble = keyof typeof reasons;

/** Undefined when the error is not about the file or the disk. */
export function troubleOf(thrown: unknown): SqliteTrouble | undefined {
  const code = thrown instanceof Error && "errcode" in thrown ? thrown.errcode : undefined;
  // Keep the primary result code; the upper bytes are details.
  return typeof code === "number" ? names[code & 0xff] : undefined;
}

export function isDamaged(thrown: unknown): boolean {
  return troubleOf(thrown) === "corrupt";
}

/** Why the store cannot be used, as part of a sentence. */
export function reasonOf(thrown: unknown): string {
  const known = troubleOf(thrown);
  if (known !== undefined) return reasons[known];
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "it is not writable";
  if (code === "ENOSPC") return reasons.full;
  return (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, "");
}
