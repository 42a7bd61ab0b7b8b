/** Further arguments of the caller's, but for those that take the reins out of our hands. */
import { ReinsError } from "../../events/errors.ts";
import { program } from "./program.ts";

type Reason = "wider" | "ours" | "secret";

const refused: Readonly<Record<string, Reason>> = {
  // With these it would do more than the mode of the session says.
  "--force": "wider",
  "-f": "wider",
  "--yolo": "wider",
  "--auto-review": "wider",
  "--cloud": "wider",
  "-c": "wider",
  "--background": "wider",
  "-b": "wider",
  // These say how Reins and it talk, and in which conversation.
  "--print": "ours",
  "-p": "ours",
  "--output-format": "ours",
  "--stream-partial-output": "ours",
  "--resume": "ours",
  "--continue": "ours",
  "--mode": "ours",
  "--plan": "ours",
  "--model": "ours",
  "--workspace": "ours",
  "--version": "ours",
  "-v": "ours",
  "--help": "ours",
  "-h": "ours",
  "--list-models": "ours",
  "--": "ours",
  // Everybody on the machine can read a command line; headers are checked where REINS_CURSOR_HEADERS is.
  "--header": "secret",
  "-H": "secret",
  "--api-key": "secret",
  "--auth-token": "secret",
};

const sentences: Readonly<Record<Reason, (argument: string) => readonly [message: string, help: string]>> = {
  wider: (argument) => [
    `Reins cannot hold Cursor with the argument ${argument}.`,
    "Leave it out; the mode says what it may do.",
  ],
  ours: (argument) => [
    `The argument ${argument} is one that Reins sets itself.`,
    "Leave it out, and use the option of the session.",
  ],
  secret: (argument) => [
    `The argument ${argument} may show a secret to everybody on this machine.`,
    "Set CURSOR_API_KEY instead; headers are set by REINS_CURSOR_HEADERS.",
  ],
};

export function checkedExtras(extraArgs: readonly string[]): readonly string[] {
  for (const argument of extraArgs) {
    const name = argument.split("=", 1)[0]!;
    // Short options may be written together: `-pf`.
    const parts = /^-[a-z]{2,}$/i.test(name) ? Array.from(name.slice(1), (letter) => `-${letter}`) : [name];
    const reason = parts.map((part) => refused[part]).find((found) => found !== undefined);
    if (reason === undefined) continue;
    const [message, help] = sentences[reason](name);
    throw new ReinsError("invalid_input", message, { agent: program.id, help });
  }
  return extraArgs;
}
