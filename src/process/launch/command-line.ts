/** Parses a command line without a shell: quotes work, and shell syntax is refused. */
import { ReinsError } from "../../events/errors.ts";

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

const shellOnly = "|&;<>()$`*?~#{}[]!\n\r";
/** Shell syntax that is active inside double quotes. */
const shellOnlyQuoted = "$`\n\r";

export function parseCommandLine(line: string): Command {
  const [command, ...args] = words(line);
  if (command === undefined) throw refused("names no command");
  if (/^\w+=/.test(command))
    throw refused(
      `begins with a variable (${command})`,
      "Set the variable before you start Reins, or as an entry of the configuration.",
    );
  return { command, args };
}

function words(line: string): string[] {
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!;
    if (quote === "'" || quote === '"') {
      if (letter === quote) quote = undefined;
      else if (quote === '"' && letter === "\\" && '"\\'.includes(line[at + 1] ?? "x")) word += line[++at]!;
      else if (quote === '"' && shellOnlyQuoted.includes(letter)) throw forShells(letter);
      else word += letter;
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      word ??= "";
    } else if (letter === " " || letter === "\t") {
      if (word !== undefined) found.push(word);
      word = undefined;
    } else if (letter === "\\" && at + 1 < line.length) {
      word = (word ?? "") + line[++at]!;
    } else if (shellOnly.includes(letter)) {
      throw forShells(letter);
    } else word = (word ?? "") + letter;
  }
  if (quote !== undefined) throw refused(`has a ${quote} that is not closed`);
  if (word !== undefined) found.push(word);
  return found;
}

function forShells(letter: string): ReinsError {
  const shown = letter === "\n" || letter === "\r" ? "a line break" : letter;
  return refused(
    `contains ${shown}, which only a shell understands, and Reins uses no shell`,
    "Put it in single quotes to pass it literally, or put the command in a script and name the script.",
  );
}

function refused(what: string, help = "Write it as `acp:<program> <arguments>`."): ReinsError {
  return new ReinsError("invalid_input", `This command line ${what}.`, { help });
}
