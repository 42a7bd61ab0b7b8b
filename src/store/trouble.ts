/** What is wrong with a store, in one sentence each. */
import type { SqliteTrouble } from "./sqlite.ts";
import { troubleOf } from "./sqlite.ts";

const reasons: Readonly<Record<SqliteTrouble, string>> = {
  busy: "another process holds it for too long",
  readonly: "it may only be read",
  disk: "the disk does not answer as it should",
  corrupt: "it is damaged",
  full: "the disk is full",
  cannot_open: "it cannot be opened",
};

export function isDamaged(thrown: unknown): boolean {
  return troubleOf(thrown) === "corrupt";
}

/** Of whatever was thrown: why the store cannot be used. */
export function reasonOf(thrown: unknown): string {
  const known = troubleOf(thrown);
  if (known !== undefined) return reasons[known];
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "it may not be written to";
  if (code === "ENOSPC") return reasons.full;
  return (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, "");
}

export function newerVersion(path: string): string {
  return `The store ${path} was written by a newer Reins and is left alone; nothing is kept. Update Reins to use it.`;
}
