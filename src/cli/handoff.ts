import { asking } from "./asking.ts";
import { commandName } from "./command-name.ts";
import type { Exit } from "./exit-codes.ts";
import type { GoOnOptions } from "./resume.ts";
import { run } from "./run.ts";
import { Screen, writeOut } from "./screen.ts";

export interface HandoffOptions extends GoOnOptions {
  readonly to: string;
}

/** `reins handoff`: another agent has a session from now on, and goes on at once where there is a prompt. */
export async function handoff(
  name: string,
  words: readonly string[],
  { to, ...options }: HandoffOptions,
  ending: AbortSignal,
): Promise<Exit> {
  if (words.length > 0) return run(words, { ...options, resume: name, handoff: to }, ending);
  const { mode, model, allowUnenforced } = options;
  const id = await asking("Handing over", ending, async (reins) => {
    const session = await reins.session({ resume: name, handoff: to, mode, model, allowUnenforced });
    return session.id;
  });
  await writeOut(`${id}\n`);
  const screen = new Screen();
  screen.line(`${to} has the session now, and is told with your next prompt what was said and done so far.`, "dim");
  screen.line(`Go on with: ${commandName()} resume ${id} "..."`, "dim");
  return "done";
}
