import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Command } from "commander";
import { loadConfiguration } from "../../core/config/config.ts";
import { newSessionId } from "../../core/log/open-log.ts";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import { findCommand } from "../../process/launch/find-command.ts";
import {
  listHeld,
  pruneRecordings,
  recordingPath,
  terminalsFolder,
  type HeldTerminal,
} from "../../protocols/pty/held-terminals.ts";
import { startHolder } from "../../protocols/pty/start-holder.ts";
import { keepTerminalSession } from "../attach/keep-session.ts";
import { leaderCode, leaderName } from "../attach/leader-keys.ts";
import { viewTerminal, type ViewEnd } from "../attach/view-terminal.ts";
import { addCommand, positive, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { commandName } from "../installation.ts";
import { Screen } from "../render/screen.ts";
import { ago, fitted, shortId, shortPath, table } from "../render/table.ts";
import { print, withStatus } from "../with-status.ts";

interface AttachOptions extends SharedOptions {
  readonly replay?: string;
  readonly speed?: number;
}

const description = `Run an agent's own interface, or any program, inside Reins: recorded, and you
can leave it running (leader d; the leader is Ctrl+X) and come back.`;

const examples = `
Examples:
  reins attach <agent>              its own interface, in this folder
  reins attach <agent> -- --resume  with arguments of its own
  reins attach -- htop              any program
  reins attach                      what you left running
  reins attach 3f2a                 go back to it
  reins attach --replay 3f2a        watch the recording of one
`;

export function register(program: Command, context: CommandContext): void {
  addCommand(program, "attach", description)
    .argument("[agent]", "an agent's id, or the id of a terminal that you left (or the beginning of it)")
    .argument("[args...]", "after `--`: arguments for the agent's program; without an agent, a program of yours")
    .option("--cwd <folder>", "run it in this folder, instead of the current one")
    .option("--replay <recording>", "show a recording again: a session, or an asciicast file")
    .option("--speed <times>", "with --replay: so many times as fast", positive)
    .option("--json", texts.json)
    .addHelpText("after", examples)
    .action(async (first: string | undefined, rest: readonly string[], options: AttachOptions, command: Command) => {
      // Commander takes the first word after `--` for the agent.
      const separator = process.argv.indexOf("--");
      const own = separator !== -1 && command.args.length === process.argv.length - separator - 1;
      await attach(own ? { argv: [first ?? "", ...rest] } : { name: first, args: rest }, options, context);
    });
}

type Wanted =
  | { readonly argv: readonly string[]; readonly name?: undefined }
  | { readonly argv?: undefined; readonly name: string | undefined; readonly args: readonly string[] };

async function attach(wanted: Wanted, options: AttachOptions, context: CommandContext): Promise<void> {
  const folder = terminalsFolder(process.env);
  if (options.replay !== undefined) return replayRecording(folder, options.replay, options.speed ?? 1, context.ending);
  if (wanted.argv === undefined && wanted.name === undefined) return list(folder, options);
  requireTerminal();
  const held = wanted.argv === undefined ? await findHeld(folder, wanted.name!) : undefined;
  const leader = await configuredLeader();
  if (held !== undefined) return view(held.socket, held.id, leader, context);

  const cwd = options.cwd ?? currentFolder();
  const { agent, argv } =
    wanted.argv === undefined ? await agentCommand(wanted.name!, wanted.args, context) : own(wanted.argv);
  const spec = { id: newSessionId(), agent, argv, cwd, folder, title: oneLine(argv.join(" ")).slice(0, 200) };
  await requireProgram(argv[0]!);
  pruneRecordings(
    folder,
    (await listHeld(folder)).map(({ id }) => id),
  );
  const socket = await startHolder(spec);
  try {
    keepTerminalSession(spec, recordingPath(folder, spec.id));
  } catch (error) {
    new Screen().line(`! The session could not be kept: ${toReinsError(error).message}`, "yellow");
  }
  await view(socket, spec.id, leader, context);
}

function requireTerminal(): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw new ReinsError("unsupported", "Attaching needs a terminal, and this is none.", {
    help: `Use \`${commandName()} run\` for a prompt without one.`,
  });
}

function own(argv: readonly string[]): { readonly agent: string; readonly argv: readonly string[] } {
  return { agent: basename(argv[0] ?? ""), argv };
}

/** The agent itself says how its interface is started. */
async function agentCommand(
  id: string,
  args: readonly string[],
  { ending }: CommandContext,
): Promise<{ readonly agent: string; readonly argv: readonly string[] }> {
  const found = await withStatus("Asking the agent", ending, async (reins) => (await reins.manage(id)).interface());
  return { agent: id, argv: [found.command, ...found.args, ...args] };
}

async function requireProgram(command: string): Promise<void> {
  if ((await findCommand(command, process.env)) !== undefined) return;
  throw new ReinsError("not_installed", `The program ${JSON.stringify(command)} was not found.`, {
    help: "Install it, or give the full path of the program.",
  });
}

async function configuredLeader(): Promise<number> {
  const { ui } = await loadConfiguration(currentFolder(), process.env).catch(() => ({ ui: undefined }));
  return leaderCode(ui?.leader);
}

async function view(socket: string, id: string, leader: number, { ending, finish }: CommandContext): Promise<void> {
  const { stdin: input, stdout: output } = process;
  const ended = await viewTerminal({ socket, leader, ending, input, output });
  const said = message(ended, shortId(id), leader);
  if (said !== undefined) new Screen().line(said, "dim");
  if (ended.kind === "exited") finish(ended.code);
  if (ended.kind === "lost") finish("failed");
}

function message({ kind }: ViewEnd, id: string, leader: number): string | undefined {
  const again = `Go back with \`${commandName()} attach ${id}\`.`;
  if (kind === "detached") return `Detached; it goes on without you. ${again}`;
  if (kind === "taken") return `Another terminal has attached to it. ${again}`;
  if (kind === "lost") return "The process that held this terminal is gone, and the program with it.";
  return kind === "ended" ? `It was ended. Next time press ${leaderName(leader)} d to leave it running.` : undefined;
}

/** Undefined where no terminal is meant: then it is an agent. */
async function findHeld(folder: string, id: string): Promise<HeldTerminal | undefined> {
  const found = (await listHeld(folder)).filter((held) => isMeant(held.id, id));
  if (found.length <= 1) return found[0];
  throw new ReinsError("invalid_input", `${found.length} terminals begin with ${id}.`, {
    help: "Give more of the id.",
  });
}

/** The id, or its beginning, with or without its prefix. */
function isMeant(id: string, wanted: string): boolean {
  return wanted.length >= 4 && (id.startsWith(wanted) || id.startsWith(`ses_${wanted}`));
}

async function list(folder: string, { json }: AttachOptions): Promise<void> {
  const held = await listHeld(folder);
  await print(held, { json }, (terminals) => {
    if (terminals.length === 0) return `No terminal is held. Start one with \`${commandName()} attach <agent>\`.\n`;
    const rows = terminals.map(({ id, agent, startedAt, cwd, argv }) => {
      return [shortId(id), agent, ago(startedAt), shortPath(cwd), oneLine(argv.join(" "))];
    });
    return fitted(table(["id", "agent", "started", "folder", "command"], rows));
  });
}

async function replayRecording(folder: string, wanted: string, speed: number, ending: AbortSignal): Promise<void> {
  const { replay } = await import("../attach/replay.ts");
  await replay({ path: await findRecording(folder, wanted), speed, ending, output: process.stdout });
}

async function findRecording(folder: string, wanted: string): Promise<string> {
  if (existsSync(wanted)) return wanted;
  const { readdir } = await import("node:fs/promises");
  const names = await readdir(folder).catch(() => []);
  const ids = names.filter((name) => name.endsWith(".cast")).map((name) => name.slice(0, -".cast".length));
  const found = ids.filter((id) => isMeant(id, wanted));
  if (found.length === 1) return recordingPath(folder, found[0]!);
  const what =
    found.length === 0 ? `There is no recording ${wanted}.` : `${found.length} recordings begin with ${wanted}.`;
  throw new ReinsError("session_not_found", what, { help: `\`${commandName()} sessions\` lists the sessions.` });
}
