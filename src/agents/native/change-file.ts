/** Changing a file and saying so: what `write` and `edit` have in common. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { diffStats, unifiedDiff } from "../../events/diff.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { ToolProblem } from "../shared/endings.ts";
import { shown, workPlace } from "./places.ts";
import { realPlace } from "../shared/real-path.ts";
import type { Running } from "./tools/definition.ts";
import type { Turn } from "./turn.ts";

/** What is to become of the text a file has now; undefined when there is no such file. */
export type Change = (before: string | undefined) => string;

/** The diff a change would make, without making it. */
export async function previewChange(turn: Turn, path: string, change: Change): Promise<string | undefined> {
  const before = await textOf(await realPlace(turn.desk.options.cwd, path), path);
  const diff = unifiedDiff(shown(turn, path), before, change(before));
  return diff.length > turn.desk.context.limits.inlineBytes ? undefined : diff;
}

/** Makes the change and reports it; says whether the file is new. */
export async function changeFile(
  turn: Turn,
  path: string,
  change: Change,
  running: Running,
): Promise<"create" | "modify"> {
  const real = await workPlace(turn, path, running);
  const before = await textOf(real, path);
  const after = change(before);
  turn.signal.throwIfAborted();
  await mkdir(dirname(real), { recursive: true });
  await writeFile(real, after);
  const op = before === undefined ? "create" : "modify";
  const diff = unifiedDiff(shown(turn, path), before, after);
  const changed: AgentEventOf<"file.changed"> = {
    type: "file.changed",
    path: shown(turn, path),
    op,
    ...diffStats(diff),
    callId: running.callId,
  };
  if (diff.length <= turn.desk.context.limits.inlineBytes) changed.diff = diff;
  turn.close(changed);
  return op;
}

async function textOf(real: string, asked: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(real);
    if (bytes.includes(0)) throw new ToolProblem(`${asked} is not a text file.`);
    return bytes.toString("utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
