/** Where a path really leads, links followed. Synchronous, because nothing may change between a look and the decision made from it. */
import { constants, lstatSync, readlinkSync } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, parse, resolve, sep } from "node:path";
import { ReinsError } from "../events/errors.ts";
import { expandStart, isProtected, pathRules, relativeTo, type PathRules } from "./paths.ts";

export interface Workspace {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** The folder of the session and those added to it. */
  readonly folders: readonly string[];
  readonly rules: PathRules;
}

export interface Located {
  readonly asked: string;
  /** Where it leads: as the kernel reads it first, then the other ways in which a program may read it. Empty where nobody can tell. */
  readonly real: readonly string[];
  readonly where: "ordinary" | "protected" | "outside";
}

export interface LocateOptions {
  /** The entry of the folder, not the target: a link that is deleted or renamed is not followed. */
  readonly entryItself?: boolean;
}

export function workspaceOf(
  { cwd, directories = [] }: { readonly cwd: string; readonly directories?: readonly string[] | undefined },
  protectedFiles: readonly string[] = [],
): Workspace {
  return { cwd, folders: [cwd, ...directories], rules: pathRules(protectedFiles) };
}

/**
 * The strictest answer counts: of each way to read the path, of the path as written, and of each folder it lies in. A link that leads to
 * nothing yet is protected: whoever made it may lead it elsewhere before the file is written.
 */
export function locate(
  { cwd, folders, rules }: Workspace,
  asked: string,
  { entryItself = false }: LocateOptions = {},
): Located {
  const texts = new Set([asked, expandStart(asked, homedir())]);
  const paths = new Set([...texts].flatMap((text) => readings(text, cwd)));
  const found = [...paths].map((path) => followLinks(path, !entryItself));
  if (found.includes(undefined)) return { asked, real: [], where: "outside" };
  const real = [...new Set(found.map((followed) => followed!.path))];
  const roots = folders.map((folder) => ({ folder, real: followLinks(folder)?.path }));
  const relatives = real.map((path) =>
    roots.flatMap((root) => (root.real === undefined ? [] : (relativeTo(root.real, path, rules) ?? []))),
  );
  if (relatives.some((ways) => ways.length === 0)) return { asked, real, where: "outside" };
  const asWritten = [...paths].flatMap((path) => roots.flatMap(({ folder }) => relativeTo(folder, path, rules) ?? []));
  const guarded =
    found.some((followed) => followed?.dangling) ||
    [...relatives.flat(), ...asWritten].some((way) => isProtected(way, rules));
  return { asked, real, where: guarded ? "protected" : "ordinary" };
}

/** Whether a path lies in one of the folders, however it is read. */
export function isInside(path: string, folders: readonly string[], cwd: string): boolean {
  return locate({ cwd, folders, rules: pathRules() }, path).where !== "outside";
}

/** Links followed, also those above what does not exist yet. The root of the file system where nobody can tell. */
export function realPath(path: string): string {
  return followLinks(resolve(path))?.path ?? sep;
}

/** The real paths of a path with `~` or a file URL expanded, each way to read `link/..`. */
export function realPaths(path: string, from: string, home: string): readonly string[] {
  return [...new Set(readings(expandStart(path, home), from).map((one) => followLinks(one)?.path ?? sep))];
}

/**
 * To the kernel `link/..` is the folder above the one that the link leads to; programs that clean up paths before they use them take it for
 * the folder of the link.
 */
function readings(path: string, from: string): readonly string[] {
  const clean = resolve(from, path);
  return path.split(/[\\/]/).includes("..") ? [isAbsolute(path) ? path : from + sep + path, clean] : [clean];
}

/** As many links in a row as Linux follows. */
const mostLinks = 40;

/** Files of a process: they lead elsewhere for whoever opens them than they do for us. */
const ofProcess = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(?:cwd|root|exe|fd|map_files)$/;

interface Followed {
  readonly path: string;
  /** A link on the way leads to nothing yet. */
  readonly dangling: boolean;
}

/** Part by part, as the kernel does; undefined where it would fail for another reason than a missing file. */
function followLinks(path: string, last = true): Followed | undefined {
  if (path.includes("\0")) return undefined;
  const { root } = parse(path);
  const left = split(path.slice(root.length)).reverse();
  let [at, links, dangling] = [root, 0, false];
  /** Parts beyond so many are those of a link's target. */
  let ofLink = Infinity;
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (left.length < ofLink) ofLink = Infinity;
    if (part === "..") {
      at = resolve(at, "..");
      continue;
    }
    const next = join(at, part);
    const entry = entryAt(next);
    if (entry === "unknown" || ofProcess.test(next)) return undefined;
    if (entry === "file" && left.length > 0) return undefined;
    if (typeof entry === "object" && (last || left.length > 0)) {
      if (++links > mostLinks) return undefined;
      const target = parse(entry.target).root;
      if (target !== "") at = target;
      ofLink = Math.min(ofLink, left.length);
      left.push(...split(entry.target.slice(target.length)).reverse());
    } else {
      dangling ||= entry === "missing" && ofLink !== Infinity;
      at = next;
    }
  }
  return { path: at, dangling };
}

function split(path: string): string[] {
  return path.split(sep === "/" ? "/" : /[\\/]/).filter((part) => part !== "" && part !== ".");
}

function entryAt(path: string): "folder" | "file" | "missing" | "unknown" | { readonly target: string } {
  try {
    const entry = lstatSync(path, { throwIfNoEntry: false });
    if (entry === undefined) return "missing";
    if (entry.isSymbolicLink()) return { target: readlinkSync(path) };
    return entry.isDirectory() ? "folder" : "file";
  } catch {
    return "unknown";
  }
}

/** `write` is for a file that exists, `create` for one that does not. */
export type Access = "read" | "write" | "create";

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = constants;
/** Windows has none. */
const O_NOFOLLOW = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;
const flags: Readonly<Record<Access, number>> = {
  read: O_RDONLY | O_NOFOLLOW,
  write: O_RDWR | O_NOFOLLOW,
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
};

/**
 * Opens a file for an agent that works in this process. `allowed` are the real paths that the decision was about: a person may have taken
 * minutes to say yes, and what was a folder then may be a link now. The opened file is checked, not only its path.
 */
export async function openLocated(
  workspace: Workspace,
  path: string,
  allowed: readonly string[],
  access: Access,
): Promise<FileHandle> {
  const target = allowedPath(workspace, path, allowed);
  const file = await open(target, flags[access], 0o666);
  const [opened, named] = await Promise.all([
    file.stat({ bigint: true }),
    lstat(target, { bigint: true }).catch(() => undefined),
  ]);
  if (opened.ino === named?.ino && opened.dev === named.dev && followLinks(target)?.path === target) return file;
  await file.close();
  throw movedAway(path);
}

/** The real path to work on, looked at again: where it led when it was allowed, or a `permission_denied`. */
export function allowedPath(
  workspace: Workspace,
  path: string,
  allowed: readonly string[],
  options?: LocateOptions,
): string {
  const { real, where } = locate(workspace, path, options);
  const [target] = real;
  if (target !== undefined && real.every((one) => allowed.includes(one))) return target;
  throw where === "outside" ? denied(`${path} is outside the workspace.`) : movedAway(path);
}

function movedAway(path: string): ReinsError {
  return denied(`${path} leads to another place than the one that was allowed.`);
}

function denied(message: string): ReinsError {
  return new ReinsError("permission_denied", message);
}
