/** Resolves a simple command to itself and the commands that it starts. */
import type { Word, Written } from "./types.ts";
import * as known from "./wrappers.ts";
import type { Wrapper } from "./wrappers.ts";

export interface Found {
  readonly command: (words: readonly Word[], carrier?: boolean) => void;
  /** A command line that this command starts. */
  readonly line: (text: string) => void;
  readonly dynamic: () => void;
}

/** Maximum depth of nested wrappers. */
const deepest = 32;
/** Maximum number of words at which the command of a loose wrapper may begin. */
const mostStarts = 16;

export function unwrap({ words: command, input }: Written, found: Found, depth = 0): void {
  const [first] = command;
  if (first === undefined) return;
  const inner = (started: readonly Word[]): void => {
    if (depth >= deepest) found.dynamic();
    else if (started.length > 0) unwrap({ words: started, input }, found, depth + 1);
  };
  const name = nameOf(first.text);
  // zsh expands `=rm` to the path of rm.
  if (first.dynamic || first.glob || first.text.startsWith("=")) found.dynamic();

  const wrapper = known.wrappers.get(name);
  if (wrapper !== undefined) return throughWrapper(command, wrapper, found, inner);
  if (input !== undefined && !readsOnlyText(name, command)) found.dynamic();
  if (known.shells.has(name) || name === "su") return throughShell(command, input?.text, found, name === "su");
  found.command(command);
  if (known.looseWrappers.has(name)) throughLooseWrapper(command, found);
  else if (known.evaluators.has(name)) {
    found.dynamic();
    found.line(
      command
        .slice(1, name === "trap" ? 2 : undefined)
        .map(({ text }) => text)
        .join(" "),
    );
  } else if (known.changingBuiltins.has(name)) found.dynamic();
  else if (known.evaluatingBuiltins.has(name) && command.slice(1).some(({ text }) => known.evaluated.test(text)))
    found.dynamic();
  else if (known.interpreters.has(name) && readsItsInput(command)) found.dynamic();
  else if (name === "find" || name === "fd") throughFind(command, found, inner);
}

/** True when the command never runs its input and changes nothing because of it. */
function readsOnlyText(name: string, command: readonly Word[]): boolean {
  if (known.textTools.has(name)) return true;
  // The input is a commit message.
  return name === "git" && ["commit", "tag"].includes(command[1]?.text ?? "");
}

/** Any word may begin the command that a loose wrapper starts. The line is dynamic, so this only serves deny rules. */
function throughLooseWrapper(command: readonly Word[], found: Found): void {
  found.dynamic();
  const starts = command.slice(1, mostStarts);
  starts.forEach(({ text }, at) => {
    if (text.startsWith("-")) {
      const next = command[at + 2];
      if (/^-\w*c$|^--command$/.test(text) && next !== undefined) found.line(next.text);
    } else found.command(command.slice(at + 1));
  });
}

export function nameOf(text: string): string {
  return text.slice(text.lastIndexOf("/") + 1);
}

function throughWrapper(
  command: readonly Word[],
  wrapper: Wrapper,
  found: Found,
  inner: (words: readonly Word[]) => void,
): void {
  const name = nameOf(command[0]!.text);
  let at = 1;
  for (; at < command.length; at++) {
    const { text, dynamic } = command[at]!;
    if (dynamic) found.dynamic();
    if (wrapper.assigns === true && setsVariable(text)) found.dynamic();
    else if (text === "--") {
      at++;
      break;
    } else if (text === "-" || !text.startsWith("-")) break;
    // `command -v` only prints where a command is.
    else if (name === "command" && /^-[vV]+$/.test(text)) return found.command(command);
    else if (name === "env" && /^(?:-\w*S|--split-string)/.test(text)) return splitString(command, at, found);
    else if (takesNext(text, wrapper, found)) at++;
  }
  for (; wrapper.assigns === true && setsVariable(command[at]?.text ?? ""); at++) found.dynamic();
  at += wrapper.before ?? 0;
  found.command(command, wrapper.harmless === true && isUsual(command[0]!.text) && at < command.length);
  if (wrapper.unknown === true) found.dynamic();
  inner(command.slice(at));
}

/** `env` and `sudo` treat every word with `=` as a variable, whatever its name; a shell does not. */
function setsVariable(text: string): boolean {
  return !text.startsWith("-") && text.includes("=");
}

/** True when an option takes its value from the next word. An unknown option may do so, so the rest is uncertain. */
function takesNext(option: string, { flags, takes, long = "", more = "" }: Wrapper, found: Found): boolean {
  if (option.startsWith("--")) {
    if (!option.includes("=") || more !== "") found.dynamic();
    // Long options may be abbreviated.
    return long.split(" ").some((name) => name.startsWith(option.slice(2)));
  }
  for (let at = 1; at < option.length; at++) {
    if (more.includes(option[at]!)) found.dynamic();
    if (takes.includes(option[at]!)) return at === option.length - 1;
    if (!flags.includes(option[at]!)) found.dynamic();
  }
  return false;
}

/** `env -S 'rm -r x'`: the word is a command line. */
function splitString(command: readonly Word[], at: number, found: Found): void {
  found.command(command);
  found.dynamic();
  const [, inline = ""] = /^(?:-\w*?S|--split-string=?)(.*)$/s.exec(command[at]!.text) ?? [];
  const rest = command.slice(at + 1).map(({ text }) => text);
  found.line([inline, ...rest].join(" "));
}

function throughShell(command: readonly Word[], input: string | undefined, found: Found, su: boolean): void {
  let fromText = false;
  let at = 1;
  for (; at < command.length; at++) {
    const { text, dynamic } = command[at]!;
    if (dynamic && !fromText) found.dynamic();
    if (text === "--") {
      at++;
      break;
    }
    if (su && !text.startsWith("-")) continue;
    if (text === "-" && su) continue;
    if (!/^[-+]./.test(text)) break;
    // `-s` makes the shell read further commands from its input, `--rcfile` from a file.
    if (!known.shellOptions.test(text)) found.dynamic();
    if (text.startsWith("--")) {
      if (text === "--command") fromText = true;
      if (/^--(?:rcfile|init-file)$/.test(text)) at++;
    } else {
      fromText ||= text.includes("c");
      if (su && fromText) {
        at++;
        break;
      }
      if (/[oO]/.test(text)) {
        // The option name comes first, then the command of a `-c` in the same word.
        if (fromText || !known.shellSettings.has(command[at + 1]?.text ?? "")) found.dynamic();
        at++;
      }
    }
  }
  const operand = command[at];
  found.command(command, isUsual(command[0]!.text) && !su && fromText && operand !== undefined);
  if (fromText && operand !== undefined) {
    // The expansion of a file name pattern is unknown.
    if (operand.glob) found.dynamic();
    return found.line(operand.text);
  }
  // The shell reads its commands from a source that is not visible here.
  if (operand === undefined || operand.text === "-") found.dynamic();
  if (operand === undefined && input !== undefined) found.line(input);
}

function throughFind(command: readonly Word[], found: Found, inner: (words: readonly Word[]) => void): void {
  command.forEach(({ text }, at) => {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(text)) return;
    found.dynamic();
    const rest = command.slice(at + 1);
    const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
    inner(end < 0 ? rest : rest.slice(0, end));
  });
}

/** Without a file to run, or with `-`, an interpreter runs its input. */
function readsItsInput(command: readonly Word[]): boolean {
  return command.length === 1 || command.slice(1).some(({ text }) => text === "-");
}

/** True for a plain name or a usual folder for programs: a program of the same name elsewhere may do anything. */
function isUsual(text: string): boolean {
  return /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?[^/]+$/.test(text);
}
