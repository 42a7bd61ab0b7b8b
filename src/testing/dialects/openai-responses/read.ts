import type { Item } from "../../conversation.ts";
import { asText, conversationIn, fields, list } from "../body.ts";
import type { ModelRequest } from "../dialect.ts";

export function read(body: unknown): ModelRequest {
  const { model, stream, instructions, tools, text, prompt_cache_key: key, input } = fields(body);
  const entries = typeof input === "string" ? [{ role: "user", content: input }] : conversationIn(body, "input");
  const format = fields(fields(text)["format"]);
  const hasTools = list(tools).length > 0 || entries.some((entry) => fields(entry)["type"] === "additional_tools");
  const isSide = format["type"] === "json_schema" && !hasTools;
  return {
    model: asText(model) ?? "scripted",
    stream: stream === true,
    instructions: [asText(instructions) ?? "", ...entries.flatMap(instructionsIn)].join("\n"),
    items: entries.flatMap(itemsOf),
    conversation: asText(key),
    side: isSide ? { schema: format["schema"] } : undefined,
  };
}

function instructionsIn(entry: unknown): string[] {
  const { role, content } = fields(entry);
  return role === "system" || role === "developer" ? partsOf(content).flatMap(textOf) : [];
}

const textOf = (part: unknown): string[] => {
  const text = asText(fields(part)["text"]);
  return text === undefined ? [] : [text];
};

function itemsOf(entry: unknown): Item[] {
  const { type, role, content, output } = fields(entry);
  const kind = asText(type) ?? "message";
  if (kind.endsWith("_output")) return [resultOf(output), ...imagesOf(output)];
  if (kind !== "message") return kind === "additional_tools" ? [] : [{ from: "model" }];
  if (role === "assistant") return [{ from: "model" }];
  return role === "user" ? partsOf(content).flatMap(itemOf) : [];
}

const partsOf = (content: unknown): readonly unknown[] =>
  typeof content === "string" ? [{ type: "input_text", text: content }] : list(content);

function itemOf(part: unknown): Item[] {
  const { type, text } = fields(part);
  if (type === "input_image") return [{ from: "image" }];
  return type === "input_text" ? [{ from: "user", text: String(text) }] : [];
}

/** A failed call looks like any other: the wire does not say. */
const resultOf = (output: unknown): Item => ({
  from: "tool",
  text: partsOf(output).flatMap(textOf).join("\n"),
  failed: false,
});

const imagesOf = (output: unknown): Item[] =>
  partsOf(output)
    .flatMap(itemOf)
    .filter((item) => item.from === "image");
