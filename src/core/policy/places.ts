/** Paths as patterns and as what is asked about: absolute, part by part. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { many, starsOf, tokenOf } from "./pattern.ts";
import type { Asked, Token } from "./pattern.ts";

export interface Places {
  /** The workspace, its real path. */
  readonly cwd: string;
  readonly home?: string | undefined;
  /** The file system takes `A` for `a`. */
  readonly folds?: boolean | undefined;
}

/** `~`, and file URLs as some agents write them. */
export function absolute(path: string, cwd: string, home = homedir()): string {
  if (path === "~" || path.startsWith("~/")) return resolve(home, `.${path.slice(1)}`);
  return resolve(cwd, path.startsWith("file:///") ? decoded(path.slice("file://".length)) : path);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function partsOf(path: string, { folds = false }: Pick<Places, "folds">): string[] {
  return path
    .split("/")
    .filter((part) => part !== "")
    .map((part) => folded(part, folds));
}

/** With `stars` it is a word of a command line that may stand for several names. */
export function askedParts(path: string, places: Pick<Places, "folds">, stars: boolean): Asked[] {
  const parts = partsOf(path, places);
  return stars ? parts.map((part) => (/[*?[]/.test(part) ? starsOf(part) : part)) : parts;
}

/** A glob, from the workspace on. Undefined where it leads nowhere. */
export function globOf(glob: string, { cwd, home = homedir(), folds = false }: Places): Token[] | undefined {
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
