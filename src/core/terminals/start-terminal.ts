/** Starts a program on a terminal kept by a holder process, and stores it as a session. */
import { basename } from "node:path";
import { ReinsError, toReinsError } from "../../events/errors.ts";
import { oneLine } from "../../events/printable.ts";
import { findCommand } from "../../process/launch/find-command.ts";
import { listHeld, pruneRecordings, recordingPath, terminalsFolder } from "../../protocols/pty/held-terminals.ts";
import type { HolderSpec } from "../../protocols/pty/holder.ts";
import { startHolder } from "../../protocols/pty/start-holder.ts";
import { newSessionId } from "../log/open-log.ts";
import type { Store } from "../log/types.ts";
import { keepTerminalSession } from "./keep-session.ts";

export interface TerminalRequest {
  /** The agent whose interface it is. Default: the name of the program. */
  readonly agent?: string | undefined;
  readonly argv: readonly string[];
  readonly cwd: string;
}

export interface StartedTerminal {
  /** Also the id of the session. */
  readonly id: string;
  readonly agent: string;
  /** Socket of the holder. The program starts with the first viewer, which must connect within ten seconds. */
  readonly socket: string;
  /** Why the session was not stored. */
  readonly unkept?: ReinsError | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export async function startTerminal(
  { argv, cwd, agent = basename(argv[0] ?? "") }: TerminalRequest,
  env: Environment,
  store: () => Pick<Store, "sessions"> | undefined,
): Promise<StartedTerminal> {
  await requireProgram(argv[0] ?? "", env);
  const folder = terminalsFolder(env);
  const held = await listHeld(folder);
  pruneRecordings(
    folder,
    held.map(({ id }) => id),
  );
  const spec: HolderSpec = {
    ...{ id: newSessionId(), agent, argv, cwd, folder },
    title: oneLine(argv.join(" ")).slice(0, 200),
  };
  const socket = await startHolder(spec, env);
  const started = { id: spec.id, agent, socket };
  try {
    const kept = store();
    if (kept !== undefined) keepTerminalSession(spec, recordingPath(folder, spec.id), kept, env);
    return started;
  } catch (error) {
    return { ...started, unkept: toReinsError(error) };
  }
}

async function requireProgram(command: string, env: Environment): Promise<void> {
  if ((await findCommand(command, env)) !== undefined) return;
  throw new ReinsError("not_installed", `The program ${JSON.stringify(command)} was not found.`, {
    help: "Install it, or give the full path of the program.",
  });
}
