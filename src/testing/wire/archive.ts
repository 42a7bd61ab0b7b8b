/**
 * Many recorded files in one text file, so that a folder of fixtures stays small and a diff readable. Each file is a section (`=== name`),
 * with one line per line: `> {...}` was sent and `< {...}` printed, both with the time if it was kept (`<12 {...}`), `: {...}` is other
 * JSON and `| ...` any other text. A long value that occurs more than once is written once, at the top, under the hash of its content (`$
 * hash value`); `{"$":"hash"}` refers to it.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The text of each file, by its name. */
export type Archive = ReadonlyMap<string, string>;

/** Shorter values are written wherever they occur. */
const longValue = 160;
const noNewline = " (no newline at the end)";

/** Splits a path that leads into an archive: `claude/contract/answers.recordings/text/01.ndjson`. */
function inArchive(path: string): { readonly archive: string; readonly name: string } | undefined {
  const [, archive, name = ""] = /^(.*?\.recordings)(?:\/(.*))?$/.exec(path) ?? [];
  return archive === undefined ? undefined : { archive, name };
}

/** Returns undefined if there is no such file. */
export function readKept(path: string): string | undefined {
  const inside = inArchive(path);
  if (inside !== undefined) return readArchive(inside.archive).get(inside.name);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

/** The files in a folder and its subfolders, sorted by name, including files in archives. */
export function keptNames(folder: string): string[] {
  const inside = inArchive(folder);
  if (inside !== undefined) {
    const start = inside.name === "" ? "" : `${inside.name}/`;
    const names = [...readArchive(inside.archive).keys()].filter((name) => name.startsWith(start));
    return names.map((name) => name.slice(start.length)).sort();
  }
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.replace(/\/$/, "").length + 1));
  const expanded = paths.flatMap((path) =>
    path.endsWith(".recordings")
      ? [...readArchive(join(folder, path)).keys()].map((name) => `${path}/${name}`)
      : [path],
  );
  return expanded.sort();
}

/** Replaces the files of a folder inside an archive. */
export function replaceKept(folder: string, files: Archive): void {
  const { archive: path, name } = inArchive(folder)!;
  const others = [...readArchive(path)].filter(([other]) => !other.startsWith(`${name}/`));
  const all = [...others, ...[...files].map(([file, text]): [string, string] => [`${name}/${file}`, text])];
  mkdirSync(dirname(path), { recursive: true });
  if (all.length === 0) return rmSync(path, { force: true });
  writeFileSync(path, formatArchive(new Map(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))));
}

/** Cache of archives that were read, because tests read the same ones again and again. */
const known = new Map<string, { readonly stamp: string; readonly archive: Archive }>();

function readArchive(path: string): Archive {
  if (!existsSync(path)) return new Map();
  const { mtimeMs, size } = statSync(path);
  const stamp = `${mtimeMs} ${size}`;
  const before = known.get(path);
  if (before?.stamp === stamp) return before.archive;
  const archive = parseArchive(readFileSync(path, "utf8"));
  known.set(path, { stamp, archive });
  return archive;
}

export function parseArchive(text: string): Archive {
  const files = new Map<string, string>();
  const values = new Map<string, string>();
  const whole = (json: string): string =>
    json.replaceAll(/\{"\$":"([0-9a-f]{10})"\}/g, (found, hash: string) => {
      const value = values.get(hash);
      return value === undefined ? found : whole(value);
    });
  let name: string | undefined;
  let lines: string[] = [];
  const close = (): void => {
    if (name === undefined) return;
    const open = name.endsWith(noNewline);
    files.set(open ? name.slice(0, -noNewline.length) : name, lines.join("\n") + (open ? "" : "\n"));
  };
  for (const line of text.split("\n")) {
    if (line.startsWith("=== ")) {
      close();
      [name, lines] = [line.slice(4), []];
    } else if (line.startsWith("$ ")) values.set(line.slice(2, 12), line.slice(13));
    else if (line !== "") lines.push(originalLine(line, whole));
  }
  close();
  return files;
}

function originalLine(line: string, whole: (json: string) => string): string {
  const space = line.indexOf(" ");
  const [mark, rest] = [line.slice(0, space), line.slice(space + 1)];
  if (mark === "|") return rest;
  if (mark === ":") return whole(rest);
  const time = mark.slice(1);
  const timed = time === "-" ? "" : `"t":${time === "" ? 0 : time},`;
  return `{${timed}"dir":"${mark[0] === ">" ? "in" : "out"}","msg":${whole(rest)}}`;
}

export function formatArchive(files: Archive): string {
  const sections = [...files].map(([name, text]) => ({
    name: text.endsWith("\n") ? name : name + noNewline,
    lines: text.replace(/\n$/, "").split("\n"),
  }));
  const counts = new Map<string, number>();
  for (const { lines } of sections)
    for (const line of lines) for (const value of Object.values(Object(parsedLine(line)?.value))) count(value, counts);
  const values = new Map<string, string>();
  const body = sections.map(({ name, lines }) => [
    `=== ${name}`,
    ...lines.map((line) => archiveLine(line, counts, values)),
  ]);
  const shared = [...values].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([hash, json]) => `$ ${hash} ${json}`);
  return `${[...shared, ...body.flat()].join("\n")}\n`;
}

interface ParsedLine {
  readonly mark: string;
  readonly value: unknown;
}

/** Parses a line of JSON that would be written back unchanged; undefined for any other line. */
function parsedLine(line: string): ParsedLine | undefined {
  const [, timed, time, dir, json] = /^\{("t":(\d+),)?"dir":"(in|out)","msg":(.*)\}$/.exec(line) ?? [];
  if (json === undefined) return asJson(":", line);
  const when = timed === undefined ? "-" : time === "0" ? "" : time;
  return asJson(`${dir === "in" ? ">" : "<"}${when}`, json) ?? asJson(":", line);
}

function asJson(mark: string, json: string): ParsedLine | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return JSON.stringify(value) === json ? { mark, value } : undefined;
  } catch {
    return undefined;
  }
}

function count(value: unknown, counts: Map<string, number>): void {
  const json = JSON.stringify(value) ?? "";
  if (json.length < longValue) return;
  const before = counts.get(json) ?? 0;
  counts.set(json, before + 1);
  if (before === 0 && typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) count(inner, counts);
}

function archiveLine(line: string, counts: ReadonlyMap<string, number>, values: Map<string, string>): string {
  const parsed = parsedLine(line);
  if (parsed === undefined) return `| ${line}`;
  const write = (value: unknown): string => {
    const json = JSON.stringify(value);
    if (json.length < longValue) return json;
    if ((counts.get(json) ?? 0) < 2) return inside(value, json);
    const hash = createHash("sha256").update(json).digest("hex").slice(0, 10);
    if (!values.has(hash)) values.set(hash, "").set(hash, inside(value, json));
    return `{"$":"${hash}"}`;
  };
  const inside = (value: unknown, json: string): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
    if (typeof value !== "object" || value === null) return json;
    return `{${Object.entries(value)
      .map(([key, inner]) => `${JSON.stringify(key)}:${write(inner)}`)
      .join(",")}}`;
  };
  // A message itself is always written in full, so that a reader sees its kind.
  return `${parsed.mark} ${inside(parsed.value, JSON.stringify(parsed.value))}`;
}
