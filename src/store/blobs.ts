/** Stores large content in files named by their hash, so equal content is stored once. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Blobs } from "../core/log/types.ts";

/** Maximum bytes stored of one content; the rest is cut. */
export const mostBytes = 16 * 1024 * 1024;

const shape = /^sha256-([0-9a-f]{2})([0-9a-f]{62})$/;

export function blobFolder(folder: string): Blobs {
  return {
    put(content) {
      const all = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
      const kept = all.subarray(0, mostBytes);
      // Load crypto on demand: most sessions have no large content.
      const { createHash } = process.getBuiltinModule("node:crypto");
      const ref = `sha256-${createHash("sha256").update(kept).digest("hex")}`;
      try {
        write(blobPath(folder, ref)!, kept);
        return ref;
      } catch {
        return undefined;
      }
    },
    get(ref) {
      const path = blobPath(folder, ref);
      try {
        return path === undefined ? undefined : readFileSync(path);
      } catch {
        return undefined;
      }
    },
  };
}

/** Returns undefined for anything that is not a valid reference, so a path never leaves the folder. */
export function blobPath(folder: string, ref: string): string | undefined {
  const [, first, rest] = shape.exec(ref) ?? [];
  return first === undefined || rest === undefined ? undefined : join(folder, first, rest);
}

function write(path: string, content: Buffer): void {
  try {
    if (statSync(path).size === content.length) {
      // The content is used again: renew its age, because young files are not collected.
      const now = new Date();
      return utimesSync(path, now, now);
    }
  } catch {
    // The file does not exist yet.
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  try {
    writeFileSync(draft, content, { mode: 0o600 });
    renameSync(draft, path);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}
