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

/** A container often has only 64 MB there, lets nobody write, or allows no program to be started from it. */
function usableFolder(): string | undefined {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(prefix);
    const { bavail, bsize } = statfsSync(folder);
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    if (bavail * bsize >= neededBytes && spawnSync(program).status === 0) return folder;
  } catch {
    // The disk will do.
  }
  if (folder !== undefined) remove(folder);
  return undefined;
}

export function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !existsSync(shared)) return undefined;
  // A run that was killed left its own. Another run may remove it first.
  for (const path of globSync(`${prefix}*`)) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && found.mtimeMs < Date.now() - dayMs) remove(path);
  }
  const folder = usableFolder();
  if (folder === undefined) return undefined;
  process.env["TMPDIR"] = folder;
  return () => {
    delete process.env["TMPDIR"];
    remove(folder);
  };
}

/** Does not throw: what stays is removed by a run a day later. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A process that outlives its test may still write there, or the folder is another user's.
  }
}
