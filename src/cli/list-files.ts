/** The files of a folder for the `@` picker of the terminal interface. */
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Processes } from "../process/types.ts";
import { gitCommand } from "../workspace/git.ts";

const maxNames = 200_000;
const maxFolders = 50_000;
const batchSize = 1000;

export interface ListFilesOptions {
  readonly processes: Processes;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Relative paths with `/`, in batches: files that git does not ignore, or outside a repository those found by a limited walk. Never
 * throws.
 */
export async function* listFiles(
  options: ListFilesOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void, undefined> {
  let found = false;
  for await (const batch of gitFiles(options, signal)) {
    found = true;
    yield batch;
  }
  // Also walk inside a repository when git lists nothing: its repository may ignore this folder.
  if (!found && !signal.aborted) yield* walk(options.cwd, signal);
}

async function* gitFiles(
  { processes, cwd, env }: ListFilesOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void, undefined> {
  // Read one name per line instead of using `-z`, so that names are available as they come. Git quotes a name that contains a line break.
  const args = ["-c", "core.quotePath=false", "ls-files", "--cached", "--others", "--exclude-standard"];
  const child = await processes.launch({ ...gitCommand(cwd, env, args), stdin: "ignore" }).catch(() => undefined);
  if (child === undefined) return;
  const stop = (): void => void child.stop();
  signal.addEventListener("abort", stop);
  try {
    let count = 0;
    for await (const { lines } of child.lines) {
      if (signal.aborted) return;
      yield lines.slice(0, maxNames - count).map(unquoted);
      count += lines.length;
      if (count >= maxNames) return;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    await child.stop();
  }
}

const escapes: Readonly<Record<string, string>> = { a: "\x07", b: "\b", t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" };

/** Decodes a name that git prints in quotes, because it contains quotes, backslashes or control characters. */
export function unquoted(name: string): string {
  if (!/^".*"$/su.test(name)) return name;
  return name
    .slice(1, -1)
    .replace(/\\(?:([0-7]{3})|(.))/gsu, (_, octal: string | undefined, letter: string) =>
      octal === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
    );
}

/** Breadth first, so that nearby files come first. Links are listed but not followed. */
async function* walk(root: string, signal: AbortSignal): AsyncGenerator<readonly string[], void, undefined> {
  const folders = [""];
  let names: string[] = [];
  let count = 0;
  for (let index = 0; index < folders.length && index < maxFolders; index++) {
    const folder = folders[index] as string;
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((): Dirent[] => []);
    if (signal.aborted) return;
    for (const entry of entries) {
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && entry.name !== "node_modules") folders.push(`${folder}${entry.name}/`);
      } else if (++count <= maxNames) names.push(`${folder}${entry.name}`);
    }
    if (count >= maxNames) break;
    if (names.length < batchSize) continue;
    yield names;
    names = [];
  }
  if (names.length > 0) yield names;
}
