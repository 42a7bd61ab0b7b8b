import type { Command } from "commander";
import type { Reins, SessionDetails } from "../../core/api.ts";
import type { StoredSession } from "../../core/log/types.ts";
import { currentFolder } from "../../process/launch/current-folder.ts";
import { addCommand, addGroup, positive, texts, type CommandContext, type SharedOptions } from "../command.ts";
import { commandName } from "../installation.ts";
import { Screen } from "../render/screen.ts";
import { ago, fitted, shortId, shortPath, table } from "../render/table.ts";
import { print, show, withStatus } from "../with-status.ts";

interface ListOptions extends SharedOptions {
  readonly all?: boolean;
}

const usual = 20;

export function register(program: Command, { ending }: CommandContext): void {
  const group = addGroup(program, "sessions", "Manage stored sessions.")
    // The longest subcommand leaves a little less room than commander requires for wrapping.
    .configureHelp({ minWidthToWrap: 30 });
  addCommand(group, "list", "List the sessions, most recently used first.", { isDefault: true })
    .option("--here", "only of this folder")
    .option("-a, --agent <id>", "only of this agent")
    .option("-n, --limit <n>", "maximum number (default: 20)", positive)
    .option("--all", "all of them")
    .option("--json", texts.json)
    .action((options: ListOptions) => list(options, ending));
  addCommand(group, "show", "Show a session with its legs and turns.")
    .argument("<session>", texts.session)
    .option("--json", texts.json)
    .action((name: string, { json }: SharedOptions) => {
      const ask = async (reins: Reins) => [await reins.sessions.get(name)];
      return show("Looking", { ending, json }, ask, ([one]) => details(one!));
    });
  addCommand(group, "rename", "Rename a session.")
    .argument("<session>", texts.session)
    .argument("<title...>", "the title")
    .action(async (name: string, words: string[]) => {
      const rename = (reins: Reins) => reins.sessions.rename(name, words.join(" "));
      const { id, title } = await withStatus("Looking", ending, rename);
      new Screen().line(`${id} is now called: ${title}`);
    });
  addCommand(group, "rm", "Delete sessions and their logs. The agent's own files are kept.")
    .argument("<session...>", texts.session)
    .action(async (names: string[]) => {
      const screen = new Screen();
      await withStatus("Removing", ending, async (reins) => {
        for (const name of names) screen.line(`Removed ${(await reins.sessions.remove(name)).id}.`);
      });
    });
}

async function list(options: ListOptions, ending: AbortSignal): Promise<void> {
  const { here, agent, limit = usual, all } = options;
  const cwd = here === true ? currentFolder() : undefined;
  // Ask for one more than is shown, to know whether there are more.
  const most = all === true ? undefined : Math.ceil(limit) + 1;
  const found = await withStatus("Looking", ending, (reins) => reins.sessions.list({ cwd, agent, limit: most }));
  const shown = most === undefined ? found : found.slice(0, most - 1);
  await print(shown, options, (sessions) => listing(sessions, shown.length < found.length));
}

function listing(sessions: readonly StoredSession[], more: boolean): string {
  const command = commandName();
  if (sessions.length === 0) return `No sessions yet. Start one: ${command} run "..."\n`;
  const rows = sessions.map(({ id, openTurn, updatedAt, agent, turns, cwd, title }) => {
    const used = openTurn === undefined ? ago(updatedAt) : "running";
    return [shortId(id), used, agent, turns, shortPath(cwd), title];
  });
  const shown = fitted(table(["session", "used", "agent", "turns", "folder", "title"], rows));
  const rest = more ? "There are more: --all shows them.\n" : "";
  return `${shown}${rest}\nContinue one: ${command} resume <session> "..."\n`;
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
  const turns = session.allTurns.map(({ startedAt, agent, outcome = "running", prompt }, index) => {
    const line = prompt?.split("\n", 1)[0]?.slice(0, 100) ?? `(${agent} itself)`;
    return [index + 1, startedAt, agent, outcome, line];
  });
  const legs = session.legs.map(({ number, agent, agentVersion, model, mode, firstSeq, lastSeq }) => {
    return [number, agent, agentVersion, model, mode, `${firstSeq}-${lastSeq}`];
  });
  return [
    `${session.id}\n${known.map(([name, value]) => `  ${name.padEnd(13)} ${value}\n`).join("")}`,
    fitted(table(["leg", "agent", "version", "model", "mode", "events"], legs)),
    fitted(table(["turn", "began", "agent", "ended", "prompt"], turns)),
  ].join("\n");
}
