import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file that only the person may read, whole or not at all. */
export function writePrivate(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  const partial = `${path}.${process.pid}.part`;
  writeFileSync(partial, text, { mode: 0o600 });
  renameSync(partial, path);
}
