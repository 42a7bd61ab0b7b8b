/** File access for agents that run in this process: reads and changes only paths that were allowed. */
import { mkdir, readFile, type FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { diffStats, unifiedDiff } from "../../../events/diff.ts";
import { isReinsError } from "../../../events/errors.ts";
import { displayPath } from "../../../events/paths.ts";
import type { AgentEventOf } from "../../../events/types.ts";
import {
  allowedPath,
  locate,
  openLocated,
  workspaceOf,
  type Access,
  type LocateOptions,
  type Located,
  type Workspace,
} from "../../../workspace/real-paths.ts";
import type { AgentContext, OpenOptions } from "../../contract.ts";
import { ToolProblem } from "./stop-turn.ts";
import type { Running } from "./tool-call.ts";
import type { InProcessTurn } from "./turn.ts";

/** Returns the new text of a file from the old one, which is undefined for a new file. */
export type Change<After = string> = (before: string | undefined) => After;

export class LocatedFiles {
  readonly #workspace: Workspace;

  constructor({ context, options }: { readonly context: AgentContext; readonly options: OpenOptions }) {
    this.#workspace = workspaceOf(options, context.protectedFiles);
  }

  /** The paths of a call, for the decision about it. */
  locate(path: string, options?: LocateOptions): Located {
    if (path.includes("\0")) throw new ToolProblem("A path cannot contain NUL characters.");
    const located = locate(this.#workspace, path, options);
    if (located.real.length === 0) throw new ToolProblem(`${path} cannot be reached.`);
    return located;
  }

  /** The path as people and the core see it. */
  shown(path: string): string {
    const { cwd } = this.#workspace;
    // The core can read these paths in more than one way.
    if (/^(?:~|file:)/.test(path)) return path;
    const dotted = path.split(/[\\/]/).includes("..");
    const clean = (dotted ? locate(this.#workspace, path).real[0] : undefined) ?? resolve(cwd, path);
    return clean === cwd ? "." : displayPath(clean, cwd);
  }

  /** The real path to work on. */
  path(path: string, allowed: readonly Located[], options?: LocateOptions): string {
    try {
      return allowedPath(this.#workspace, path, realPathsOf(allowed), options);
    } catch (error) {
      throw asProblem(error);
    }
  }

  async open(path: string, allowed: readonly Located[], access: Access = "read"): Promise<FileHandle> {
    try {
      return await openLocated(this.#workspace, path, realPathsOf(allowed), access);
    } catch (error) {
      throw asProblem(error);
    }
  }

  async change(
    path: string,
    allowed: readonly Located[],
    change: Change,
    signal: AbortSignal,
  ): Promise<{ readonly op: "create" | "modify"; readonly before: string | undefined; readonly after: string }> {
    const existing = await this.#openExisting(path, allowed);
    if (existing !== undefined) {
      await using file = existing;
      const before = textOf(await file.readFile());
      if (before === undefined) throw new ToolProblem(`${path} is not a text file.`);
      const after = change(before);
      signal.throwIfAborted();
      await replaceText(file, after);
      return { op: "modify", before, after };
    }
    const after = change(undefined);
    signal.throwIfAborted();
    const target = this.path(path, allowed);
    if (locate(this.#workspace, path, { entryItself: true }).real[0] !== target)
      throw new ToolProblem(`${path} is a broken link.`);
    await mkdir(dirname(target), { recursive: true });
    await using file = await this.open(path, allowed, "create");
    await replaceText(file, after);
    return { op: "create", before: undefined, after };
  }

  async #openExisting(path: string, allowed: readonly Located[]): Promise<FileHandle | undefined> {
    try {
      return await this.open(path, allowed, "write");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }
}

/** The diff of a change; undefined when the file is not text or the diff is too long. */
export async function previewChange(
  turn: InProcessTurn,
  path: string,
  change: Change<string | undefined>,
): Promise<string | undefined> {
  const { files, host } = turn.context;
  const found = await textAt(files.locate(path).real[0]!);
  if (found !== "missing" && found.text === undefined) return undefined;
  const before = found === "missing" ? undefined : found.text;
  const diff = unifiedDiff(files.shown(path), before, change(before));
  return diff.length > host.limits.inlineBytes ? undefined : diff;
}

/** Makes the change and reports it. Returns whether the file is new. */
export async function changeFile(
  turn: InProcessTurn,
  running: Running,
  path: string,
  change: Change,
): Promise<"create" | "modify"> {
  const changed = await turn.context.files.change(path, running.allowed, change, turn.signal);
  reportChange(turn, running, { path, ...changed });
  return changed.op;
}

export interface Changed {
  readonly path: string;
  readonly op: "create" | "modify" | "delete";
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function reportChange(turn: InProcessTurn, { callId }: Running, { path, op, before, after }: Changed): void {
  const { files, host } = turn.context;
  const shown = files.shown(path);
  const diff = unifiedDiff(shown, before, after);
  const event: AgentEventOf<"file.changed"> = { type: "file.changed", path: shown, op, ...diffStats(diff), callId };
  if (diff.length <= host.limits.inlineBytes) event.diff = diff;
  turn.close(event);
}

/** `text` is undefined when the file is not text. */
export async function textAt(real: string): Promise<{ readonly text: string | undefined } | "missing"> {
  try {
    return { text: textOf(await readFile(real)) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "missing";
    throw error;
  }
}

function textOf(bytes: Buffer): string | undefined {
  return bytes.includes(0) ? undefined : bytes.toString("utf8");
}

/** Writes from the first byte, whatever the position of the handle. */
async function replaceText(file: FileHandle, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await file.truncate(0);
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
}

function realPathsOf(allowed: readonly Located[]): readonly string[] {
  return allowed.flatMap(({ real }) => real);
}

function asProblem(error: unknown): unknown {
  return isReinsError(error) && error.code === "permission_denied" ? new ToolProblem(error.message, "denied") : error;
}
