/**
 * A conversation as one page that needs nothing else: no network, no script. Its own policy forbids both, so that even a mistake in
 * the escaping would load and run nothing.
 */
import { fitColumns } from "../events/columns.ts";
import { oneLine } from "../events/printable.ts";
import { itemHtml, saidHtml } from "./export-html-items.ts";
import { styleDigest, style } from "./export-html-style.ts";
import { escapeHtml, lineHtml } from "./export-html-text.ts";
import type { Conversation, Item, TurnEntry } from "./model.ts";
import type { RenderOptions } from "./options.ts";
import { endWords } from "./words.ts";

/** In pieces, of which each is at most a turn. */
export function* htmlPage(conversation: Conversation, options: RenderOptions = {}): Generator<string> {
  const title = lineHtml(titleOf(conversation));
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${styleDigest}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1 dir="auto">${title}</h1>
<dl class="facts">
${factsOf(conversation)
  .map(([name, value]) => `<dt>${name}</dt><dd><bdi>${lineHtml(value)}</bdi></dd>`)
  .join("\n")}
</dl>
</header>
`;
  let turns = 0;
  for (const entry of conversation.entries)
    yield entry.kind === "turn" ? turnHtml(entry, ++turns, options) : itemHtml(entry, options);
  yield `<footer>A session of Reins, exported as it was. Secrets were taken out when it was recorded.</footer>
</main>
</body>
</html>
`;
}

/** The title, else the first thing that was asked. */
export function titleOf({ title, entries }: Conversation): string {
  const asked = entries.find((entry): entry is TurnEntry => entry.kind === "turn" && entry.input !== undefined);
  const first = title ?? asked?.input?.text.trim().split("\n", 1)[0] ?? "";
  return fitColumns(oneLine(first.slice(0, 1000)), 100) || "Conversation";
}

function factsOf(conversation: Conversation): [name: string, value: string][] {
  const { model, modelLabel, mode, cwd, sessionId, usage } = conversation;
  const turns = conversation.entries.filter((entry) => entry.kind === "turn");
  const agents = [
    ...new Set([...turns.map(({ agent }) => agent), ...(conversation.agent ? [conversation.agent] : [])]),
  ];
  const cost = usage?.costUsd ?? sum(turns.map((turn) => turn.usage?.costUsd));
  const facts: [string, string | undefined][] = [
    [agents.length > 1 ? "Agents" : "Agent", agents.join(", ") || undefined],
    ["Model", modelLabel ?? model],
    ["Mode", mode],
    ["Workspace", cwd],
    ["Began", turns[0] && momentOf(turns[0].startedAt)],
    ["Turns", turns.length === 0 ? undefined : String(turns.length)],
    ["Cost", cost === undefined ? undefined : `$${cost.toFixed(4)}`],
    ["Session", sessionId],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== undefined && fact[1] !== "");
}

function sum(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

/** In the time of nobody in particular: the page is read elsewhere. */
function momentOf(time: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(time) ? `${time.slice(0, 10)} ${time.slice(11, 16)} UTC` : time;
}

function turnHtml(
  { input, agent, items, end, usage, startedAt }: TurnEntry,
  number: number,
  options: RenderOptions,
): string {
  const time = `<a href="#turn-${number}"><time datetime="${escapeHtml(startedAt)}">${lineHtml(momentOf(startedAt))}</time></a>`;
  const asked = input === undefined ? "" : `<div class="you"><p class="who">You${time}</p>${saidHtml(input)}</div>\n`;
  const tone = end?.error === undefined ? "" : " bad";
  const ended = end === undefined ? "" : `<p class="end${tone}">${lineHtml(endWords(end, usage?.costUsd))}</p>\n`;
  const said = items.map((item: Item) => itemHtml(item, options)).join("");
  return `<section id="turn-${number}">
${asked}<div class="agent"><p class="who"><bdi>${lineHtml(agent)}</bdi>${input === undefined ? time : ""}</p>
${said}${ended}</div>
</section>
`;
}
