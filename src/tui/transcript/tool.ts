/** Tool calls: one row, and all details when open. */
import { displayPath } from "../../events/paths.ts";
import { oneLine, printable } from "../../events/printable.ts";
import type { Content } from "../../events/types.ts";
import { changeWords, count, dotted, duration, failureWords, outputMark, outputWords } from "../../view/labels.ts";
import type { FileChange, Item, ToolItem } from "../../view/model.ts";
import { imageFacts, mostImageBytes } from "../images/image-file.ts";
import type { Line } from "../line.ts";
import type { Style } from "../theme.ts";
import { shownLine, sourceLine, within, type Look } from "./block.ts";
import { styledCode } from "./code.ts";
import { diffLines } from "./diff-lines.ts";

const inside = "  ";
/** A long output shows its end and how many lines were left out. */
const mostLines = 200;
const longestWords = 400;
/** Length of an image's base64 that is decoded to read its size. */
const longestHead = 64 * 1024;

export function toolRow(item: ToolItem, look: Look): Line {
  const { theme } = look;
  const { mark, style } = toneOf(item, look);
  const words = oneLine(toolWords(item)).slice(0, longestWords).toWellFormed();
  const title = titleWords(item);
  const failed = item.status === "failed";
  const said = words === "" ? "" : (failed ? theme.error : theme.dim)(` · ${words}`);
  const text = `${failed ? theme.error(title) : title}${said}`;
  // An error is shown in full; everything else can be opened.
  return { text, prefix: style(`${mark} `), wrap: failed ? "word" : "cut" };
}

function toneOf({ status, exitCode }: ToolItem, { theme }: Look): { readonly mark: string; readonly style: Style } {
  if (status === "running") return { mark: "●", style: theme.accent };
  const mark = status === "failed" ? "✗" : outputMark(exitCode);
  return { mark, style: mark === "✓" ? theme.success : theme.error };
}

function titleWords({ tool, title, nativeName }: ToolItem): string {
  const words = oneLine(title).slice(0, longestWords).toWellFormed();
  const [, server, name] = (tool === "mcp" && /^mcp__(.+?)__(.+)$/.exec(nativeName)) || [];
  if (server === undefined || name === undefined || (words.includes(server) && words.includes(name))) return words;
  return `${words} (${oneLine(server)}: ${oneLine(name)})`;
}

function toolWords(item: ToolItem): string {
  const { status, output, durationMs, exitCode, items, files } = item;
  const steps = items.length === 0 ? undefined : count(items.length, "step");
  if (status === "failed") return dotted(steps, failureWords(item));
  const words = output === undefined ? undefined : outputWords(output, exitCode);
  const took = durationMs === undefined || durationMs < 100 ? undefined : duration(durationMs);
  return dotted(steps, countsOf(files), words, took);
}

function countsOf(files: readonly FileChange[]): string | undefined {
  if (files.length === 0 || files.some(({ added, removed }) => added === undefined || removed === undefined))
    return undefined;
  const sum = (name: "added" | "removed"): number => files.reduce((total, file) => total + file[name]!, 0);
  return `+${sum("added")} −${sum("removed")}`;
}

/** Returns whether there are details to open. */
export function hasDetails(item: ToolItem): boolean {
  const { output, error, progress, files, items, input } = item;
  if (files.length > 0 || items.length > 0 || progress !== "" || error !== undefined) return true;
  if (typeof input === "object" ? Object.keys(input ?? {}).length > 0 : input !== undefined) return true;
  return output !== undefined && (output.text !== "" || (output.content?.length ?? 0) > 0);
}

export type DrawItem = (item: Item) => readonly Line[];

/** All details of the call below its row. `nested` draws the items of its subagent. */
export function toolDetails(item: ToolItem, look: Look, nested: DrawItem): Line[] {
  const { theme } = look;
  const { files, items, output, progress, error, status } = item;
  const changes = files.flatMap((file) => fileLines(file, look, inside.length));
  // The file changes show the same edit better than the input does.
  const input = files.some(({ diff }) => diff !== undefined && diff !== "") ? [] : inputLines(item.input, look);
  const bar = theme.border("│ ");
  const inner = items.flatMap((one) => within(nested(one), bar, bar));
  const text = output?.text ?? (progress === "" ? error?.message : progress) ?? "";
  const out = outputLines(printable(text), look, status === "failed" ? theme.error : undefined);
  const contents = (output?.content ?? []).flatMap((content) => contentLines(content, look, inside.length));
  return within([...input, ...changes, ...inner, ...out, ...contents], inside, inside);
}

/** A command as it is typed, else the fields. */
export function inputLines(input: unknown, look: Look): Line[] {
  if (input === undefined || input === null || input === "") return [];
  if (typeof input === "string") return textLines(printable(input), look);
  if (typeof input !== "object") return textLines(printable(JSON.stringify(input) ?? ""), look);
  const { command } = input as { readonly command?: unknown };
  const shell = commandOf(command);
  if (shell !== undefined) return commandLines(printable(shell), look);
  if (Array.isArray(input)) return textLines(printable(JSON.stringify(input, undefined, 2)), look);
  return Object.entries(input).flatMap(([name, value]) => fieldLines(name, value, look));
}

function commandOf(command: unknown): string | undefined {
  if (typeof command === "string") return command;
  const words = Array.isArray(command) && command.every((word) => typeof word === "string");
  return words && command.length > 0 ? command.join(" ") : undefined;
}

function commandLines(command: string, look: Look): Line[] {
  const sources = command.trimEnd().split("\n");
  const styled = styledCode(sources, "bash", look);
  return sources.map((source, at) => ({
    ...{ text: styled[at]!, source, wrap: "soft", indent: "  " },
    prefix: at === 0 ? look.theme.dim("$ ") : "  ",
  }));
}

/** A field of an input, complete if everything is expanded. */
export function fieldLines(name: string, value: unknown, look: Look): Line[] {
  if (value === undefined || value === null) return [];
  const { theme } = look;
  const text = printable(typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "")).trimEnd();
  const label = `${oneLine(name)}: `;
  if (!text.includes("\n")) {
    const source = `${label}${text}`;
    return [{ text: `${theme.dim(label)}${shownLine(text, look)}`, source, wrap: "soft" }];
  }
  return [{ text: theme.dim(label.trimEnd()) }, ...within(textLines(text, look), "  ", "  ")];
}

function textLines(text: string, look: Look): Line[] {
  return text.split("\n").map((source) => sourceLine(source, look, ""));
}

function outputLines(text: string, look: Look, style?: Style): Line[] {
  const trimmed = text.trimEnd();
  if (trimmed === "") return [];
  const all = trimmed.split("\n");
  const shown = look.expandAll ? all : all.slice(-mostLines);
  const hidden = all.length - shown.length;
  const lines = shown.map((source): Line => {
    const line = sourceLine(source, look, "");
    return style === undefined ? line : { ...line, text: style(line.text) };
  });
  if (hidden === 0) return lines;
  return [{ text: look.theme.dim(`… ${count(hidden, "line")} above`), source: "", wrap: "cut" }, ...lines];
}

/** `taken`: columns used before it. */
export function fileLines(change: FileChange, look: Look, taken: number): Line[] {
  const { theme } = look;
  const path = look.cwd === undefined ? change.path : displayPath(change.path, look.cwd);
  const title: Line = { text: changeWords({ ...change, path }), prefix: theme.accent("± ") };
  return [title, ...(change.diff === undefined ? [] : diffLines(change.diff, look, taken))];
}

type ImageContent = Extract<Content, { type: "image" }>;

function imageBytes({ bytes, data }: ImageContent): number | undefined {
  return bytes ?? (data === undefined ? undefined : Math.floor((data.length * 3) / 4));
}

/** The line that stands for an image, or names the one below it. */
function imageLine(content: ImageContent, { theme, images }: Look): Line {
  const { mediaType, data, ref } = content;
  const bytes = imageBytes(content);
  const facts = data === undefined ? undefined : imageFacts(Buffer.from(data.slice(0, longestHead), "base64"));
  const words = dotted(
    oneLine(mediaType),
    facts && `${facts.width}×${facts.height}`,
    bytes === undefined ? undefined : `${Math.ceil(bytes / 1024).toLocaleString("en")} kB`,
  );
  const text = theme.dim(`Image (${words})${images === "inline" ? " · /inline draws it" : ""}`);
  if (bytes === undefined || bytes > mostImageBytes) return { text };
  if (data !== undefined) return { text, images: [{ data }] };
  return ref === undefined ? { text } : { text, images: [{ ref }] };
}

/** The images of a folded call, if the screen draws them. */
export function toolImages({ output }: ToolItem, look: Look): Line[] {
  if (look.images !== "here") return [];
  const images = (output?.content ?? []).filter(({ type }) => type === "image");
  return within(
    images.flatMap((image) => contentLines(image, look, inside.length)),
    inside,
    inside,
  );
}

/** Content of an agent or a tool that is not plain text. */
export function contentLines(content: Content, look: Look, taken: number): Line[] {
  const { theme } = look;
  switch (content.type) {
    case "text":
      return outputLines(printable(content.text), look);
    case "image":
      return [imageLine(content, look)];
    case "resource": {
      const title: Line = { text: theme.dim(oneLine(content.uri)) };
      return content.text === undefined ? [title] : [title, ...outputLines(printable(content.text), look)];
    }
    case "diff":
      return [{ text: theme.dim(oneLine(content.path)) }, ...diffLines(content.diff, look, taken)];
    default:
      return [];
  }
}
