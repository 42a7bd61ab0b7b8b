/** The lists and panels of the full screen as lines of text, for plain mode. */
import { chooseCloud, requireReady } from "../../commands/cloud.ts";
import { modelFacts } from "../../commands/facts.ts";
import type { Reins } from "../../core/api.ts";
import { oneLine, printable } from "../../events/printable.ts";
import { cloudBadge } from "../../view/cloud.ts";
import type { Conversation, FileChange, Item } from "../../view/model.ts";
import { changeWords, count } from "../../view/labels.ts";
import { modeMeanings, modeName } from "../../view/mode-names.ts";
import { boxText, type Box } from "../../view/slash/box.ts";
import { modelsBox } from "../../view/slash/boxes.ts";

/** A box as text, with words instead of the marks and branches that a screen reader would spell out. */
export function plainBox(box: Box): string {
  return boxText(box)
    .replace(/^(?:[├└]─|[●○]) /gm, "- ")
    .replace(/^✗ /gm, "Error: ")
    .replace(/^(\s*)→ /gm, "$1Next: ")
    .replace(/✓ /g, "")
    .replace(/⚠ /g, "Warning: ")
    .replace(/← (\w+)/g, "($1)");
}

const markWords: Readonly<Record<string, string>> = {
  ...{ "●": "Tool: ", "✓": "Done: ", "✗": "Failed: ", "±": "File: ", "↻": "Again: ", "◌": "Task: ", "!": "Note: " },
};

/** A line about an event, with a word instead of its mark. */
export function plainLine(line: string): string {
  return line.replace(/^\s*([●✓✗±↻◌!]) /u, (_whole, mark: string) => markWords[mark]!);
}

const most = 30;

/** Numbers are not ids: `/resume <id>` opens a session. */
export async function sessionLines({ sessions }: Reins, query: string): Promise<readonly string[]> {
  const kept = await sessions.list({ limit: 200 });
  const wanted = query.trim().toLowerCase();
  const found = kept.filter(({ title, id }) => `${title ?? ""} ${id}`.toLowerCase().includes(wanted));
  if (found.length === 0) return [wanted === "" ? "No sessions yet." : "No sessions found."];
  const rows = found.slice(0, most).map(({ id, title, agent, turns, openTurn, outcome, updatedAt }) => {
    const state = openTurn === undefined ? (outcome ?? "no turn") : "running";
    const facts = [agent, state, count(turns, "turn"), updatedAt.slice(0, 16).replace("T", " ")].filter(Boolean);
    return oneLine(`${id}: ${title ?? "no title"} (${facts.join(", ")})`);
  });
  return [`Sessions, ${rows.length} of ${found.length}:`, ...rows, "Type /resume and an id to open one."];
}

export async function modelLines(reins: Reins, agent: string, chosen: string | undefined): Promise<string> {
  const models = await modelFacts(await reins.manage(agent), { chosen });
  return plainBox(modelsBox(await reins.agent(agent), models, chosen));
}

export async function modeLines(reins: Reins, agent: string): Promise<readonly string[]> {
  const { capabilities } = await reins.agent(agent);
  const rows = capabilities.modes.map((mode) => `${modeName(mode, capabilities)}: ${modeMeanings[mode]}`);
  return ["Modes:", ...rows, "Type /mode and a word to switch."];
}

export async function cloudLines(reins: Reins): Promise<readonly string[]> {
  const { agent, cloud } = await chooseCloud(reins);
  await requireReady(reins, agent);
  const { agents } = await cloud.list({ limit: most });
  if (agents.length === 0) return ["No cloud agents yet. Begin a prompt with & to start one."];
  return [
    "Cloud agents:",
    ...agents.map(({ id, name, status }) => oneLine(`${id}: ${name ?? ""} (${cloudBadge(status).label})`)),
  ];
}

export async function comparisonLines({ comparisons }: Reins): Promise<readonly string[]> {
  const all = await comparisons.list();
  if (all.length === 0) return ["No comparisons yet."];
  return all.map(({ id, prompt, entries }) => {
    const agents = entries.map(({ agent, state }) => `${agent} ${state}`).join(", ");
    return oneLine(`${id}: ${prompt.slice(0, 200)} (${agents})`);
  });
}

/** The changes of the session, file by file. */
export function changeLines(conversation: Conversation): readonly string[] {
  const files = new Map<string, FileChange>();
  const walk = (item: Item): void => {
    if (item.kind === "file") files.set(item.path, item);
    if (item.kind !== "tool") return;
    for (const change of item.files) files.set(change.path, change);
    item.items.forEach(walk);
  };
  for (const entry of conversation.entries) if (entry.kind === "turn") entry.items.forEach(walk);
  if (files.size === 0) return ["This session has changed no files."];
  return [...files.values()].flatMap((change) => [
    changeWords(change),
    ...(change.diff === undefined ? [] : [printable(change.diff)]),
  ]);
}
