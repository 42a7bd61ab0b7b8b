/** Paths as patterns and as what is asked about: absolute, part by part, as written and with their links followed. */
import { homedir, userInfo } from "node:os";
import { absolutePath } from "../../workspace/paths.ts";
import { realPaths } from "../../workspace/real-paths.ts";
import { many, starsOf, tokenOf, type Asked, type Token } from "./pattern.ts";
import type { Part, Subject } from "./subject.ts";

export interface PathScope {
  readonly cwd: string;
  readonly home?: string | undefined;
  /** The file system takes `A` for `a`. */
  readonly folds?: boolean | undefined;
  readonly protectedFiles?: readonly string[] | undefined;
}

function partsOf(path: string, { folds = false }: Pick<PathScope, "folds">): string[] {
  return path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => folded(part, folds));
}

/** With `stars` it is a word of a command line that may stand for several names. */
export function askedParts(path: string, scope: Pick<PathScope, "folds">, stars: boolean): Asked[] {
  const parts = partsOf(path, scope);
  return stars ? parts.map((part) => (/[*?[]/.test(part) ? starsOf(part) : part)) : parts;
}

/** A glob, from the workspace on. Undefined where it leads nowhere. */
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
  // A folder with its slash is what is in it.
  return glob.endsWith("/") ? [...tokens, many] : tokens;
}

function folded(part: string, folds: boolean): string {
  return folds ? part.normalize("NFC").toLowerCase() : part;
}

interface About {
  readonly tool: Subject["tool"];
  readonly mention: boolean;
  readonly from: string;
  /** False: links are not followed, so the disk is not read. */
  readonly follow?: boolean;
}

/** The folder and the root of a process. Whichever process it is, it runs for the agent and may be in the agent's folder. */
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

/** `~name/x` of the person's own name, as `~/x`. */
function withHome(path: string, home: string): string {
  const [whole, name] = /^~([\w.-]+)(?=\/|$)/.exec(path) ?? [];
  return whole !== undefined && name === userName() ? home + path.slice(whole.length) : path;
}

let ownName: string | undefined;

function userName(): string {
  try {
    ownName ??= userInfo().username;
  } catch {
    // A user id without an entry in the list of users has no name.
    ownName = "";
  }
  return ownName;
}
