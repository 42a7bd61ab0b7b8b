import { Command } from "commander";
import type { CommandContext } from "./command.ts";
import type { Exit } from "./exit-codes.ts";
import { reportFailure } from "./failure.ts";

type Load = () => Promise<{ readonly register: (program: Command, context: CommandContext) => void }>;

const signInOut: Load = () => import("./commands/sign-in-out.ts");
const continueSession: Load = () => import("./commands/continue.ts");

/** Every command, with the file that registers and runs it. Only the file of the given command is loaded. */
const files: Readonly<Record<string, Load>> = {
  run: () => import("./commands/run.ts"),
  attach: () => import("./commands/attach.ts"),
  agents: () => import("./commands/agents.ts"),
  context: () => import("./commands/context.ts"),
  status: () => import("./commands/status.ts"),
  models: () => import("./commands/models.ts"),
  login: signInOut,
  logout: signInOut,
  update: signInOut,
  mcp: () => import("./commands/mcp.ts"),
  hooks: () => import("./commands/hooks.ts"),
  doctor: () => import("./commands/doctor/doctor.ts"),
  config: () => import("./commands/config.ts"),
  completion: () => import("./commands/completion/completion.ts"),
  policy: () => import("./commands/policy.ts"),
  repo: () => import("./commands/repo.ts"),
  sessions: () => import("./commands/sessions.ts"),
  resume: continueSession,
  fork: continueSession,
  handoff: continueSession,
  log: () => import("./commands/log.ts"),
  search: () => import("./commands/search.ts"),
  gc: () => import("./commands/gc.ts"),
  ps: () => import("./commands/ps.ts"),
  usage: () => import("./commands/usage.ts"),
  export: () => import("./commands/export.ts"),
  import: () => import("./commands/import.ts"),
  cloud: () => import("./commands/cloud.ts"),
  serve: () => import("./commands/serve.ts"),
  tour: () => import("./commands/tour.ts"),
  tui: () => import("./commands/tui.ts"),
};

/** Commands that never use a running server. */
const withoutServer = new Set(["serve", "tour", "doctor", "import", "cloud", "config", "completion"]);

/** Runs a command line and returns how it ended. A failure is reported in one sentence. */
export async function perform(argv: readonly string[], ending: AbortSignal): Promise<Exit | number> {
  let exit: Exit | number = "done";
  const finish = (value: Exit | number): void => {
    exit = value;
  };
  const name = argv[0] ?? "";
  // A suggestion for a misspelt command and a completion script need all commands.
  const isOne = Object.hasOwn(files, name) && name !== "completion";
  try {
    const program = await createProgram({ ending, finish }, isOne ? [name] : undefined);
    await program.parseAsync(argv, { from: "user" });
    return exit;
  } catch (error) {
    if (isHelp(error) || ending.aborted) return "done";
    return reportFailure(error);
  }
}

export async function createProgram(
  context: CommandContext,
  names: readonly string[] = Object.keys(files),
): Promise<Command> {
  const program = new Command("reins")
    // main.ts shows the main help itself.
    .helpOption(false)
    .helpCommand(false)
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  const loaded = await Promise.all([...new Set(names.map((name) => files[name]!))].map((load) => load()));
  for (const { register } of loaded) register(program, context);
  addNoServer(program);
  return program;
}

/** Adds `--no-server` to every command that would use a running server; the same as REINS_NO_SERVER=1. */
function addNoServer(program: Command): void {
  for (const command of program.commands) if (!withoutServer.has(command.name())) addToLeaves(command);
  program.hook("preAction", (_program, command) => {
    if (command.opts()["server"] === false || withoutServer.has(topOf(command).name()))
      process.env["REINS_NO_SERVER"] = "1";
  });
}

function addToLeaves(command: Command): void {
  for (const sub of command.commands) addToLeaves(sub);
  if (command.commands.length === 0) command.option("--no-server", "run in this process even if a server is running");
}

/** `cloud` for `cloud list`. */
function topOf(command: Command): Command {
  const { parent } = command;
  return parent === null || parent.parent === null ? command : topOf(parent);
}

function isHelp(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "commander.helpDisplayed" || code === "commander.help";
}
