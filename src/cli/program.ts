import { Command, InvalidArgumentError, Option } from "commander";
import { modes } from "../events/modes.ts";
import { addCloud } from "./cloud-commands.ts";
import type { ContextCommand } from "./context.ts";
import type { Exit } from "./exit-codes.ts";
import { reportFailure } from "./failure.ts";
import { runHelp } from "./help.ts";
import { addHistory } from "./history-commands.ts";
import { addManagement } from "./manage-commands.ts";
import { addNoServer } from "./no-server.ts";
import { lookForServer } from "./opened-reins.ts";
import type { ServerAhead } from "./opened-reins.ts";
import { addPolicy } from "./policy-commands.ts";
import type { RunOptions } from "./run.ts";
import { addRules } from "./run-rules.ts";
import { addServe } from "./serve-command.ts";
import { addSessions } from "./session-commands.ts";
import { addSettings } from "./settings-commands.ts";

/** Does what the command line says and returns how it ended. Whatever goes wrong is said in one sentence. */
export async function perform(argv: readonly string[], ending: AbortSignal): Promise<Exit> {
  let exit: Exit = "done";
  const finish = (value: Exit): void => {
    exit = value;
  };
  try {
    // The command that is typed most does not wait for the others to be described, and a server that runs here is asked while it is read.
    const isRun = argv[0] === "run";
    const ahead = isRun && !argv.includes("--no-server") ? await lookForServer(process.env) : undefined;
    const program = isRun ? runProgram(ending, finish, ahead) : createProgram(ending, finish);
    await program.parseAsync(argv, { from: "user" });
    return exit;
  } catch (error) {
    if (isHelp(error) || ending.aborted) return "done";
    return reportFailure(error);
  }
}

function runProgram(ending: AbortSignal, finish: (exit: Exit) => void, ahead: ServerAhead | undefined): Command {
  const program = startProgram(ending, finish, ahead);
  addNoServer(program);
  return program;
}

/** With `run` in it. */
function startProgram(ending: AbortSignal, finish: (exit: Exit) => void, ahead?: ServerAhead): Command {
  const program = new Command("reins")
    // main.ts has shown its own help by now; this is about commands.
    .helpOption(false)
    .helpCommand(false)
    .configureOutput({ outputError: () => undefined })
    .exitOverride();

  const run = program
    .command("run")
    .description("Send a prompt to an agent.")
    .argument("[prompt...]", "the prompt; without one, or with `-`, it is read from stdin")
    .option(
      "-a, --agent <id>",
      "the agent, by its id in `reins agents`; otherwise the one that has the model, or the first that is ready",
    )
    .option("-m, --model <name>", "the model, by a name of `reins models`")
    .option("--fallback <agents>", "who takes over, in this order, when the agent cannot go on: b,c")
    .addOption(new Option("--mode <mode>", "how much it may do without asking; see below").choices(modes))
    .option("--cwd <folder>", "the folder to work in, instead of this one")
    .option(
      "--resume <session>",
      "go on with an earlier session: its id, its state, the agent's own id of it, or `last`",
    )
    .option("--no-store", "keep nothing of this session")
    .option("--json", "print every event as one line of JSON, and nothing else on stdout")
    .option("--raw", "with --json: add the agent's own message to each event")
    .option("--image <path>", "attach an image; may be repeated", collect)
    .option("--file <path>", "attach a file; may be repeated", collect)
    .option("--system <text>", "add this to the agent's system prompt")
    .option("--locale <tag>", "the language to answer in, such as de or pt-BR")
    .option("--allow-tool <name>", "a tool it may use without asking; may be repeated", collect)
    .option("--deny-tool <name>", "a tool it may never use; may be repeated", collect)
    .option("--allow-unenforced", "go on with an agent that cannot be held to every rule that denies something")
    .option("--max-turns <n>", "stop after this many rounds with the model", count);
  addRules(run, { count, dollars, collect })
    .option("--max-quiet <seconds>", "give up after this many seconds of silence", count)
    .option("-h, --help", "this help; with -a also the language of that agent's prompts, if it has one")
    .addHelpText("after", runHelp)
    .action(async (words: string[], options: RunOptions, command: Command) => {
      if (options.help === true) {
        const { showHelp } = await import("./run-help.ts");
        return showHelp(command, options.agent, ending);
      }
      const { run: perform } = await import("./run.ts");
      return finish(await perform(words, options, ending, ahead));
    });
  return program;
}

export function createProgram(ending: AbortSignal, finish: (exit: Exit) => void): Command {
  const program = startProgram(ending, finish);
  program
    .command("agents")
    .description("Which agents are on this machine, and what each still needs.")
    .argument("[id]", "only this one, with its models and modes")
    .option("--json", "print each agent as one line of JSON")
    .helpOption("-h, --help", "this help")
    .action(async (id: string | undefined, options: { json?: boolean }) => {
      const { agents } = await import("./agents.ts");
      await agents(id, options, ending);
    });

  program
    .command("context")
    .description("What would be sent to the model now: instructions, tools, messages. Nothing is sent.")
    .argument("[state]", "of the session with this state; otherwise of a fresh one")
    .option("-a, --agent <id>", "the agent of a fresh one")
    .option("-m, --model <name>", "with this model")
    .addOption(new Option("--mode <mode>", "in this mode").choices(modes))
    .option("--cwd <folder>", "the folder to work in, instead of this one")
    .option("--prompt <text>", "with this as the next prompt")
    .option("--json", "print it as one line of JSON")
    .helpOption("-h, --help", "this help")
    .action(async (state: string | undefined, options: ContextCommand) => {
      const { context } = await import("./context.ts");
      await context(state, options, ending);
    });

  addManagement(program, ending, finish);
  addSettings(program);
  addPolicy(program);
  addSessions(program, ending, finish);
  addHistory(program, ending);
  addCloud(program, ending, finish);
  addServe(program, ending);

  program
    .command("tour")
    .description("Watch a short session; needs nothing installed.")
    .helpOption("-h, --help", "this help")
    .action(async () => {
      const { tour } = await import("./tour.ts");
      finish(await tour(ending));
    });

  addNoServer(program);
  return program;
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function count(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("It must be a whole number, 1 or more.");
  return number;
}

function dollars(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0)
    throw new InvalidArgumentError("It must be an amount in US dollars, such as 0.50.");
  return number;
}

function isHelp(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "commander.helpDisplayed" || code === "commander.help";
}
