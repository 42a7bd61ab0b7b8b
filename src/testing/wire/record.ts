/** Records the wire traffic of every child, without its secrets. */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Redactor } from "../../events/redact.ts";
import { readKept } from "./archive.ts";
import type { Child, LaunchSpec, LineBatch, Processes } from "../../process/types.ts";

/** Options of `recordWire`. */
export interface RecordOptions {
  /** The folder for the recordings: `01-<agent>.ndjson` and so on, one per child. */
  readonly folder: string;
  /** Removes secrets from everything that is written. */
  readonly redact: Redactor;
  /** Called for every child with a function that puts a mark into its recording. A replay waits at a mark until it is released. */
  readonly onChild?: ((mark: (name: string) => void) => void) | undefined;
}

/** Returns the same processes, with every launched child recorded. Short commands (`run`) are not recorded. */
export function recordWire(processes: Processes, options: RecordOptions): Processes {
  let children = 0;
  mkdirSync(options.folder, { recursive: true });
  return {
    async launch(spec) {
      const child = await processes.launch(spec);
      const file = join(options.folder, `${String(++children).padStart(2, "0")}-${spec.agent}.ndjson`);
      return recorded(child, spec, file, options);
    },
    run: (spec, deadlineMs) => processes.run(spec, deadlineMs),
    reap: () => processes.reap(),
    close: () => processes.close(),
  };
}

function recorded(child: Child, spec: LaunchSpec, file: string, { redact, onChild }: RecordOptions): Child {
  const started = performance.now();
  const fd = openSync(file, "wx", 0o600);
  let open = true;
  const note = (entry: WireEntry): void => {
    // Written at once, so that a crash loses nothing. A line after the end is dropped.
    if (open) writeSync(fd, JSON.stringify(redact.deep(entry)) + "\n");
  };
  const now = () => Math.round(performance.now() - started);
  const noteLine = (dir: "in" | "out", line: string) => note(lineEntry(now(), dir, line));

  onChild?.((name) => note({ t: now(), dir: "mark", mark: name }));

  const finish = async (): Promise<void> => {
    const { code, signal } = await child.exited;
    const meta: WireMeta = { args: spec.args, code, signal, stderr: child.stderrTail() };
    writeFileSync(metaPath(file), JSON.stringify(redact.deep(meta), null, 1), { mode: 0o600 });
  };
  // Ignore a recording whose folder was already removed.
  finish().catch(() => undefined);

  let unfinished = "";
  async function* lines(): AsyncGenerator<LineBatch> {
    try {
      for await (const batch of child.lines) {
        for (const line of batch.lines) noteLine("out", line);
        yield batch;
      }
    } finally {
      open = false;
      closeSync(fd);
    }
  }
  return {
    pid: child.pid,
    lines: lines(),
    write(text) {
      const parts = (unfinished + text).split("\n");
      unfinished = parts.pop() ?? "";
      for (const line of parts) noteLine("in", line);
      return child.write(text);
    },
    closeStdin() {
      note({ t: now(), dir: "in", eof: true });
      child.closeStdin();
    },
    stderrTail: () => child.stderrTail(),
    exited: child.exited,
    stop: (options) => child.stop(options),
  };
}

interface Timed {
  /** Milliseconds since the process started. */
  readonly t: number;
}

/**
 * An entry of a recording: a message, text that is not JSON, the end of stdin, a signal, or a mark of the recorder. `in` is what Reins
 * wrote to the process, `out` is what the process printed.
 */
export type WireEntry =
  | (Timed & { readonly dir: "in" | "out"; readonly msg: unknown })
  | (Timed & { readonly dir: "in" | "out"; readonly text: string })
  | (Timed & { readonly dir: "in"; readonly eof: true })
  | (Timed & { readonly dir: "sig"; readonly sig: string })
  | (Timed & { readonly dir: "mark"; readonly mark: string });

/** How the recorded process was started and how it ended. */
export interface WireMeta {
  readonly args: readonly string[];
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** The wire traffic of one process, as `readRecording` reads it. */
export interface Recording {
  readonly entries: readonly WireEntry[];
  /** Undefined if the process did not end while it was recorded. */
  readonly meta: WireMeta | undefined;
}

export const lineEntry = (t: number, dir: "in" | "out", line: string): WireEntry => {
  try {
    return { t, dir, msg: JSON.parse(line) as unknown };
  } catch {
    return { t, dir, text: line };
  }
};

export function lineOf(entry: WireEntry): string | undefined {
  if ("msg" in entry) return JSON.stringify(entry.msg);
  return "text" in entry ? entry.text : undefined;
}

export const metaPath = (file: string): string => file.replace(/\.ndjson$/, "") + ".meta.json";

/** Reads a recording: an `.ndjson` file, or a path inside an archive of recordings. */
export async function readRecording(file: string): Promise<Recording> {
  const text = readKept(file) ?? (await readFile(file, "utf8"));
  const lines = text.split("\n").filter((line) => line !== "");
  const meta = readKept(metaPath(file));
  return { entries: lines.flatMap(parseEntry), meta: meta === undefined ? undefined : (JSON.parse(meta) as WireMeta) };
}

/** Old recordings call text `raw`, or wrap it in a message of type `__text`. Marks of the old recorder's own deadline are skipped. */
function parseEntry(line: string): WireEntry[] {
  const entry = JSON.parse(line) as Timed & { dir: string; raw?: string; msg?: { type?: unknown; l?: unknown } | null };
  if (!["in", "out", "sig", "mark"].includes(entry.dir)) return [];
  if (typeof entry.raw === "string") return entry.raw.trim() === "" ? [] : [{ t: entry.t, dir: "in", text: entry.raw }];
  if (entry.msg?.type === "__text") return [{ t: entry.t, dir: entry.dir as "out", text: String(entry.msg.l) }];
  return [entry as unknown as WireEntry];
}
