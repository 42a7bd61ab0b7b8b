/** Resolves the real location of a path, following links. Synchronous, so that nothing changes between the check and the decision. */
import { constants, lstatSync, readlinkSync } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, parse, resolve, sep } from "node:path";
import { ReinsError } from "../events/errors.ts";
import { expandStart, isProtected, pathRules, relativeTo, type PathRules } from "./paths.ts";

export interface Workspace {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** The folder of the session and its additional folders. */
  readonly folders: readonly string[];
  readonly rules: PathRules;
}

export interface Located {
  readonly asked: string;
  /** The real paths: first as the kernel reads the path, then as other programs may read it. Empty if it cannot be determined. */
  readonly real: readonly string[];
  readonly where: "ordinary" | "protected" | "outside";
}

export interface LocateOptions {
  /** Locate the directory entry, not its target: deleting or renaming a link does not follow it. */
  readonly entryItself?: boolean;
}

export function workspaceOf(
  { cwd, directories = [] }: { readonly cwd: string; readonly directories?: readonly string[] | undefined },
  protectedFiles: readonly string[] = [],
): Workspace {
  return { cwd, folders: [cwd, ...directories], rules: pathRules(protectedFiles) };
}

/**
 * Locates a path. The strictest result counts: of each reading of the path, of the path as written, and of each folder that contains it. A
 * dangling link is protected, because its target may change before the file is written.
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

/** True if every reading of the path is in one of the folders. */
export function isInside(path: string, folders: readonly string[], cwd: string): boolean {
  return locate({ cwd, folders, rules: pathRules() }, path).where !== "outside";
}

/**
 * Follows links, also in the existing part of a path that does not exist yet. Returns the root of the file system if it cannot be
 * determined.
 */
export function realPath(path: string): string {
  return followLinks(resolve(path))?.path ?? sep;
}

/** Expands `~` or a file URL, and returns the real path of each reading of `link/..`. */
export function realPaths(path: string, from: string, home: string): readonly string[] {
  return [...new Set(readings(expandStart(path, home), from).map((one) => followLinks(one)?.path ?? sep))];
}

/**
 * To the kernel, `link/..` is the parent of the link's target. Programs that clean up paths first take it for the folder that contains the
 * link.
 */
function readings(path: string, from: string): readonly string[] {
  const clean = resolve(from, path);
  return path.split(/[\\/]/).includes("..") ? [isAbsolute(path) ? path : from + sep + path, clean] : [clean];
}

/** The number of links in a row that Linux follows. */
const mostLinks = 40;

/** Entries of /proc that lead elsewhere for the process that opens them than for Reins. */
const ofProcess = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(?:cwd|root|exe|fd|map_files)$/;

interface Followed {
  readonly path: string;
  /** A link in the path has no target yet. */
  readonly dangling: boolean;
}

/** Follows links part by part, as the kernel does. Returns undefined if the kernel would fail for another reason than a missing file. */
function followLinks(path: string, last = true): Followed | undefined {
  if (path.includes("\0")) return undefined;
  const { root } = parse(path);
  const left = split(path.slice(root.length)).reverse();
  let [at, links, dangling] = [root, 0, false];
  /** While more parts than this are left, they belong to a link's target. */
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

/** `write` is for an existing file, `create` for a new one. */
export type Access = "read" | "write" | "create";

const { O_RDONLY, O_RDWR, O_CREAT, O_EXCL } = constants;
/** Windows has no O_NOFOLLOW. */
const O_NOFOLLOW = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;
const flags: Readonly<Record<Access, number>> = {
  read: O_RDONLY | O_NOFOLLOW,
  write: O_RDWR | O_NOFOLLOW,
  create: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW,
};

/**
 * Opens a file for an agent that runs in this process. `allowed` are the real paths that the permission was about: the answer may have
 * taken minutes, and a folder may have become a link since. Checks the opened file, not only its path.
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

/** Locates the path again. Returns its real path if that was allowed; otherwise throws `permission_denied`. */
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
  return denied(`${path} now points to a different place than the one that was allowed.`);
}

function denied(message: string): ReinsError {
  return new ReinsError("permission_denied", message);
}
