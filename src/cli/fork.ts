import { asking } from "./asking.ts";
import { commandName } from "./command-name.ts";
import type { Exit } from "./exit-codes.ts";
import type { GoOnOptions } from "./resume.ts";
import { run } from "./run.ts";
import { Screen, writeOut } from "./screen.ts";

/** `reins fork`: the conversation so far as another session, and its first prompt where one is given. */
export async function fork(
  name: string,
  words: readonly string[],
  options: GoOnOptions,
  ending: AbortSignal,
): Promise<Exit> {
  const screen = new Screen();
  const { id, cwd } = await asking("Copying", ending, (reins) => reins.sessions.fork(name));
  screen.line(`The conversation is forked; the files in ${cwd} are not: both sessions work in the same folder.`, "dim");
  if (words.length > 0) return run(words, { ...options, resume: id }, ending);
  await writeOut(`${id}\n`);
  screen.line(`Go on with: ${commandName()} resume ${id} "..."`, "dim");
  return "done";
}
