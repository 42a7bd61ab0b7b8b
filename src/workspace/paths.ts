/**
 * Decides from the text alone whether a path is in a folder and whether its name is protected. Uses no file system, and accepts both kinds
 * of slashes.
 */
import { resolve } from "node:path";

export interface PathRules {
  readonly separator: "/" | "\\";
  /** The file system ignores case. */
  readonly foldsCase: boolean;
  /** Configuration files of agents that are not hidden: `opencode.json`. */
  readonly protectedFiles: readonly string[];
}

export function pathRules(protectedFiles: readonly string[] = []): PathRules {
  const { platform } = process;
  return {
    separator: platform === "win32" ? "\\" : "/",
    foldsCase: platform === "darwin" || platform === "win32",
    protectedFiles,
  };
}

/** Returns the path relative to a folder; "" for the folder itself. Undefined if the path is outside, or if one of them is not absolute. */
export function relativeTo(root: string, path: string, rules: PathRules): string | undefined {
  const [from, to] = [partsOf(root, rules), partsOf(path, rules)];
  if (from === undefined || to === undefined || from.length > to.length) return undefined;
  if (!from.every((part, index) => folded(part, rules) === folded(to[index]!, rules))) return undefined;
  return to.slice(from.length).join(rules.separator);
}

/** The configuration file of Reins. */
const ownFiles: readonly string[] = ["reins.config.json"];

/**
 * True if an edit of this path needs a person's approval in mode `edits`: the path is hidden, or part of a git folder or of an agent's
 * configuration, which can all make other programs run; or it is the workspace folder itself.
 */
export function isProtected(relative: string, rules: PathRules): boolean {
  const parts = relative.split(rules.separator === "/" ? "/" : /[\\/]/).filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.some((part) => isProtectedName(part, rules));
}

function isProtectedName(part: string, rules: PathRules): boolean {
  const name = folded(rules.separator === "/" ? part : windowsName(part), rules);
  if (name.startsWith(".") || name.endsWith(".git")) return true;
  // The short name that Windows gives to `.git`.
  if (rules.separator === "\\" && /^git~\d+$/i.test(name)) return true;
  return [...ownFiles, ...rules.protectedFiles].some((file) => folded(file, rules) === name);
}

/** Expands `~` and file URLs, which some agents use. */
export function expandStart(path: string, home: string): string {
  if (path === "~" || path.startsWith("~/")) return home + path.slice(1);
  return path.startsWith("file:///") ? decoded(path.slice("file://".length)) : path;
}

export function absolutePath(path: string, from: string, home: string): string {
  return resolve(from, expandStart(path, home));
}

/** The parts of an absolute path with `.` and `..` resolved; the drive or server is first. */
function partsOf(path: string, { separator }: PathRules): string[] | undefined {
  if (separator === "/") return path.startsWith("/") ? normalized(path.split("/")) : undefined;
  const plain = path
    .replaceAll("/", "\\")
    .replace(/^\\\\\?\\(?:UNC(?=\\))?/i, (start) => (/unc/i.test(start) ? "\\" : ""));
  const found = /^(?:([a-z]:)(?=\\|$)|(\\\\[^\\.?][^\\]*\\[^\\]+))(.*)$/is.exec(plain);
  if (found === null) return undefined;
  const [, drive, share, rest = ""] = found;
  return [(drive ?? share)!.toLowerCase(), ...normalized(rest.split("\\"))];
}

function normalized(parts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const part of parts) {
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return kept;
}

function folded(part: string, { foldsCase }: PathRules): string {
  return foldsCase ? part.normalize("NFC").toLowerCase() : part;
}

/** Windows drops dots and spaces at the end of a name, and takes the text after a colon for a stream of the file. */
function windowsName(part: string): string {
  return part.replace(/:.*$/s, "").replace(/(?<=.)[. ]+$/, "");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
