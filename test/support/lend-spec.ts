import type { BorrowSpec } from "../../src/process/types.ts";

const mark = "<ours>";

/** Puts a mark at the end of a file for as long as it is borrowed. */
export function lendSpec(root: string, path = "a/b.json"): BorrowSpec {
  return {
    agent: "test",
    root,
    path,
    change: (before) => `${before ?? ""}${mark}`,
    shares: (installed) => installed.includes(mark),
    retract: (now) => now.replaceAll(mark, "") || undefined,
  };
}
