/**
 * Before any test: temporary files go to memory where the machine has a file system for that. The tests make and remove some ten thousand folders, and
 * on a disk that takes a tenth of their time. Set TMPDIR to have them elsewhere.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const shared = "/dev/shm";
const prefix = join(shared, "reins-test-");
const neededBytes = 2 ** 30;
const dayMs = 86_400_000;

/** A container often has only 64 MB there, or allows no program to be started from it. */
function isUsable(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  return bavail * bsize >= neededBytes && spawnSync(program).status === 0;
}

export function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !existsSync(shared)) return undefined;
  // A run that was killed left its own.
  for (const path of globSync(`${prefix}*`))
    if (statSync(path).mtimeMs < Date.now() - dayMs) rmSync(path, { recursive: true, force: true });
  const folder = mkdtempSync(prefix);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (!isUsable(folder)) {
    remove();
    return undefined;
  }
  process.env["TMPDIR"] = folder;
  return () => {
    delete process.env["TMPDIR"];
    remove();
  };
}
