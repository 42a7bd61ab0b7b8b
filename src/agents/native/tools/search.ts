import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { clipText } from "../../../events/clip.ts";
import { findCommand } from "../../../process/index.ts";
import { launchProgram } from "../../shared/in-process/run-program.ts";
import { orEnd, ToolProblem } from "../../shared/in-process/stop-turn.ts";
import type { Done } from "../../shared/in-process/tool-call.ts";
import type { Turn } from "../turn.ts";
import { matcherOf } from "./wildcard.ts";
import { shellEnvironment } from "./commands.ts";
import { defineTool, flag, optional, text } from "./definition.ts";

const mostFound = 1_000;
const mostSeen = 100_000;
const mostLines = 500;
const longestLine = 500;
const passedOver = [".git", "node_modules"];

/** A title names the folder only when it is not the working folder. */
const about = ({ pattern, path }: { readonly pattern: string; readonly path: string }) => ({
  pattern,
  path: path === "." ? undefined : path,
});

export const glob = defineTool({
  tool: "glob",
  description:
    "Find files by a pattern such as `src/**/*.ts`. `.git` and `node_modules` are passed over, links are not followed.",
  input: {
    pattern: text(),
    path: optional(text("The folder to look in; the working folder unless given."), "."),
  },
  about,
  locate: (files, { path }) => [files.locate(path)],
  run: async (turn, { pattern, path }, running) => {
    const { files, host } = turn.context;
    const found = await find(turn, files.path(path, running.allowed), pattern);
    const names = found.slice(0, mostFound).map((name) => files.shown(join(path, name)));
    if (names.length === 0) return { text: "Nothing matches." };
    if (found.length > mostFound) names.push(`There are more than ${mostFound}; narrow the pattern.`);
    return clipText(names.join("\n"), host.limits.inlineBytes);
  },
});

async function find(turn: Turn, folder: string, pattern: string): Promise<string[]> {
  const isMatch = matcherOf(pattern);
  const found: string[] = [];
  const folders = [""];
  let seen = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    turn.signal.throwIfAborted();
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && !passedOver.includes(entry.name)) folders.push(path);
      else if (!entry.isDirectory() && isMatch(path)) found.push(path);
    }
    seen += entries.length;
    if (seen > mostSeen || found.length > mostFound) break;
  }
  return found.sort();
}

export const grep = defineTool({
  tool: "grep",
  description:
    "Search files for an extended regular expression (as `grep -E`). Prints path:line:text. Binary files, `.git` and `node_modules` are passed over.",
  input: {
    pattern: text(),
    path: optional(text("A folder or a file; the working folder unless given."), "."),
    files: optional(text("Only files of this name, such as `*.ts`."), undefined),
    ignore_case: flag(),
  },
  about,
  locate: (files, { path }) => [files.locate(path)],
  run: async (turn, input, running) => search(turn, input, turn.context.files.path(input.path, running.allowed)),
});

interface Search {
  readonly pattern: string;
  readonly path: string;
  readonly files: string | undefined;
  readonly ignore_case: boolean;
}

/** Runs the program grep: a regular expression that takes too long can be stopped there, but not in this process. */
async function search(turn: Turn, input: Search, real: string): Promise<Done> {
  const { host } = turn.context;
  if ((await findCommand("grep", host.env)) === undefined)
    throw new ToolProblem("The program grep is not on this machine; use glob and read, or the shell.");
  const spec = { command: "grep", args: argumentsOf(input, real), env: shellEnvironment(turn.context) };
  const child = await launchProgram(turn, spec);
  try {
    const lines: string[] = [];
    const batches = child.lines[Symbol.asyncIterator]();
    for (let next = await orEnd(turn.signal, batches.next()); next.done !== true;) {
      lines.push(...next.value.lines);
      if (lines.length > mostLines) break;
      next = await orEnd(turn.signal, batches.next());
    }
    if (lines.length > 0) return shownLines(turn, input, real, lines);
    const { code } = await orEnd(turn.signal, child.exited);
    if (code === 1) return { text: "Nothing matches." };
    throw new ToolProblem(child.stderrTail().trim() || "grep failed.");
  } finally {
    await child.stop({ politely: false });
  }
}

function argumentsOf({ pattern, files, ignore_case }: Search, real: string): string[] {
  const only = files === undefined ? [] : [`--include=${files}`];
  const excluded = passedOver.map((folder) => `--exclude-dir=${folder}`);
  return ["-rnHIE", ...(ignore_case ? ["-i"] : []), ...only, ...excluded, "-e", pattern, "--", real];
}

function shownLines(turn: Turn, { path }: Search, real: string, lines: readonly string[]): Done {
  const { files, host } = turn.context;
  const named = lines.slice(0, mostLines).map((line) => {
    const short = line.startsWith(real) ? files.shown(path) + line.slice(real.length) : line;
    return short.replace(/^\.\//, "").slice(0, longestLine);
  });
  if (lines.length > mostLines) named.push(`There are more than ${mostLines} lines; narrow the search.`);
  return clipText(named.join("\n"), host.limits.inlineBytes);
}
