import type { Command } from "commander";
import { addCommand, texts } from "../command.ts";
import type { CommandContext } from "../command.ts";
import { commandName } from "../installation.ts";
import { Screen, writeOut } from "../render/screen.ts";
import { withStatus } from "../with-status.ts";
import { addContinueOptions } from "./resume.ts";
import type { ContinueOptions } from "./resume.ts";
import { run } from "./run.ts";

export function register(program: Command, { ending, finish }: CommandContext): void {
  const description = "The conversation of a session as another session. The files in the folder are not forked.";
  const fork = addCommand(program, "fork", description)
    .argument("<session>", texts.session)
    .argument("[prompt...]", "go on in it with this prompt");
  addContinueOptions(fork).action(async (name: string, words: string[], options: ContinueOptions) => {
    const screen = new Screen();
    const { id, cwd } = await withStatus("Copying", ending, (reins) => reins.sessions.fork(name));
    screen.line(
      `The conversation is forked; the files in ${cwd} are not: both sessions work in the same folder.`,
      "dim",
    );
    if (words.length > 0) return finish(await run(words, { ...options, resume: id }, ending));
    await writeOut(`${id}\n`);
    screen.line(`Go on with: ${commandName()} resume ${id} "..."`, "dim");
  });
}
