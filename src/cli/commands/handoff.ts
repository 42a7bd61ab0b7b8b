import type { Command } from "commander";
import { addCommand, texts } from "../command.ts";
import type { CommandContext } from "../command.ts";
import { commandName } from "../installation.ts";
import { Screen, writeOut } from "../render/screen.ts";
import { withStatus } from "../with-status.ts";
import { addContinueOptions } from "./resume.ts";
import type { ContinueOptions } from "./resume.ts";
import { run } from "./run.ts";

interface HandoffOptions extends ContinueOptions {
  readonly to: string;
}

export function register(program: Command, { ending, finish }: CommandContext): void {
  const description = "Hand a session over to another agent, which is told what was said and done so far.";
  const handoff = addCommand(program, "handoff", description)
    .argument("<session>", texts.session)
    .argument("[prompt...]", "go on at once with this prompt; with `-` it is read from stdin")
    .requiredOption("--to <agent>", "the agent; one that had the session before goes on from where it was");
  addContinueOptions(handoff).action(async (name: string, words: string[], { to, ...options }: HandoffOptions) => {
    if (words.length > 0) return finish(await run(words, { ...options, resume: name, handoff: to }, ending));
    const { mode, model, allowUnenforced } = options;
    const { id } = await withStatus("Handing over", ending, (reins) =>
      reins.session({ resume: name, handoff: to, mode, model, allowUnenforced }),
    );
    await writeOut(`${id}\n`);
    const screen = new Screen();
    screen.line(`${to} has the session now, and is told with your next prompt what was said and done so far.`, "dim");
    screen.line(`Go on with: ${commandName()} resume ${id} "..."`, "dim");
  });
}
