import type { Item } from "../../conversation.ts";
import { asText, conversationIn, fields, list } from "../body.ts";
import type { ModelRequest } from "../dialect.ts";

export function read(body: unknown): ModelRequest {
  const messages = conversationIn(body, "messages");
  const { model, stream, system, tools, output_config: output, metadata } = fields(body);
  const { schema } = fields(fields(output)["format"]);
  const isSide = schema !== undefined && list(tools).length === 0;
  return {
    model: asText(model) ?? "scripted",
    stream: stream === true,
    instructions: blocksOf(system).flatMap(textOf).join("\n"),
    items: messages.flatMap(itemsOf),
    conversation: asText(fields(metadata)["user_id"]),
    side: isSide ? { schema } : undefined,
  };
}

function itemsOf(message: unknown): Item[] {
  const { role, content } = fields(message);
  if (role === "assistant") return [{ from: "model" }];
  // Some agents put messages of role `system` between; they are not the user's words.
  if (role !== "user") return [];
  return blocksOf(content).flatMap(itemOf);
}

const blocksOf = (content: unknown): readonly unknown[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : list(content);

function itemOf(block: unknown): Item[] {
  const { type, text, content, is_error: failed } = fields(block);
  if (type === "text") return [{ from: "user", text: String(text) }];
  if (type === "image") return [{ from: "image" }];
  if (type !== "tool_result") return [];
  const inner = blocksOf(content);
  const images = inner.flatMap(itemOf).filter((item) => item.from === "image");
  return [{ from: "tool", text: inner.flatMap(textOf).join("\n"), failed: failed === true }, ...images];
}

const textOf = (block: unknown): string[] => {
  const { type, text } = fields(block);
  return type === "text" ? [String(text)] : [];
};
