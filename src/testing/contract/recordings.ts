/** What went over an agent's wire in a scenario, kept as a fixture: without this machine's paths, without what is long. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hideFutureTimes, showFutureTimes } from "./future-times.ts";
import { metaPath, readRecording, type Recording, type WireEntry } from "../wire/recording.ts";

/** What stands for a path in a recording, and the path. */
export type Placeholders = Readonly<Record<string, string>>;

/** Enough to see what a list was, and no more than a driver needs. */
const most = { items: 12, kept: 1, characters: 200 };

/** In the order of their names. */
function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ndjson"))
    .sort()
    .map((name) => join(folder, name));
}

/** How a process ended is written down a little after it did. */
async function allEnded(files: readonly string[]): Promise<void> {
  const end = performance.now() + 2_000;
  while (files.some((file) => !existsSync(metaPath(file))) && performance.now() < end) await sleep(20);
}

function recordingsIn(files: readonly string[]): Promise<Recording[]> {
  return Promise.all(files.map((file) => readRecording(file)));
}

/** Puts what was recorded in one folder into another, as `01.ndjson` and so on. */
export async function keepRecordings(from: string, to: string, places: Placeholders): Promise<void> {
  const files = filesIn(from);
  await allEnded(files);
  const recordings = await recordingsIn(files);
  rmSync(to, { recursive: true, force: true });
  if (recordings.length === 0) return;
  mkdirSync(to, { recursive: true });
  for (const [index, { entries, meta }] of recordings.entries()) {
    const file = join(to, `${String(index + 1).padStart(2, "0")}.ndjson`);
    const now = Date.now();
    const lines = entries.map((entry) => hideFutureTimes(JSON.stringify(brief({ ...entry, t: 0 })), now));
    writeFileSync(file, hide(lines.join("\n") + "\n", places));
    const toldToEnd = entries.some((entry) => "eof" in entry);
    if (meta !== undefined && !(toldToEnd && meta.code === 0 && meta.stderr === ""))
      writeFileSync(metaPath(file), hide(JSON.stringify({ ...meta, args: [] }), places));
  }
}

/** The recordings of one scenario, with the paths of the place where they are played. */
export async function readRecordings(folder: string, places: Placeholders): Promise<Recording[]> {
  const now = Date.now();
  const show = (text: string): string =>
    Object.entries(places).reduce(
      (shown, [name, path]) => shown.replaceAll(`{${name}}`, path),
      showFutureTimes(text, now),
    );
  return (await recordingsIn(filesIn(folder))).map(({ entries, meta }) => ({
    entries: JSON.parse(show(JSON.stringify(entries))) as WireEntry[],
    meta,
  }));
}

/** Also where an agent makes a file name of a path. */
function hide(text: string, places: Placeholders): string {
  const longestFirst = Object.entries(places).toSorted(([, a], [, b]) => b.length - a.length);
  return (
    longestFirst
      .reduce(
        (hidden, [name, path]) =>
          hidden.replaceAll(path, `{${name}}`).replaceAll(path.replaceAll(/[^A-Za-z0-9]/g, "-"), `{${name}}`),
        text,
      )
      // A path that the agent shortened keeps its end.
      .replaceAll(/(?<=contract-)\w{6}(?=\/)/g, "000000")
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:1")
  );
}

function brief(value: unknown): unknown {
  if (typeof value === "string")
    return value.length > most.characters ? `${value.slice(0, most.characters / 2)}…` : value;
  if (Array.isArray(value)) return (value.length > most.items ? value.slice(0, most.kept) : value).map(brief);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, brief(one)]));
}
