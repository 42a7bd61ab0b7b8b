/** Writing a file and saying so: what `write`, `edit` and the tour have in common. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { diffStats, unifiedDiff } from "../../events/diff.ts";
import type { AgentEventOf } from "../../events/types.ts";
import type { Turn } from "./turn.ts";
import { insidePath, shownPath } from "./workspace.ts";

/** What is to become of the text a file has now; undefined when there is no such file. */
export type Change = (before: string | undefined) => string;

/** The diff a change would make, without making it. */
export async function previewChange(turn: Turn, path: string, change: Change): Promise<string> {
  const before = await textOf(await insidePath(turn.desk.options, path));
  return unifiedDiff(shownPath(turn.desk.options, path), before, change(before));
}

/** Makes the change and reports it; says whether the file is new. */
export async function changeFile(
  turn: Turn,
  callId: string,
  path: string,
  change: Change,
): Promise<"create" | "modify"> {
  // Looked at again: a person may have taken minutes to say yes.
  const real = await insidePath(turn.desk.options, path);
  const before = await textOf(real);
  const after = change(before);
  turn.signal.throwIfAborted();
  await mkdir(dirname(real), { recursive: true });
  await writeFile(real, after);
  const op = before === undefined ? "create" : "modify";
  const shown = shownPath(turn.desk.options, path);
  const diff = unifiedDiff(shown, before, after);
  const changed: AgentEventOf<"file.changed"> = { type: "file.changed", path: shown, op, ...diffStats(diff), callId };
  if (diff.length <= turn.desk.context.limits.inlineBytes) changed.diff = diff;
  turn.close(changed);
  return op;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
