/** Checks the caller's extra arguments: refuses those that widen the mode, reveal a secret or belong to Reins. */
import { variableOf } from "../variable.ts";
import { cursorError, program } from "./program.ts";

type Sentence = readonly [message: string, help: string];

const refused: readonly (readonly [names: string, why: (argument: string) => Sentence])[] = [
  [
    "--force --yolo --auto-review --cloud --background",
    (name) => [
      `Reins cannot control Cursor with the argument ${name}.`,
      "Leave it out; the mode decides what Cursor may do.",
    ],
  ],
  [
    "--print --output-format --stream-partial-output --resume --continue --mode --plan --model --workspace --add-dir --version --help --list-models --",
    (name) => [
      `The argument ${name} is one that Reins sets itself.`,
      "Leave it out, and use the option of the session.",
    ],
  ],
  [
    "--header --api-key --auth-token",
    (argument) => [
      `The argument ${argument} may show a secret to other users of this machine.`,
      "Set CURSOR_API_KEY instead; headers are set by REINS_CURSOR_HEADERS.",
    ],
  ],
  // Only the user may set these, not a caller: most of them widen what Cursor may do or where its key goes.
  [
    "--endpoint --sandbox --trust --approve-mcps --browser --worktree --worktree-base --skip-worktree-setup",
    (argument) => {
      const variable = variableOf(program.id, argument.slice(2).replaceAll("-", "_").toUpperCase());
      return [`The argument ${argument} is set by a variable.`, `Leave it out, and set ${variable} instead.`];
    },
  ],
];
const reasons = new Map(refused.flatMap(([names, why]) => names.split(" ").map((name) => [name, why] as const)));

/** Other options may take a value too. */
const valued: ReadonlySet<string> = new Set(["--image", "--plugin-dir"]);
const flags: ReadonlySet<string> = new Set(["--disable-auto-update", "--show-thinking"]);

export function checkedExtras(extraArgs: readonly string[]): readonly string[] {
  for (const [index, argument] of extraArgs.entries()) {
    const [message, help] = complaintAbout(argument, extraArgs[index - 1], extraArgs[index + 1]) ?? [];
    if (message !== undefined) throw cursorError("invalid_input", message, help);
  }
  return extraArgs;
}

function complaintAbout(argument: string, before: string | undefined, after: string | undefined): Sentence | undefined {
  if (!isOption(argument)) {
    const isValue = before?.startsWith("--") === true && !before.includes("=") && !flags.has(before);
    const message = "An argument that belongs to no option would be taken for a prompt or a command.";
    return isValue ? undefined : [message, "Leave it out, or write it after its option with a `=`."];
  }
  // Several short options may be written together, with a value at the end that may be a secret, so only the first letter is shown.
  if (!argument.startsWith("--"))
    return [
      `The argument ${argument.slice(0, 2)} is a short option, which Reins does not pass on.`,
      "Use the long form, if Reins passes it on.",
    ];
  const name = argument.split("=", 1)[0]!;
  const why = reasons.get(name);
  if (why !== undefined) return why(name);
  // An option without its value would take the next argument of Reins as the value.
  const lacks = valued.has(argument) && (after === undefined || isOption(after));
  return lacks ? [`The argument ${name} lacks its value.`, "Write the value after it, or leave it out."] : undefined;
}

function isOption(argument: string): boolean {
  return argument.startsWith("-") && argument !== "-";
}
