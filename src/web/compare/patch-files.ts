/** Splits a patch of several files into one patch per file. */
import { parsePatch, type StructuredPatch } from "diff";

export function patchFiles(patch: string): readonly { readonly path: string; readonly diff: string }[] {
  // Lines inside a hunk begin with a sign or a space, so this line always starts a file.
  const parts = patch.split(/^(?=diff --git )/m).filter((part) => part.trim() !== "");
  return parts.map((diff) => ({ path: pathOf(diff), diff }));
}

/** The new path, or the old path of a deleted file. Only the header is parsed: a long patch is cut inside a hunk. */
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
