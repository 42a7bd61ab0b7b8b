/** Finds the command line and the working folder in the input of a shell tool. */
import { homedir } from "node:os";
import { canonicalInput } from "../../events/canonical-input.ts";
import { absolutePath } from "../../workspace/paths.ts";
import { quotedWords } from "./rule.ts";
import type { Reading } from "./shell/types.ts";

const commandNames: ReadonlySet<string> = new Set(["command", "cmd", "commandline", "argv", "script"]);
const argumentNames: ReadonlySet<string> = new Set(["args", "arguments"]);
const variableNames: ReadonlySet<string> = new Set(["env", "environment"]);
const folderNames: ReadonlySet<string> = new Set("cwd workdir workingdirectory directory dirpath dir".split(" "));

/** Accepts a command line, or a program with arguments. Undefined when there is none. */
export function commandLineOf(input: unknown): string | undefined {
  const argv = Array.isArray(input) ? input : valueOf(input, commandNames);
  if (isWords(argv)) return argv.length === 0 ? undefined : quotedWords(argv);
  const { command } = canonicalInput("shell", input);
  const rest = valueOf(input, argumentNames);
  return command !== undefined && isWords(rest) && rest.length > 0 ? quotedWords([command, ...rest]) : command;
}

export function folderOf(input: unknown, cwd: string): string {
  const folder = valueOf(input, folderNames);
  return typeof folder === "string" ? absolutePath(folder, cwd, homedir()) : cwd;
}

export function setsVariables(input: unknown): boolean {
  const variables = valueOf(input, variableNames);
  return typeof variables === "object" && variables !== null && Object.keys(variables).length > 0;
}

/** The start folder of a command line and the folders it changes to. `away` is true when one of them is unknown. */
export function foldersOf(
  { commands }: Reading,
  from: string,
): { readonly all: readonly string[]; readonly moves: boolean; readonly away: boolean } {
  let [folder, moves, away] = [from, false, false];
  const all = new Set([from]);
  for (const { words } of commands) {
    const [first, target] = words.filter(({ text }) => !/^-./.test(text));
    if (first === undefined || !["cd", "pushd", "popd"].includes(first.text)) continue;
    moves = true;
    away ||= target === undefined || (/^(?:[-+]|~.)/.test(target.text) && !target.text.startsWith("~/"));
    if (target === undefined || target.dynamic) continue;
    folder = absolutePath(target.text, folder, homedir());
    all.add(folder);
  }
  return { all: [...all], moves, away };
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === "string");
}

function valueOf(input: unknown, names: ReadonlySet<string>): unknown {
  if (typeof input !== "object" || input === null) return undefined;
  return Object.entries(input).find(([key]) => names.has(key.toLowerCase().replace(/[^a-z]/g, "")))?.[1];
}
