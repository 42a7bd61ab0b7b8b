/** Commands that continue a stored session: resume, fork, handoff. */
import type { Command } from "commander";
import type { Reins } from "../../core/api.ts";
import { addCommand, modeOption, texts, type CommandContext } from "../command.ts";
import { commandName } from "../installation.ts";
import { Screen, writeOut } from "../render/screen.ts";
import { withStatus } from "../with-status.ts";
import { run, type RunOptions } from "./run.ts";

type ContinueOptions = Pick<RunOptions, "mode" | "model" | "fallback" | "allowUnenforced" | "json">;

export function register(program: Command, context: CommandContext): void {
  addResume(program, context);
  addFork(program, context);
  addHandoff(program, context);
}

function addResume(program: Command, { ending, finish }: CommandContext): void {
  const resume = addCommand(program, "resume", "Continue a session.")
    .argument("[session]", `${texts.session}(default: the last one in this folder)`)
    .argument("[prompt...]", "the prompt; without one it is read from stdin");
  addOptions(resume).action(async (name: string | undefined, words: string[], options: ContinueOptions) => {
    // Words that do not name a session are the start of a prompt for the last one.
    const isSession = name !== undefined && /^(?:ses_\S*$|last$|[\w-]+:\d+:|[0-9a-f-]{8,}$)/i.test(name);
    const prompt = name === undefined || isSession ? words : [name, ...words];
    finish(await run(prompt, { ...options, resume: isSession ? name : "last" }, ending));
  });
}

function addFork(program: Command, { ending, finish }: CommandContext): void {
  const description = "Copy the conversation of a session into a new one. Files in the folder are not copied.";
  const fork = addCommand(program, "fork", description)
    .argument("<session>", texts.session)
    .argument("[prompt...]", "continue the copy with this prompt");
  addOptions(fork).action(async (name: string, words: string[], options: ContinueOptions) => {
    const { id, cwd } = await withStatus("Copying", ending, (reins) => reins.sessions.fork(name));
    const both = `The conversation was copied; the files were not. Both sessions work in ${cwd}.`;
    new Screen().line(both, "dim");
    if (words.length > 0) return finish(await run(words, { ...options, resume: id }, ending));
    await tellId(id);
  });
}

function addHandoff(program: Command, { ending, finish }: CommandContext): void {
  const description = "Hand a session to another agent, with a briefing of the conversation so far.";
  const handoff = addCommand(program, "handoff", description)
    .argument("<session>", texts.session)
    .argument("[prompt...]", "continue at once with this prompt; `-` reads it from stdin")
    .requiredOption("--to <agent>", "the agent; one that had the session before continues where it left off");
  type HandoffOptions = ContinueOptions & { readonly to: string };
  addOptions(handoff).action(async (name: string, words: string[], { to, ...options }: HandoffOptions) => {
    if (words.length > 0) return finish(await run(words, { ...options, resume: name, handoff: to }, ending));
    const { mode, model, allowUnenforced } = options;
    const handOver = (reins: Reins) => reins.session({ resume: name, handoff: to, mode, model, allowUnenforced });
    const { id } = await withStatus("Handing over", ending, handOver);
    await tellId(id, `${to} has the session now and gets a briefing of it with your next prompt.`);
  });
}

function addOptions(command: Command): Command {
  return command
    .addOption(modeOption("what it may do without asking (default: as before)"))
    .option("-m, --model <name>", "the model (default: as before)")
    .option("--fallback <agents>", "agents that take over in this order when the agent cannot continue: b,c")
    .option("--allow-unenforced", texts.allowUnenforced)
    .option("--json", texts.events);
}

async function tellId(id: string, ...lines: readonly string[]): Promise<void> {
  await writeOut(`${id}\n`);
  const screen = new Screen();
  for (const line of [...lines, `Continue with: ${commandName()} resume ${id} "..."`]) screen.line(line, "dim");
}
