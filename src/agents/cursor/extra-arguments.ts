/** Further arguments of the caller's, but for those that take the reins out of our hands. */
import { ReinsError } from "../../events/errors.ts";
import { variableOf } from "../variable.ts";
import { program } from "./program.ts";

type Sentence = readonly [message: string, help: string];
type Reason = (argument: string) => Sentence;

/** With these it would do more than the mode of the session says. */
const wider: Reason = (argument) => [
  `Reins cannot hold Cursor with the argument ${argument}.`,
  "Leave it out; the mode says what it may do.",
];

/** These say how Reins and it talk, where, and in which conversation. */
const ours: Reason = (argument) => [
  `The argument ${argument} is one that Reins sets itself.`,
  "Leave it out, and use the option of the session.",
];

/** Everybody on the machine can read a command line; headers are checked where REINS_CURSOR_HEADERS is. */
const secret: Reason = (argument) => [
  `The argument ${argument} may show a secret to everybody on this machine.`,
  "Set CURSOR_API_KEY instead; headers are set by REINS_CURSOR_HEADERS.",
];

/** What a person has to say, and no caller: most of these widen what it may do, or where its key goes. */
const setBy =
  (what: string): Reason =>
  (argument) => [
    `The argument ${argument} is set by a variable.`,
    `Leave it out, and set ${variableOf(program.id, what)} where you mean it.`,
  ];

/** Each that Cursor documents widens, shows a secret or is ours, and several may be written together, with a value at their end. */
const short: Reason = (argument) => [
  `The argument ${argument} is a short option, which Reins does not hand over.`,
  "Write the long one, where Reins hands that over.",
];

const word: Reason = () => [
  "An argument that belongs to no option would be taken for a prompt or a command.",
  "Leave it out, or write it behind its option with a `=`.",
];

const valueless: Reason = (argument) => [
  `The argument ${argument} lacks its value.`,
  "Write the value behind it, or leave it out.",
];

const refused: Readonly<Record<string, Reason>> = {
  "--force": wider,
  "--yolo": wider,
  "--auto-review": wider,
  "--cloud": wider,
  "--background": wider,
  "--print": ours,
  "--output-format": ours,
  "--stream-partial-output": ours,
  "--resume": ours,
  "--continue": ours,
  "--mode": ours,
  "--plan": ours,
  "--model": ours,
  "--workspace": ours,
  "--add-dir": ours,
  "--version": ours,
  "--help": ours,
  "--list-models": ours,
  "--": ours,
  "--header": secret,
  "--api-key": secret,
  "--auth-token": secret,
  "--endpoint": setBy("ENDPOINT"),
  "--sandbox": setBy("SANDBOX"),
  "--trust": setBy("TRUST"),
  "--approve-mcps": setBy("APPROVE_MCPS"),
  "--browser": setBy("BROWSER"),
  "--worktree": setBy("WORKTREE"),
  "--worktree-base": setBy("WORKTREE_BASE"),
  "--skip-worktree-setup": setBy("SKIP_WORKTREE_SETUP"),
};

/** Of the others it is known whether they have a value; one that nobody knows may have one. */
const valued: ReadonlySet<string> = new Set(["--image", "--plugin-dir"]);
const flags: ReadonlySet<string> = new Set(["--disable-auto-update", "--show-thinking"]);

export function checkedExtras(extraArgs: readonly string[]): readonly string[] {
  for (const [index, argument] of extraArgs.entries()) {
    const [message, help] = complaintAbout(argument, extraArgs[index - 1], extraArgs[index + 1]) ?? [];
    if (message !== undefined) throw new ReinsError("invalid_input", message, { agent: program.id, help });
  }
  return extraArgs;
}

function complaintAbout(argument: string, before: string | undefined, after: string | undefined): Sentence | undefined {
  if (!isOption(argument)) return before !== undefined && takesValue(before) ? undefined : word(argument);
  // What is attached to a short one may be a secret: only its letter is said again.
  if (!argument.startsWith("--")) return short(argument.slice(0, 2));
  const name = argument.split("=", 1)[0]!;
  // It would take the argument of ours that stands behind it.
  const lacks = valued.has(argument) && (after === undefined || isOption(after));
  return (refused[name] ?? (lacks ? valueless : undefined))?.(name);
}

function isOption(argument: string): boolean {
  return argument.startsWith("-") && argument !== "-";
}

function takesValue(argument: string): boolean {
  return argument.startsWith("--") && !argument.includes("=") && !flags.has(argument);
}
