import type { Command } from "commander";

/** These never ask a server: they are one, are about this process, only look at files, or show how far they are. */
const alone = new Set(["serve", "tour", "doctor", "import", "cloud", "config", "completion"]);

/** `--no-server`, for every command that would use a server that runs here. It is the same as REINS_NO_SERVER=1. */
export function addNoServer(program: Command): void {
  for (const command of program.commands) if (!alone.has(command.name())) add(command);
  program.hook("preAction", (_program, command) => {
    if (command.opts()["server"] === false || alone.has(topOf(command).name())) process.env["REINS_NO_SERVER"] = "1";
  });
}

function add(command: Command): void {
  for (const sub of command.commands) add(sub);
  if (command.commands.length === 0) command.option("--no-server", "do it in this process, also where a server runs");
}

/** Of `cloud list` that is `cloud`. */
function topOf(command: Command): Command {
  const { parent } = command;
  return parent === null || parent.parent === null ? command : topOf(parent);
}
