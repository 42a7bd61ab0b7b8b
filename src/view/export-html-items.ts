/** What happened in a turn, as HTML. What is long is folded; nothing needs a script. */
import type { Content } from "../events/types.ts";
import { markdownHtml } from "./export-html-markdown.ts";
import { escapeHtml, lineHtml } from "./export-html-text.ts";
import { itemLine } from "./item-line.ts";
import type { FileChange, InputItem, Item, TextItem, ToolItem } from "./model.ts";
import type { RenderOptions } from "./options.ts";
import { changeWords, duration, failureWords, outputMark, outputWords } from "./words.ts";

/** A diff of so many lines is seen without being opened. */
const shortDiff = 24;
/** What is kept of an input: it may be a whole file, and its diff says it better. */
const longestInput = 20_000;

export function itemHtml(item: Item, options: RenderOptions): string {
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
    case "notice":
      return lineOf(item, item.level === "info" ? "" : item.level === "error" ? " bad" : " warn");
    case "limit":
      return lineOf(item, item.status === "ok" ? "" : " warn");
    case "retry":
      return lineOf(item, " warn");
    default:
      return lineOf(item, "");
  }
}

/** What a person said, and the names of what they said it with. */
export function saidHtml({ text, attachments = [] }: Pick<InputItem, "text" | "attachments">): string {
  const attached = attachments.map(({ name }) => `<p class="line">Attached: <bdi>${lineHtml(name)}</bdi></p>`);
  return `<div class="said" dir="auto">${escapeHtml(text)}</div>${attached.join("")}`;
}

function lineOf(item: Exclude<Item, TextItem | { kind: "input" }>, tone: string): string {
  return `<p class="line${tone}" dir="auto">${lineHtml(itemLine(item))}</p>\n`;
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
  // A change that happened says what was wanted, and better.
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
  // What a diff begins with only says the name again.
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

/** Pictures that cannot hold a script, and whose data is in the event. */
const pictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

function contentHtml(content: readonly Content[] | undefined): string {
  return (content ?? []).map(blockHtml).join("");
}

function blockHtml(block: Content): string {
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
