/** A patch of several files, file by file. Pure. */
import { parsePatch, type StructuredPatch } from "diff";

export function patchFiles(patch: string): readonly { readonly path: string; readonly diff: string }[] {
  // Within a hunk every line begins with a sign or a space: this one is always the beginning of a file.
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.trim() !== "");
  return parts.map((diff) => ({ path: pathOf(diff), diff }));
}

/** Where the file is now, or where it was when it is gone. Only the head is parsed: a long patch is cut within a hunk. */
function pathOf(diff: string): string {
  const [head = ""] = diff.split(/^@@/m, 1);
  const { oldFileName = "", newFileName = oldFileName } = parsedHead(head);
  return (newFileName === "/dev/null" ? oldFileName : newFileName).replace(/^[ab]\//, "");
}

function parsedHead(head: string): Partial<StructuredPatch> {
  try {
    return parsePatch(head)[0] ?? {};
  } catch {
    return {};
  }
}
