import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import { modes } from "../events/modes.ts";
import type { CloudFollowCommand } from "./cloud-follow.ts";
import type { CloudListCommand } from "./cloud-list.ts";
import type { CloudRunCommand } from "./cloud-run.ts";
import type { Exit } from "./exit-codes.ts";

const json = "print one line of JSON each";
const events = "print every event as one line of JSON, and nothing else on stdout";
const which = "its id in `reins cloud list`, or its session in `reins sessions`";

/** Agents that work elsewhere, and go on when nobody looks. */
export function addCloud(program: Command, ending: AbortSignal, finish: (exit: Exit) => void): void {
  const cloud = program
    .command("cloud")
    .description("Agents that work in the cloud, and go on there when this machine sleeps.")
    .helpOption("-h, --help", "this help")
    .helpCommand(false)
    .exitOverride();
  const add = (name: string, options = {}): Command =>
    cloud
      .command(name, options)
      .option("-a, --agent <id>", "which agent, where several work in the cloud")
      .helpOption("-h, --help", "this help");

  add("list", { isDefault: true })
    .description("What runs there, whoever began it; newest first.")
    .option("-n, --limit <n>", "at most so many (default: 20)", number)
    .option("--cursor <cursor>", "from where the last list ended")
    .option("--archived", "those that are archived too")
    .option("--json", json)
    .action(async (options: CloudListCommand) => {
      const { cloudList } = await import("./cloud-list.ts");
      await cloudList(options, ending);
    });
  add("run")
    .description("Begin one, and follow it. Ctrl-C leaves it alone: it goes on there.")
    .argument("[prompt...]", "the prompt; without one, or with `-`, it is read from stdin")
    .option("--repo <address>", "the repository; otherwise what the current folder was cloned from")
    .option("--ref <ref>", "the branch or commit to begin from")
    .option("--branch <name>", "the branch to push to; the same as --ref: right there")
    .option("--pull-request <address>", "work on this pull request")
    .option("--pr", "open a pull request when it is done")
    .option("--name <name>", "what it is called there")
    .option("-m, --model <name>", "the model, by a name of `reins models`")
    .addOption(new Option("--mode <mode>", "how much it may do (default: full)").choices(modes))
    .option("--cwd <folder>", "the folder it is about, instead of this one")
    .option("--image <path>", "attach an image; may be repeated", collect)
    .option("--file <path>", "attach a file; may be repeated", collect)
    .option("--allow-unenforced", "go on though it cannot be held to every rule that denies something")
    .option("--detach", "leave it as soon as it has begun")
    .option("--json", events)
    .action(async (words: string[], options: CloudRunCommand) => {
      const { cloudRun } = await import("./cloud-run.ts");
      finish(await cloudRun(words, options, ending));
    });
  add("follow")
    .description("Follow one that goes on, from where it is. Ctrl-C leaves it alone.")
    .argument("<agent>", which)
    .option("--json", events)
    .action(async (name: string, options: CloudFollowCommand) => {
      const { cloudFollow } = await import("./cloud-follow.ts");
      finish(await cloudFollow(name, options, ending));
    });
  add("logs")
    .description("What was said and done there so far, as far as the service tells.")
    .argument("<agent>", which)
    .option("--json", events)
    .action(async (name: string, options: { agent?: string; json?: boolean }) => {
      const { cloudLogs } = await import("./cloud-logs.ts");
      await cloudLogs(name, options, ending);
    });
  add("stop")
    .description("End the run that goes on; the agent stays, and can be spoken to again.")
    .argument("<agent...>", which)
    .action(async (names: string[], options: { agent?: string }) => {
      const { cloudStop } = await import("./cloud-stop.ts");
      await cloudStop(names, options, ending);
    });
}

function number(value: string): number {
  const found = Number(value);
  if (!Number.isInteger(found) || found < 1 || found > 100)
    throw new InvalidArgumentError("It must be a whole number, 1 to 100.");
  return found;
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
