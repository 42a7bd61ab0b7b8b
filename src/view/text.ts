/** A conversation as plain text, safe to print in a terminal. */
import { oneLine, printable } from "../events/printable.ts";
import { attachedWords, changeWords, endWords } from "./labels.ts";
import { firstLines, itemLine, type RenderOptions } from "./lines.ts";
import type { Conversation, InputItem, Item, TurnEntry } from "./model.ts";

export function plainText(conversation: Conversation, options: RenderOptions = {}): string {
  const title = conversation.title === undefined ? [] : [oneLine(conversation.title)];
  const blocks = [...title, ...conversation.entries.flatMap((entry) => entryBlocks(entry, options))];
  return blocks.length === 0 ? "" : `${blocks.join("\n\n")}\n`;
}

function entryBlocks(entry: TurnEntry | Item, options: RenderOptions): string[] {
  if (entry.kind !== "turn") return itemBlocks(entry, options);
  const { input, items, end, usage } = entry;
  return [
    ...(input === undefined ? [] : inputBlocks(input)),
    ...items.flatMap((item) => itemBlocks(item, options)),
    ...(end === undefined ? [] : [`${end.error === undefined ? "✓" : "✗"} ${endWords(end, usage?.costUsd)}`]),
  ];
}

function inputBlocks(input: Pick<InputItem, "text" | "attachments">): string[] {
  const attached = attachedWords(input);
  return [indent(printable(input.text), "> "), ...(attached === undefined ? [] : [`· ${attached}`])];
}

function itemBlocks(item: Item, options: RenderOptions): string[] {
  switch (item.kind) {
    case "message":
      return item.text.trim() === "" ? [] : [printable(item.text).trim()];
    case "thought":
      return options.thoughts === true && item.text.trim() !== "" ? [indent(printable(item.text).trim(), "│ ")] : [];
    case "input":
      return inputBlocks(item);
    case "tool": {
      const output = firstLines(printable(item.output?.text ?? item.progress), options);
      const lines = [itemLine(item), ...item.files.map((change) => `  ± ${changeWords(change)}`)];
      if (output !== "") lines.push(indent(output, "  "));
      return [
        lines.join("\n"),
        ...item.items.flatMap((inner) => itemBlocks(inner, options)).map((block) => indent(block, "  ")),
      ];
    }
    default:
      return [itemLine(item)];
  }
}

function indent(text: string, by: string): string {
  return text.replace(/^/gm, by).replace(/[ \t]+$/gm, "");
}
