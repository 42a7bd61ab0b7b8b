/** What an agent has changed in its worktree since the commit it began from, whether it has committed that or not. */
import { open, rm, writeFile } from "node:fs/promises";
import type { ChangedFile } from "../schemas/comparisons.ts";
import type { Git } from "./git.ts";
import type { EntryRecord } from "./record.ts";
import { placeOf } from "./worktree.ts";

const shownBytes = 1024 * 1024;
const could = "Git could not compare the worktree";
const diff = ["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--submodule=short", "-U3"];
const asPatch = ["--patch", "--full-index", "--src-prefix=a/", "--dst-prefix=b/"];

export interface Changes {
  readonly files: readonly ChangedFile[];
  readonly patch: string;
  readonly cut: boolean;
}

export async function changesOf(git: Git, base: string, entry: EntryRecord): Promise<Changes> {
  await noteNew(git, entry);
  const place = placeOf(entry);
  const said = `${place.index}.out`;
  try {
    await git.do(place, could, ...diff, "--raw", "--numstat", "-z", ...asPatch, `--output=${said}`, base);
    const { text, cut } = await readUpTo(said, shownBytes);
    // No path is empty: two of these in a row are where the list ends.
    const end = text.indexOf("\0\0");
    return { files: filesOf(end < 0 ? text : text.slice(0, end)), patch: end < 0 ? "" : text.slice(end + 2), cut };
  } finally {
    await rm(said, { force: true });
  }
}

/** All of it, also what is no text, in a file. */
export async function writePatch(git: Git, base: string, entry: EntryRecord, path: string): Promise<void> {
  await noteNew(git, entry);
  await git.do(placeOf(entry), could, ...diff, ...asPatch, "--binary", `--output=${path}`, base);
}

/** New files are compared too. A repository within is left out: its files are not of this one. */
async function noteNew(git: Git, entry: EntryRecord): Promise<void> {
  const place = placeOf(entry);
  const stdout = await git.do(place, could, "ls-files", "-z", "--others", "--exclude-standard");
  const paths = stdout.split("\0").filter((path) => path !== "" && !path.endsWith("/"));
  if (paths.length === 0) return;
  const list = `${place.index}.new`;
  await writeFile(list, paths.join("\0"), { mode: 0o600 });
  await git.do(place, could, "add", "--intent-to-add", `--pathspec-from-file=${list}`, "--pathspec-file-nul");
  await rm(list, { force: true });
}

/** Whole lines. */
async function readUpTo(path: string, most: number): Promise<{ text: string; cut: boolean }> {
  await using file = await open(path);
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(size, most));
  await file.read(buffer, 0, buffer.length, 0);
  const cut = size > most;
  const text = buffer.subarray(0, cut ? buffer.lastIndexOf(0x0a) + 1 : buffer.length).toString("utf8");
  return { text, cut };
}

const changes: Readonly<Record<string, ChangedFile["change"]>> = { A: "added", D: "deleted" };

/** `:modes and names STATUS`, path; then `added TAB removed TAB path`, with `-` for what is no text. */
function filesOf(text: string): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  const fields = text.split("\0");
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at]!;
    if (field.startsWith(":")) {
      const path = fields[++at] ?? "";
      files.set(path, { path, change: changes[field.at(-1)!] ?? "modified" });
      continue;
    }
    const [, added, removed, path] = /^(\d+)\t(\d+)\t(.*)$/s.exec(field) ?? [];
    const file = path === undefined ? undefined : files.get(path);
    if (file !== undefined) files.set(file.path, { ...file, added: Number(added), removed: Number(removed) });
  }
  return [...files.values()];
}
