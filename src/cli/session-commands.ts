import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { modes } from "../events/modes.ts";
import type { Exit } from "./exit-codes.ts";
import type { ListOptions } from "./sessions.ts";
import type { HandoffOptions } from "./handoff.ts";
import type { GoOnOptions } from "./resume.ts";

const json = "print one line of JSON each";
const which = "its id or the beginning of it, the agent's own id, or `last`: the last one in this folder";

/** The commands about sessions that are kept. */
export function addSessions(program: Command, ending: AbortSignal, finish: (exit: Exit) => void): void {
  const sessions = program
    .command("sessions")
    .description("The sessions that are kept.")
    .helpOption("-h, --help", "this help")
    .helpCommand(false)
    // The longest of them leaves a little less than commander wants for wrapping.
    .configureHelp({ minWidthToWrap: 30 })
    .exitOverride();
  sessions
    .command("list", { isDefault: true })
    .description("Which there are, the one that was used last first.")
    .option("--here", "only those of this folder")
    .option("-a, --agent <id>", "only those of this agent")
    .option("-n, --limit <n>", "at most so many (default: 20)", number)
    .option("--all", "all of them")
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (options: ListOptions) => {
      const { listSessions } = await import("./sessions.ts");
      await listSessions(options, ending);
    });
  sessions
    .command("show")
    .description("One of them, with its legs and turns.")
    .argument("<session>", which)
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (name: string, options: { json?: boolean }) => {
      const { showSession } = await import("./sessions.ts");
      await showSession(name, options, ending);
    });
  sessions
    .command("rename")
    .description("Give one a title.")
    .argument("<session>", which)
    .argument("<title...>", "the title")
    .helpOption("-h, --help", "this help")
    .action(async (name: string, words: string[]) => {
      const { renameSession } = await import("./sessions.ts");
      await renameSession(name, words.join(" "), ending);
    });
  sessions
    .command("rm")
    .description("Remove some, with all that was recorded. What the agent itself keeps stays.")
    .argument("<session...>", which)
    .helpOption("-h, --help", "this help")
    .action(async (names: string[]) => {
      const { removeSessions } = await import("./sessions.ts");
      await removeSessions(names, ending);
    });

  const goOn = (command: Command): Command =>
    command
      .addOption(
        new Option("--mode <mode>", "how much it may do without asking; else no more than before").choices(modes),
      )
      .option("-m, --model <name>", "the model, instead of the one it had")
      .option("--fallback <agents>", "who takes over, in this order, when the agent cannot go on: b,c")
      .option("--allow-unenforced", "go on with an agent that cannot be held to every rule that denies something")
      .option("--json", "print every event as one line of JSON, and nothing else on stdout")
      .helpOption("-h, --help", "this help");
  goOn(
    program
      .command("resume")
      .description("Go on with a session.")
      .argument("[session]", `${which}; without it the last one in this folder`)
      .argument("[prompt...]", "the prompt; without one it is read from stdin"),
  ).action(async (name: string | undefined, words: string[], options: GoOnOptions) => {
    const { resume } = await import("./resume.ts");
    finish(await resume(name, words, options, ending));
  });
  goOn(
    program
      .command("fork")
      .description("The conversation of a session as another session. The files in the folder are not forked.")
      .argument("<session>", which)
      .argument("[prompt...]", "go on in it with this prompt"),
  ).action(async (name: string, words: string[], options: GoOnOptions) => {
    const { fork } = await import("./fork.ts");
    finish(await fork(name, words, options, ending));
  });

  goOn(
    program
      .command("handoff")
      .description("Hand a session over to another agent, which is told what was said and done so far.")
      .argument("<session>", which)
      .argument("[prompt...]", "go on at once with this prompt; with `-` it is read from stdin")
      .requiredOption("--to <agent>", "the agent; one that had the session before goes on from where it was"),
  ).action(async (name: string, words: string[], options: HandoffOptions) => {
    const { handoff } = await import("./handoff.ts");
    finish(await handoff(name, words, options, ending));
  });

  program
    .command("log")
    .description("Show a session again as it was.")
    .argument("<session>", which)
    .option("--json", "print every event as one line of JSON, just as it was streamed")
    .option("--after <seq>", "from behind this event on", whole)
    .helpOption("-h, --help", "this help")
    .action(async (name: string, options: { json?: boolean; after?: number }) => {
      const { log } = await import("./log.ts");
      await log(name, options, ending);
    });
  program
    .command("search")
    .description("Find words in what was asked, said, done and changed, in all sessions.")
    .argument("<words...>", "all of them must be there; beginnings of words are enough")
    .option("--here", "only in sessions of this folder")
    .option("-a, --agent <id>", "only in those of this agent")
    .option("-n, --limit <n>", "at most so many places (default: 20)", number)
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (words: string[], options: ListOptions) => {
      const { search } = await import("./search.ts");
      await search(words.join(" "), options, ending);
    });
  program
    .command("gc")
    .description("Remove what need not be kept: what is older than configured, and what nothing refers to.")
    .option("--keep-days <n>", "remove sessions that were not used for so many days", number)
    .option("--max-mb <n>", "above so many megabytes remove what was not used for the longest", number)
    .option("--dry-run", "only say what would be removed")
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (options: { keepDays?: number; maxMb?: number; dryRun?: boolean; json?: boolean }) => {
      const { gc } = await import("./gc.ts");
      await gc(options, ending);
    });
  program
    .command("ps")
    .description("What Reins runs now, in every terminal.")
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (options: { json?: boolean }) => {
      const { ps } = await import("./ps.ts");
      await ps(options, ending);
    });
  program
    .command("usage")
    .description("What was used, by day, agent and model; and who can take work now.")
    .option("--days <n>", "of so many days (default: 7)", number)
    .option("--json", json)
    .helpOption("-h, --help", "this help")
    .action(async (options: { days?: number; json?: boolean }) => {
      const { usage } = await import("./usage.ts");
      await usage(options, ending);
    });
}

function number(value: string): number {
  const found = Number(value);
  if (!Number.isFinite(found) || found <= 0) throw new InvalidArgumentError("It must be a number above 0.");
  return found;
}

function whole(value: string): number {
  const found = Number(value);
  if (!Number.isInteger(found) || found < 0) throw new InvalidArgumentError("It must be a whole number, 0 or more.");
  return found;
}
