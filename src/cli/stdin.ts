import { fstatSync, statSync } from "node:fs";
import { devNull } from "node:os";
import type { Stdin } from "./prompt.ts";

/** None where it is the null device: opening that, to read nothing, takes longer than looking. */
export function stdinOf(descriptor: number): Stdin | undefined {
  return isNull(descriptor) ? undefined : process.stdin;
}

function isNull(descriptor: number): boolean {
  try {
    const [it, nothing] = [fstatSync(descriptor), statSync(devNull)];
    return it.isCharacterDevice() && it.rdev === nothing.rdev;
  } catch {
    return false;
  }
}
