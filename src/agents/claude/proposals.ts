/** What an edit would do, for the person who is asked. */
import { readFileSync, statSync } from "node:fs";
import { unifiedDiff } from "../../events/diff.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

/** A larger file is not read for a preview. */
const maxBytes = 1024 * 1024;

/** Undefined where there is nothing to show: another tool, a file that is too large, an edit that does not fit. */
export function proposedDiff(nativeName: string, input: Wire, cwd: string): string | undefined {
  const path = text(input["file_path"]);
  if (path === undefined || (nativeName !== "Write" && nativeName !== "Edit")) return undefined;
  const before = contentOf(path);
  if (before === undefined) return undefined;
  const after = nativeName === "Write" ? input["content"] : edited(before.text ?? "", input);
  if (typeof after !== "string" || after.length > maxBytes) return undefined;
  return unifiedDiff(workspacePath(path, cwd), before.text, after) || undefined;
}

function edited(before: string, input: Wire): string | undefined {
  const { old_string: from, new_string: to } = input;
  if (typeof from !== "string" || typeof to !== "string" || !before.includes(from)) return undefined;
  // As functions, because a replacement text has a language of its own ($&).
  return input["replace_all"] === true ? before.replaceAll(from, () => to) : before.replace(from, () => to);
}

/** `text` is undefined when there is no such file. */
function contentOf(path: string): { text: string | undefined } | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { text: undefined };
    return found.isFile() && found.size <= maxBytes ? { text: readFileSync(path, "utf8") } : undefined;
  } catch {
    return undefined;
  }
}
