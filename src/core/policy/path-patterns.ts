/** Converts paths to patterns and queries: absolute, part by part, as written and with symlinks resolved. */
import { homedir, userInfo } from "node:os";
import { absolutePath } from "../../workspace/paths.ts";
import { realPaths } from "../../workspace/real-paths.ts";
import { many, starsOf, tokenOf, type Asked, type Token } from "./pattern.ts";
import type { Part, Subject } from "./subject.ts";

export interface PathScope {
  readonly cwd: string;
  readonly home?: string | undefined;
  /** True on a case-insensitive file system. */
  readonly folds?: boolean | undefined;
  readonly protectedFiles?: readonly string[] | undefined;
}

function partsOf(path: string, { folds = false }: Pick<PathScope, "folds">): string[] {
  return path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => folded(part, folds));
}

/** `stars`: the path is a word of a command line that may expand to several names. */
export function askedParts(path: string, scope: Pick<PathScope, "folds">, stars: boolean): Asked[] {
  const parts = partsOf(path, scope);
  return stars ? parts.map((part) => (/[*?[]/.test(part) ? starsOf(part) : part)) : parts;
}

/** Parses a glob relative to the workspace. Undefined when it can match no path. */
export function globOf(glob: string, { cwd, home = homedir(), folds = false }: PathScope): Token[] | undefined {
  if (glob.includes("\u0000")) return undefined;
  const fromHome = glob === "~" || glob.startsWith("~/");
  const from = glob.startsWith("/") ? [] : partsOf(fromHome ? home : cwd, { folds });
  const tokens: Token[] = [...from];
  for (const part of (fromHome ? glob.slice(1) : glob).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (tokens.length === 0 || tokens.at(-1) === many) return undefined;
      tokens.pop();
    } else tokens.push(part === "**" ? many : tokenOf(folded(part, folds)));
  }
  // A trailing slash means everything in the folder.
  return glob.endsWith("/") ? [...tokens, many] : tokens;
}

function folded(part: string, folds: boolean): string {
  return folds ? part.normalize("NFC").toLowerCase() : part;
}

interface About {
  readonly tool: Subject["tool"];
  readonly mention: boolean;
  readonly from: string;
  /** False: symlinks are not resolved, so the disk is not read. */
  readonly follow?: boolean;
}

/** The folder and the root of a process. Any such process runs for the agent and may be in the agent's folder. */
const processFolder = /^\/(?:\.?\/)*proc\/(?:\.?\/)*[^/]+\/(?:\.?\/)*(?:task\/[^/]+\/(?:\.?\/)*)?(cwd|root)(?=\/|$)/;

export function pathParts(
  given: string,
  scope: PathScope,
  { tool, mention, from, follow = true }: About,
): readonly Part[] {
  const home = scope.home ?? homedir();
  const path = withHome(given, home).replace(processFolder, (_, which) => (which === "cwd" ? from : ""));
  const written = absolutePath(path, from, home);
  const stars = tool === "shell" && /[*?[]/.test(path);
  const reals = stars || !follow ? [written] : realPaths(path, from, home);
  return reals.map((real) => ({
    kind: "path",
    tool,
    real: askedParts(real, scope, stars),
    written: askedParts(written, scope, stars),
    mention,
    what: given,
  }));
}

/** Expands `~name/x`, with the user's own name, like `~/x`. */
function withHome(path: string, home: string): string {
  const [whole, name] = /^~([\w.-]+)(?=\/|$)/.exec(path) ?? [];
  return whole !== undefined && name === userName() ? home + path.slice(whole.length) : path;
}

let ownName: string | undefined;

function userName(): string {
  try {
    ownName ??= userInfo().username;
  } catch {
    // A user id without an entry in the user database has no name.
    ownName = "";
  }
  return ownName;
}
