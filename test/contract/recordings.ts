/** Recordings of an agent's wire in a scenario, stored as fixtures: without paths of this machine, and with long values shortened. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { keptNames, replaceKept } from "../../src/testing/wire/archive.ts";
import { metaPath, readRecording, type Recording, type WireEntry } from "../../src/testing/wire/record.ts";

/** Maps each placeholder in a recording to its path. */
type Placeholders = Readonly<Record<string, string>>;

/** Keeps enough of a list to recognise it, and no more than a driver needs. */
const most = { items: 12, kept: 1, characters: 200 };

const filesIn = (folder: string): string[] =>
  keptNames(folder)
    .filter((name) => name.endsWith(".ndjson"))
    .map((name) => join(folder, name));

/** Waits for the exit records: the exit of a process is written shortly after it. */
async function allEnded(files: readonly string[]): Promise<void> {
  const end = performance.now() + 2_000;
  while (files.some((file) => !existsSync(metaPath(file))) && performance.now() < end) await sleep(20);
}

const recordingsIn = (files: readonly string[]) => Promise.all(files.map(readRecording));

/** Copies the recordings of one folder into a folder of an archive, as `01.ndjson` and so on. */
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

/** Reads the recordings of one scenario and inserts the paths of the place where they are replayed. */
export async function readRecordings(folder: string, places: Placeholders): Promise<Recording[]> {
  return shownRecordings(await recordingsIn(filesIn(folder)), places);
}

/** Reads the recordings in a folder and removes what is specific to this machine; error messages are kept whole. */
export async function hiddenRecordings(folder: string, places: Placeholders): Promise<Recording[]> {
  const files = filesIn(folder);
  await allEnded(files);
  const now = Date.now();
  const hidden = (value: unknown): unknown =>
    // Replace paths before shortening: a cut path would not be recognised.
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

/** Replaces paths, also where an agent makes a file name from a path. */
function hide(text: string, places: Placeholders): string {
  const longestFirst = Object.entries(places).toSorted(([, a], [, b]) => b.length - a.length);
  return (
    longestFirst
      .reduce(
        (hidden, [name, path]) =>
          hidden.replaceAll(path, `{${name}}`).replaceAll(path.replaceAll(/[^A-Za-z0-9]/g, "-"), `{${name}}`),
        text,
      )
      // Keep the end of a path that the agent shortened.
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

/** Future times, such as the reset of a limit, are stored as a distance. Nearer times belong to the recording itself. */
const soonMs = 60_000;
const latestMs = 400 * 86_400_000;

/** Replaces future times in a line of JSON: `"resetsAt":1794872416` becomes `"resetsAt":"{in 3600 s}"`. Digits in a text are kept. */
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
