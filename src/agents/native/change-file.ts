/** Changing a file and saying so: what the tools that change files have in common. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { diffStats, unifiedDiff } from "../../events/diff.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { ToolProblem } from "../shared/endings.ts";
import { realPlace } from "../shared/real-path.ts";
import { shown, workPlace } from "./places.ts";
import type { Running } from "./tools/definition.ts";
import type { Turn } from "./turn.ts";

/** What is to become of the text a file has now; undefined where there is no such file, before or after. */
export type Change<After = string> = (before: string | undefined) => After;

/** The diff a change would make, without making it; none of what is not text. */
export async function previewChange(
  turn: Turn,
  path: string,
  change: Change<string | undefined>,
): Promise<string | undefined> {
  const found = await textAt(await realPlace(turn.desk.options.cwd, path));
  if (found !== "missing" && found.text === undefined) return undefined;
  const before = found === "missing" ? undefined : found.text;
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
  const found = await textAt(real);
  if (found !== "missing" && found.text === undefined) throw new ToolProblem(`${path} is not a text file.`);
  const before = found === "missing" ? undefined : found.text;
  const after = change(before);
  turn.signal.throwIfAborted();
  await mkdir(dirname(real), { recursive: true });
  await writeFile(real, after);
  const op = before === undefined ? "create" : "modify";
  reportChange(turn, running, { path, op, before, after });
  return op;
}

export interface Changed {
  readonly path: string;
  readonly op: "create" | "modify" | "delete";
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function reportChange(turn: Turn, { callId }: Running, { path, op, before, after }: Changed): void {
  const diff = unifiedDiff(shown(turn, path), before, after);
  const event: AgentEventOf<"file.changed"> = {
    type: "file.changed",
    path: shown(turn, path),
    op,
    ...diffStats(diff),
    callId,
  };
  if (diff.length <= turn.desk.context.limits.inlineBytes) event.diff = diff;
  turn.close(event);
}

/** Of a file that is not text there is none. */
export async function textAt(real: string): Promise<{ readonly text: string | undefined } | "missing"> {
  try {
    const bytes = await readFile(real);
    return { text: bytes.includes(0) ? undefined : bytes.toString("utf8") };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "missing";
    throw error;
  }
}
