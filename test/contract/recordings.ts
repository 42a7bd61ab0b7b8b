/** What went over an agent's wire in a scenario, kept as a fixture: without this machine's paths, without what is long. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { keptNames, replaceKept } from "../../src/testing/wire/archive.ts";
import { metaPath, readRecording, type Recording, type WireEntry } from "../../src/testing/wire/record.ts";

/** What stands for a path in a recording, and the path. */
type Placeholders = Readonly<Record<string, string>>;

/** Enough to see what a list was, and no more than a driver needs. */
const most = { items: 12, kept: 1, characters: 200 };

const filesIn = (folder: string): string[] =>
  keptNames(folder)
    .filter((name) => name.endsWith(".ndjson"))
    .map((name) => join(folder, name));

/** How a process ended is written down a little after it did. */
async function allEnded(files: readonly string[]): Promise<void> {
  const end = performance.now() + 2_000;
  while (files.some((file) => !existsSync(metaPath(file))) && performance.now() < end) await sleep(20);
}

const recordingsIn = (files: readonly string[]) => Promise.all(files.map(readRecording));

/** Puts the recordings of one folder into a folder of an archive, as `01.ndjson` and so on. */
export async function keepRecordings(from: string, to: string, places: Placeholders): Promise<void> {
  const files = filesIn(from);
  await allEnded(files);
  const recordings = await recordingsIn(files);
  const kept = new Map<string, string>();
  for (const [index, { entries, meta }] of recordings.entries()) {
    const name = `${String(index + 1).padStart(2, "0")}.ndjson`;
    const now = Date.now();
    const lines = entries.map((entry) => hideFutureTimes(JSON.stringify(brief({ ...entry, t: 0 })), now));
    kept.set(name, hide(lines.join("\n") + "\n", places));
    const toldToEnd = entries.some((entry) => "eof" in entry);
    if (meta !== undefined && !(toldToEnd && meta.code === 0 && meta.stderr === ""))
      kept.set(metaPath(name), hide(JSON.stringify({ ...meta, args: [] }), places));
  }
  replaceKept(to, kept);
}

/** The recordings of one scenario, with the paths of the place where they are played. */
export async function readRecordings(folder: string, places: Placeholders): Promise<Recording[]> {
  return shownRecordings(await recordingsIn(filesIn(folder)), places);
}

/** What was recorded in a folder, without what only that place had; error messages are kept whole. */
export async function hiddenRecordings(folder: string, places: Placeholders): Promise<Recording[]> {
  const files = filesIn(folder);
  await allEnded(files);
  const now = Date.now();
  const hidden = (value: unknown): unknown =>
    // Hidden before it is cut: half a path is known no more.
    brief(JSON.parse(hide(hideFutureTimes(JSON.stringify(value), now), places)), longMessage);
  return (await recordingsIn(files)).map(({ entries, meta }) => ({
    entries: entries.map((entry) => hidden({ ...entry, t: 0 }) as WireEntry),
    meta: meta === undefined ? undefined : (hidden({ ...meta, args: [] }) as Recording["meta"]),
  }));
}

const longMessage = 600;

export function shownRecordings(recordings: readonly Recording[], places: Placeholders): Recording[] {
  const now = Date.now();
  const show = (text: string): string =>
    Object.entries(places).reduce(
      (shown, [name, path]) => shown.replaceAll(`{${name}}`, path),
      showFutureTimes(text, now),
    );
  return recordings.map(({ entries, meta }) => ({
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

function brief(value: unknown, characters: number = most.characters): unknown {
  if (typeof value === "string") return value.length > characters ? `${value.slice(0, characters / 2)}…` : value;
  if (Array.isArray(value))
    return (value.length > most.items ? value.slice(0, most.kept) : value).map((one) => brief(one, characters));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, brief(one, characters)]));
}

/** Times ahead, such as the reset of a limit, are kept as a distance. Sooner ones are about the recording itself. */
const soonMs = 60_000;
const latestMs = 400 * 86_400_000;

/** In a line of JSON: `"resetsAt":1794872416` becomes `"resetsAt":"{in 3600 s}"`. Digits in a text are left as they are. */
export function hideFutureTimes(json: string, now: number): string {
  return changed(json, (value) => {
    const digits = typeof value === "number" ? String(value) : "";
    if (!/^\d{10}(\d{3})?$/.test(digits)) return value;
    const unit = digits.length === 10 ? 1000 : 1;
    const ahead = Number(digits) * unit - now;
    if (ahead < soonMs || ahead > latestMs) return value;
    return `{in ${Math.round(ahead / unit)} ${unit === 1 ? "ms" : "s"}}`;
  });
}

export function showFutureTimes(json: string, now: number): string {
  return changed(json, (value) => {
    const [, ahead, unit] = (typeof value === "string" && /^\{in (\d+) (ms|s)\}$/.exec(value)) || [];
    return ahead === undefined ? value : Math.floor(unit === "ms" ? now : now / 1000) + Number(ahead);
  });
}

const changed = (json: string, change: (value: unknown) => unknown): string =>
  JSON.stringify(JSON.parse(json, (_key, value) => change(value)));
