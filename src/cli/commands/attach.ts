import { existsSync } from "node:fs";
import type { Duplex } from "node:stream";
import type { Command } from "commander";
import { loadConfiguration } from "../../core/config/config.ts";
import type { Store } from "../../core/log/types.ts";
import { startTerminal } from "../../core/terminals/start-terminal.ts";
import { ReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import { isMeant, listHeld, meantIn, recordingPath, terminalsFolder } from "../../protocols/pty/held-terminals.ts";
import type { TerminalInfo } from "../../server/schemas/terminals.ts";
import { openStore } from "../../store/index.ts";
import { leaderCode, leaderName } from "../attach/leader-keys.ts";
import type { TerminalServer } from "../attach/terminal-server.ts";
import { connectHolder, viewTerminal, type ViewEnd } from "../attach/view-terminal.ts";
import { addCommand, positive, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { commandName } from "../installation.ts";
import { Screen } from "../render/screen.ts";
import { ago, fitted, shortId, shortPath, table } from "../render/table.ts";
import { print, withStatus } from "../with-status.ts";

interface AttachOptions extends SharedOptions {
  readonly replay?: string;
  readonly speed?: number;
  readonly server?: string;
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
  reins attach --server here 3f2a   the same through the server that runs here
  reins attach --server https://reins.example <agent>
                                    elsewhere; its token is in REINS_TOKEN
`;

export function register(program: Command, context: CommandContext): void {
  addCommand(program, "attach", description)
    .argument("[agent]", "an agent's id, or the id (or a prefix) of a terminal that you left running")
    .argument("[args...]", "after `--`: arguments for the agent's program; without an agent, a program of yours")
    .option("--cwd <folder>", "run in this folder instead of the current one")
    .option("--server <address>", "a terminal of a server: `here` (the one on this machine), or its address")
    .option("--replay <recording>", "replay a recording: a session, or an asciicast file")
    .option("--speed <times>", "with --replay: speed factor, such as 2", positive)
    .option("--json", texts.json)
    .addHelpText("after", examples)
    .action(async (first: string | undefined, rest: readonly string[], options: AttachOptions, command: Command) => {
      // Commander takes the first word after `--` as the agent.
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
  const server = options.server === undefined ? undefined : await findServer(options.server);
  if (wanted.argv === undefined && wanted.name === undefined)
    return list(server === undefined ? await listHeld(folder) : await server.list(), options);
  requireTerminal();
  const { id, connection } =
    server === undefined
      ? await connectHere(folder, wanted, options, context)
      : await connectThere(server, wanted, options);
  await view(connection, [...(options.server === undefined ? [] : ["--server", options.server]), shortId(id)], context);
}

interface Connected {
  readonly id: string;
  readonly connection: Duplex;
}

async function connectHere(
  folder: string,
  wanted: Wanted,
  options: AttachOptions,
  context: CommandContext,
): Promise<Connected> {
  const held = wanted.argv === undefined ? meantIn(await listHeld(folder), wanted.name!) : undefined;
  if (held !== undefined) return { id: held.id, connection: await connectHolder(held.socket) };
  const { agent, argv } =
    wanted.argv === undefined
      ? await agentCommand(wanted.name!, wanted.args, context)
      : { agent: undefined, argv: wanted.argv };
  const cwd = options.cwd ?? currentFolder();
  using opened = new DisposableStack();
  const store = (): Store => opened.use(openStore());
  const { id, socket, unkept } = await startTerminal({ agent, argv, cwd }, process.env, store);
  if (unkept !== undefined) new Screen().line(`! The session could not be stored: ${unkept.message}`, "yellow");
  return { id, connection: await connectHolder(socket) };
}

/** The folder is on the server's machine, so the current folder is used only for a server on this machine. */
async function connectThere(server: TerminalServer, wanted: Wanted, options: AttachOptions): Promise<Connected> {
  const held = wanted.argv === undefined ? meantIn(await server.list(), wanted.name!) : undefined;
  if (held !== undefined) return { id: held.id, connection: await server.connect(held.id) };
  const cwd = options.cwd ?? (options.server === "here" ? currentFolder() : undefined);
  const what =
    wanted.argv === undefined ? { agent: wanted.name!, args: [...wanted.args] } : { command: [...wanted.argv] };
  const { id } = await server.create({ ...what, cwd });
  return { id, connection: await server.connect(id) };
}

async function findServer(address: string): Promise<TerminalServer> {
  const { TerminalServer: Server } = await import("../attach/terminal-server.ts");
  return Server.find(address, process.env);
}

function requireTerminal(): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw new ReinsError("unsupported", "Attaching needs a terminal.", {
    help: `Use \`${commandName()} run\` for a prompt without one.`,
  });
}

/** Asks the agent how its own interface is started. */
async function agentCommand(
  id: string,
  args: readonly string[],
  { ending }: CommandContext,
): Promise<{ readonly agent: string; readonly argv: readonly string[] }> {
  const found = await withStatus("Asking the agent", ending, async (reins) => (await reins.manage(id)).interface());
  return { agent: id, argv: [found.command, ...found.args, ...args] };
}

async function configuredLeader(): Promise<number> {
  const { ui } = await loadConfiguration(currentFolder(), process.env).catch(() => ({ ui: undefined }));
  return leaderCode(ui?.leader);
}

/** `again`: the arguments that attach to this terminal again. */
async function view(connection: Duplex, again: readonly string[], { ending, finish }: CommandContext): Promise<void> {
  const leader = await configuredLeader();
  const { stdin: input, stdout: output } = process;
  const ended = await viewTerminal({ connection, leader, ending, input, output });
  const said = message(ended, again, leader);
  if (said !== undefined) new Screen().line(said, "dim");
  if (ended.kind === "exited") finish(ended.code);
  if (ended.kind === "lost") finish("failed");
}

function message({ kind }: ViewEnd, again: readonly string[], leader: number): string | undefined {
  const back = `Go back with \`${commandName()} attach ${again.join(" ")}\`.`;
  if (kind === "detached") return `Detached. The program keeps running. ${back}`;
  if (kind === "taken") return `Another terminal has attached to it. ${back}`;
  if (kind === "lost" && again.length > 1) return `The connection to the server was lost. ${back}`;
  if (kind === "lost") return "The process that held this terminal is gone, and the program with it.";
  return kind === "ended"
    ? `The program was ended. Press ${leaderName(leader)} d next time to leave it running.`
    : undefined;
}

async function list(held: readonly TerminalInfo[], { json }: AttachOptions): Promise<void> {
  await print(held, { json }, (terminals) => {
    if (terminals.length === 0) return `No terminal is running. Start one with \`${commandName()} attach <agent>\`.\n`;
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
