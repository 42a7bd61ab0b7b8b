/** A recorded wire stream: NDJSON, one line a message, both directions, with `NAME.meta.json` beside `NAME.ndjson`. */
import { readFile } from "node:fs/promises";

interface Timed {
  /** Milliseconds since the process started. */
  readonly t: number;
}

/** One thing that went over the wire: a message, text that is no JSON, the end of stdin, or a signal; or a mark of whoever recorded it. */
export type WireEntry =
  | (Timed & { readonly dir: "in" | "out"; readonly msg: unknown })
  | (Timed & { readonly dir: "in" | "out"; readonly text: string })
  | (Timed & { readonly dir: "in"; readonly eof: true })
  | (Timed & { readonly dir: "sig"; readonly sig: string })
  | (Timed & { readonly dir: "mark"; readonly mark: string });

/** How the process was started and how it ended. */
export interface WireMeta {
  readonly args: readonly string[];
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

export interface Recording {
  readonly entries: readonly WireEntry[];
  /** Undefined when the process never ended while it was recorded. */
  readonly meta: WireMeta | undefined;
}

/** A line of a wire as it is recorded. */
export const lineEntry = (t: number, dir: "in" | "out", line: string): WireEntry => {
  try {
    return { t, dir, msg: JSON.parse(line) as unknown };
  } catch {
    return { t, dir, text: line };
  }
};

/** The line an entry was, or undefined where it was none. */
export function lineOf(entry: WireEntry): string | undefined {
  if ("msg" in entry) return JSON.stringify(entry.msg);
  return "text" in entry ? entry.text : undefined;
}

export const metaPath = (file: string): string => file.replace(/\.ndjson$/, "") + ".meta.json";

export async function readRecording(file: string): Promise<Recording> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  const meta = await readFile(metaPath(file), "utf8").catch(() => undefined);
  return { entries: lines.flatMap(parseEntry), meta: meta === undefined ? undefined : (JSON.parse(meta) as WireMeta) };
}

/** Old recordings call text `raw`, or wrap it as a message of type `__text`; their marks of the recorder's own deadline say nothing. */
function parseEntry(line: string): WireEntry[] {
  const entry = JSON.parse(line) as Timed & { dir: string; raw?: string; msg?: { type?: unknown; l?: unknown } | null };
  if (!["in", "out", "sig", "mark"].includes(entry.dir)) return [];
  if (typeof entry.raw === "string") return entry.raw.trim() === "" ? [] : [{ t: entry.t, dir: "in", text: entry.raw }];
  if (entry.msg?.type === "__text") return [{ t: entry.t, dir: entry.dir as "out", text: String(entry.msg.l) }];
  return [entry as unknown as WireEntry];
}
