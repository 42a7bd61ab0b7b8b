/** The held terminals of this machine that a token may see. */
import { startTerminal } from "../core/terminals/start-terminal.ts";
import { listHeld, meantIn, terminalsFolder, type HeldTerminal } from "../protocols/pty/held-terminals.ts";
import { mayWorkIn, requireAgent, type Principal } from "./access/principal.ts";
import type { ServerContext } from "./context.ts";
import { HttpError } from "./http-error.ts";
import { folderFor } from "./sessions/access.ts";
import type { TerminalBody, TerminalInfo } from "./schemas/terminals.ts";

/** Terminals in the folders in which this token may work. */
export async function terminalsFor(server: ServerContext, principal: Principal): Promise<readonly HeldTerminal[]> {
  const held = await listHeld(terminalsFolder(server.env));
  return held.filter(({ cwd }) => mayWorkIn(principal, cwd));
}

export async function terminalFor(server: ServerContext, principal: Principal, wanted: string): Promise<HeldTerminal> {
  const found = meantIn(await terminalsFor(server, principal), wanted);
  if (found !== undefined) return found;
  throw new HttpError(404, "session_not_found", `No terminal ${wanted} is held here.`, {
    help: "GET /api/terminals lists the held terminals.",
  });
}

/** Omits the path of the terminal's socket. */
export function describeTerminal({ redact }: ServerContext, terminal: HeldTerminal): TerminalInfo {
  const { id, agent, argv, cwd, startedAt } = terminal;
  return { id, agent, argv: argv.map((word) => redact(word)), cwd, startedAt };
}

/** The program starts with the first viewer. If none connects within ten seconds, the terminal is removed. */
export async function createTerminal(
  server: ServerContext,
  principal: Principal,
  body: TerminalBody,
): Promise<HeldTerminal> {
  const cwd = folderFor(principal, body.cwd);
  const { agent, args = [] } = body;
  const argv = agent === undefined ? body.command : await interfaceOf(server, principal, agent);
  const wanted = { agent, argv: [...(argv ?? []), ...args], cwd };
  const { id, unkept } = await startTerminal(wanted, server.env, () => server.store);
  if (unkept === undefined) server.open.changed(id);
  else server.log.warn({ why: server.redact(unkept.message) }, "the session of a terminal could not be stored");
  return terminalFor(server, principal, id);
}

async function interfaceOf({ reins }: ServerContext, principal: Principal, id: string): Promise<readonly string[]> {
  requireAgent(principal, id);
  const { command, args } = await (await reins.manage(id)).interface();
  return [command, ...args];
}
