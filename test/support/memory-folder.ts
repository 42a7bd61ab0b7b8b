/**
 * Runs before all tests: puts temporary files into memory if the machine has a file system for that. The tests create and remove about ten
 * thousand folders, which takes a tenth of their time on a disk. Set TMPDIR to use another folder.
 */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const shared = "/dev/shm";
const prefix = join(shared, "reins-test-");
const neededBytes = 2 ** 30;
const dayMs = 86_400_000;

/** A container often has only 64 MB there, no write access, or does not allow to start programs from it. */
function usableFolder(): string | undefined {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(prefix);
    const { bavail, bsize } = statfsSync(folder);
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    if (bavail * bsize >= neededBytes && spawnSync(program).status === 0) return folder;
  } catch {
    // Use the disk.
  }
  if (folder !== undefined) remove(folder);
  return undefined;
}

export function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !existsSync(shared)) return undefined;
  // Remove the folders of earlier runs that were killed. Another run may remove them first.
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

/** Does not throw: a run a day later removes what is left. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A process that outlives its test may still write there, or the folder belongs to another user.
  }
}
