/**
 * A conversation as one self-contained HTML page without network access or scripts. Its Content-Security-Policy forbids both, so an
 * escaping mistake still loads and runs nothing.
 */
import { fitColumns } from "../events/columns.ts";
import { oneLine, printable } from "../events/printable.ts";
import type { Content } from "../events/types.ts";
import { style, styleDigest } from "./export-html-style.ts";
import { changeWords, duration, endWords, failureWords, outputMark, outputWords } from "./labels.ts";
import { itemLine, itemTone, type RenderOptions } from "./lines.ts";
import { markdownDocument } from "./markdown/document.ts";
import type { Block, Inline, ListItem } from "./markdown/nodes.ts";
import type { Conversation, FileChange, InputItem, Item, TextItem, ToolItem, TurnEntry } from "./model.ts";

/** Yields the page in pieces of at most one turn. */
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

/** UTC, because the page may be read in another time zone. */
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

/** A diff of at most this many lines is shown unfolded. */
const shortDiff = 24;
/** An input may be a whole file; longer inputs are cut. */
const longestInput = 20_000;

function itemHtml(item: Item, options: RenderOptions): string {
  switch (item.kind) {
    case "message":
      return messageHtml(item);
    case "thought":
      return options.thoughts === true && item.text.trim() !== ""
        ? `<details class="thought"><summary>Thought</summary><div class="inside answer">${markdownHtml(item.text)}</div></details>\n`
        : "";
    case "input":
      return `<div class="you"><p class="who">You, meanwhile</p>${saidHtml(item)}</div>\n`;
    case "tool":
      return toolHtml(item, options);
    case "file":
      return changeHtml(item);
    case "plan":
      return `<ul class="plan">${item.entries.map(planEntry).join("")}</ul>\n`;
    default:
      return `<p class="${["line", itemTone(item)].filter(Boolean).join(" ")}" dir="auto">${lineHtml(itemLine(item))}</p>\n`;
  }
}

function saidHtml({ text, attachments = [] }: Pick<InputItem, "text" | "attachments">): string {
  const attached = attachments.map(({ name }) => `<p class="line">Attached: <bdi>${lineHtml(name)}</bdi></p>`);
  return `<div class="said" dir="auto">${escapeHtml(text)}</div>${attached.join("")}`;
}

function messageHtml({ text, content }: TextItem): string {
  const shown = markdownHtml(text) + contentHtml(content);
  return shown === "" ? "" : `<div class="answer">${shown}</div>\n`;
}

function planEntry({ text, status }: { readonly text: string; readonly status: string }): string {
  const [tone, mark] = status === "completed" ? ["done", "☑"] : status === "in_progress" ? ["now", "◐"] : ["", "☐"];
  return `<li class="${tone}" dir="auto">${mark} ${lineHtml(text)}</li>`;
}

function toolHtml(item: ToolItem, options: RenderOptions): string {
  const [tone, mark, words] = endOf(item);
  const took = item.durationMs === undefined ? "" : ` · ${duration(item.durationMs)}`;
  const more = words === "" && took === "" ? "" : ` <span class="more">${lineHtml(words + took)}</span>`;
  const inside = [
    inputHtml(item),
    outputHtml(item),
    contentHtml(item.output?.content),
    ...item.items.map((inner) => itemHtml(inner, options)),
  ].join("");
  const head = `<span class="${tone}">${mark}</span> <bdi>${lineHtml(item.title)}</bdi>${more}`;
  const call =
    inside === ""
      ? `<p class="line">${head}</p>\n`
      : `<details><summary>${head}</summary><div class="inside">${inside}</div></details>\n`;
  return call + item.files.map(changeHtml).join("");
}

function endOf(item: ToolItem): readonly [tone: string, mark: string, words: string] {
  if (item.status === "failed") return ["bad", "✗", failureWords(item)];
  if (item.output === undefined) return ["quiet", "●", ""];
  const mark = outputMark(item.exitCode);
  return [mark === "✓" ? "good" : "bad", mark, outputWords(item.output, item.exitCode)];
}

function inputHtml({ input, files }: ToolItem): string {
  const { command } = (input ?? {}) as { readonly command?: unknown };
  if (typeof command === "string") return `<pre><code>$ ${escapeHtml(command.slice(0, longestInput))}</code></pre>\n`;
  // The file changes show the same edit better than the input does.
  if (files.length > 0 || input === undefined || input === null) return "";
  const shown = typeof input === "string" ? input : JSON.stringify(input, undefined, 2);
  if (shown === undefined || shown === "{}" || shown === "") return "";
  const cut = shown.length > longestInput ? `${shown.slice(0, longestInput)}\n…` : shown;
  return `<p class="label">Input</p><pre><code>${escapeHtml(cut)}</code></pre>\n`;
}

function outputHtml({ output, progress, error }: ToolItem): string {
  const shown = (output?.text ?? (progress || (error?.message ?? ""))).trimEnd();
  return shown === "" ? "" : `<p class="label">Output</p><pre dir="auto"><code>${escapeHtml(shown)}</code></pre>\n`;
}

function changeHtml(change: FileChange): string {
  const head = `<span class="quiet">±</span> <bdi>${lineHtml(changeWords(change))}</bdi>`;
  if (change.diff === undefined || change.diff === "") return `<p class="line">${head}</p>\n`;
  // Skip the diff header: it only repeats the file name.
  const lines = change.diff
    .trimEnd()
    .split("\n")
    .filter((line, at) => at > 1 || !/^(?:---|\+\+\+) /.test(line));
  const open = lines.length <= shortDiff ? " open" : "";
  return `<details${open}><summary>${head}</summary><div class="inside"><pre class="diff"><code>${lines.map(diffLine).join("")}</code></pre></div></details>\n`;
}

function diffLine(line: string): string {
  const tone = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : line.startsWith("@@") ? "hunk" : "";
  return tone === "" ? `<span>${escapeHtml(line)}</span>` : `<span class="${tone}">${escapeHtml(line)}</span>`;
}

/** Image types that cannot contain a script. Their data is taken from the event. */
const pictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

function contentHtml(content: readonly Content[] | undefined): string {
  return (content ?? []).map(contentBlock).join("");
}

function contentBlock(block: Content): string {
  switch (block.type) {
    case "text":
      return `<pre dir="auto"><code>${escapeHtml(block.text)}</code></pre>\n`;
    case "image":
      return pictures.has(block.mediaType) && block.data !== undefined && /^[\w+/]+={0,2}$/.test(block.data)
        ? `<img alt="Image" src="data:${block.mediaType};base64,${block.data}">\n`
        : `<p class="line">Image (${lineHtml(block.mediaType)})</p>\n`;
    case "resource":
      return `<p class="line"><bdi>${lineHtml(block.uri)}</bdi></p>\n${block.text === undefined ? "" : `<pre dir="auto"><code>${escapeHtml(block.text)}</code></pre>\n`}`;
    case "diff":
      return changeHtml({ path: block.path, op: "modify", diff: block.diff });
  }
}

export function markdownHtml(text: string): string {
  return blocksHtml(markdownDocument(text).blocks);
}

function blocksHtml(blocks: readonly Block[]): string {
  return blocks.map(markdownBlock).join("");
}

function markdownBlock(block: Block): string {
  switch (block.kind) {
    case "paragraph":
      return `<p dir="auto">${inlineHtml(block.children)}</p>\n`;
    case "heading": {
      // The page itself uses h1 and h2.
      const level = Math.min(6, block.level + 2);
      return `<h${level} dir="auto">${inlineHtml(block.children)}</h${level}>\n`;
    }
    case "code":
      return `<pre><code>${escapeHtml(block.text)}</code></pre>\n`;
    case "quote":
      return `<blockquote>${blocksHtml(block.blocks)}</blockquote>\n`;
    case "list": {
      const items = block.items.map((item) => listItemHtml(item, block.loose)).join("");
      return block.start === undefined ? `<ul>${items}</ul>\n` : `<ol start="${block.start}">${items}</ol>\n`;
    }
    case "table":
      return tableHtml(block);
    case "rule":
      return "<hr>\n";
  }
}

/** Paragraphs in a tight list get no `<p>`. */
function listItemHtml({ checked, blocks }: ListItem, loose: boolean): string {
  const box = checked === undefined ? "" : checked ? "☑ " : "☐ ";
  const inside = blocks.map((block) =>
    !loose && block.kind === "paragraph" ? inlineHtml(block.children) : markdownBlock(block),
  );
  return `<li dir="auto">${box}${inside.join("")}</li>\n`;
}

function tableHtml({ head, rows }: Extract<Block, { kind: "table" }>): string {
  const row = (cells: readonly (readonly Inline[])[], tag: "td" | "th") =>
    `<tr>${cells.map((cell) => `<${tag} dir="auto">${inlineHtml(cell)}</${tag}>`).join("")}</tr>\n`;
  const body = rows.map((cells) => row(cells, "td")).join("");
  return `<div class="wide"><table><thead>${row(head, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
}

function inlineHtml(nodes: readonly Inline[]): string {
  return nodes.map(nodeHtml).join("");
}

function nodeHtml(node: Inline): string {
  switch (node.kind) {
    case "text":
      return escapeHtml(node.text);
    case "code":
      return `<code>${escapeHtml(node.text)}</code>`;
    case "break":
      return "<br>";
    case "link": {
      const label = inlineHtml(node.children);
      if (node.href !== undefined) {
        const address = escapeHtml(node.href);
        return `<a href="${address}" title="${address}" rel="noopener noreferrer nofollow">${label}</a>`;
      }
      return node.target === "" ? label : `${label} <span class="quiet">(${escapeHtml(node.target)})</span>`;
    }
    case "em":
    case "strong":
    case "del":
      return `<${node.kind}>${inlineHtml(node.children)}</${node.kind}>`;
  }
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for HTML, including quoted attributes, and removes control and bidi characters. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (letter) => entities[letter]!);
}

function lineHtml(text: string): string {
  return escapeHtml(oneLine(text));
}
