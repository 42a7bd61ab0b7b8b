import type { SessionDetails } from "../core/api.ts";
import type { StoredSession } from "../core/log.ts";
import { currentFolder } from "../process/current-folder.ts";
import { ago } from "./ago.ts";
import { asking, print } from "./asking.ts";
import { commandName } from "./command-name.ts";
import { Screen } from "./screen.ts";
import { fitted, shortPath, table } from "./table.ts";

export interface ListOptions {
  readonly here?: boolean;
  readonly agent?: string;
  readonly limit?: number;
  readonly all?: boolean;
  readonly json?: boolean;
}

const usual = 20;

/** `reins sessions`: those that are kept, the one that was used last first. */
export async function listSessions(options: ListOptions, ending: AbortSignal): Promise<void> {
  const { here, agent, limit = usual, all } = options;
  const cwd = here === true ? currentFolder() : undefined;
  // One more than is shown tells that there are more.
  const most = all === true ? undefined : Math.ceil(limit) + 1;
  const found = await asking("Looking", ending, (reins) => reins.sessions.list({ cwd, agent, limit: most }));
  const shown = most === undefined ? found : found.slice(0, most - 1);
  await print(shown, options, (sessions) => listing(sessions, shown.length < found.length));
}

/** `reins sessions show`. */
export async function showSession(name: string, options: { json?: boolean }, ending: AbortSignal): Promise<void> {
  const found = await asking("Looking", ending, (reins) => reins.sessions.get(name));
  await print([found], options, ([one]) => details(one!));
}

/** `reins sessions rename`. */
export async function renameSession(name: string, title: string, ending: AbortSignal): Promise<void> {
  const renamed = await asking("Looking", ending, (reins) => reins.sessions.rename(name, title));
  new Screen().line(`${renamed.id} is now called: ${renamed.title}`);
}

/** `reins sessions rm`. */
export async function removeSessions(names: readonly string[], ending: AbortSignal): Promise<void> {
  const screen = new Screen();
  await asking("Removing", ending, async (reins) => {
    for (const name of names) {
      const { id } = await reins.sessions.remove(name);
      screen.line(`Removed ${id}.`);
    }
  });
}

/** As much of an id as a person needs to type. */
export function shortId(id: string): string {
  return id.slice(0, 12);
}

function listing(sessions: readonly StoredSession[], more: boolean): string {
  const command = commandName();
  if (sessions.length === 0) return `No session is kept yet. The first one: ${command} run "..."\n`;
  const rows = sessions.map((session) => ({
    cells: [
      shortId(session.id),
      session.openTurn === undefined ? ago(session.updatedAt) : "running",
      session.agent ?? "",
      String(session.turns),
      shortPath(session.cwd),
      session.title ?? "",
    ],
  }));
  const rest = more ? "There are more: --all shows them.\n" : "";
  return `${fitted(table(["session", "used", "agent", "turns", "folder", "title"], rows))}${rest}\nGo on with one: ${command} resume <session> "..."\n`;
}

function details(session: SessionDetails): string {
  const facts: [string, string | undefined][] = [
    ["title", session.title],
    ["folder", session.cwd],
    ["began", session.createdAt],
    ["used", session.updatedAt],
    ["agent", session.agent],
    ["model", session.model ?? session.legs.at(-1)?.model],
    ["mode", session.mode],
    ["state", session.state],
    ["forked from", session.parent],
    ["imported from", session.source],
    ["in use by", session.pid === undefined ? undefined : `process ${session.pid}`],
    ["events", String(session.lastSeq)],
    ["cost", session.costUsd === undefined ? undefined : `$${session.costUsd.toFixed(2)}`],
  ];
  const known = facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
  const turns = session.allTurns.map((turn, index) => ({
    cells: [
      String(index + 1),
      turn.startedAt,
      turn.agent,
      turn.outcome ?? "running",
      turn.prompt?.split("\n", 1)[0]?.slice(0, 100) ?? `(${turn.agent} itself)`,
    ],
  }));
  const legs = session.legs.map((leg) => ({
    cells: [
      String(leg.number),
      leg.agent,
      leg.agentVersion ?? "",
      leg.model ?? "",
      leg.mode ?? "",
      `${leg.firstSeq}-${leg.lastSeq}`,
    ],
  }));
  return `${session.id}\n${known.map(([name, value]) => `  ${name.padEnd(13)} ${value}\n`).join("")}\n${fitted(table(["leg", "agent", "version", "model", "mode", "events"], legs))}\n${fitted(table(["turn", "began", "agent", "ended", "prompt"], turns))}`;
}
