/** A conversation as Markdown. Text of agents, tools and people stays inside quotes and fences. */
import { codeSpan, escapeMarkdown, fence, quote } from "./fence.ts";
import { changeWords, endWords } from "./labels.ts";
import { firstLines, itemLine, type RenderOptions } from "./lines.ts";
import type { Conversation, FileChange, InputItem, Item, ToolItem, TurnEntry } from "./model.ts";

export function markdown(conversation: Conversation, options: RenderOptions = {}): string {
  const { title = "Conversation", agent, modelLabel, model, mode, cwd } = conversation;
  const facts = [agent, modelLabel ?? model, mode === undefined ? undefined : `mode ${mode}`].filter(
    (fact) => fact !== undefined,
  );
  const about = [...facts.map(escapeMarkdown), ...(cwd === undefined ? [] : [codeSpan(cwd)])].join(" · ");
  const blocks = [
    `# ${escapeMarkdown(title)}`,
    about,
    ...conversation.entries.flatMap((entry) => entryBlocks(entry, options)),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function entryBlocks(entry: TurnEntry | Item, options: RenderOptions): string[] {
  if (entry.kind !== "turn") return itemBlocks(entry, options);
  const { input, agent, items, end, usage } = entry;
  return [
    ...(input === undefined ? [] : ["## You", ...inputBlocks(input)]),
    `## ${escapeMarkdown(agent)}`,
    ...items.flatMap((item) => itemBlocks(item, options)),
    ...(end === undefined ? [] : [`*${escapeMarkdown(endWords(end, usage?.costUsd))}*`]),
  ];
}

function inputBlocks({ text, attachments = [] }: Pick<InputItem, "text" | "attachments">): string[] {
  return [quote(text), ...attachments.map(({ name }) => `Attached: ${codeSpan(name)}`)];
}

function itemBlocks(item: Item, options: RenderOptions): string[] {
  switch (item.kind) {
    case "message":
      return item.text.trim() === "" ? [] : [quote(item.text.trim())];
    case "thought":
      return options.thoughts === true && item.text.trim() !== "" ? ["*Thought:*", quote(item.text.trim())] : [];
    case "input":
      return ["**You:**", ...inputBlocks(item)];
    case "tool":
      return toolBlocks(item, options);
    case "file":
      return changeBlocks(item, options);
    case "plan":
      return [
        item.entries
          .map(({ text, status }) => {
            const now = status === "in_progress" ? " (now)" : "";
            return `- [${status === "completed" ? "x" : " "}] ${escapeMarkdown(text)}${now}`;
          })
          .join("\n"),
      ];
    default:
      return [escapeMarkdown(itemLine(item))];
  }
}

function toolBlocks(item: ToolItem, options: RenderOptions): string[] {
  const output = firstLines(item.output?.text ?? item.progress, options);
  const inner = item.items.flatMap((each) => itemBlocks(each, options)).join("\n\n");
  return [
    `**${escapeMarkdown(itemLine(item))}**`,
    ...(output === "" ? [] : [fence(output)]),
    ...item.files.flatMap((change) => changeBlocks(change, options)),
    ...(inner === "" ? [] : [quote(inner)]),
  ];
}

function changeBlocks(change: FileChange, options: RenderOptions): string[] {
  const diff = change.diff === undefined ? [] : [fence(firstLines(change.diff, options), "diff")];
  return [escapeMarkdown(`± ${changeWords(change)}`), ...diff];
}
