import type { IncomingHttpHeaders } from "node:http";
import type { Item } from "../../conversation.ts";
import { asText, conversationIn, fields, list } from "../body.ts";
import type { ModelRequest } from "../dialect.ts";

export function read(body: unknown, headers: IncomingHttpHeaders): ModelRequest {
  const messages = conversationIn(body, "messages");
  const { model, stream, stream_options: options, user } = fields(body);
  const instructions = messages
    .filter(isSystem)
    .flatMap((message) => partsOf(fields(message)["content"]).flatMap(textOf));
  return {
    model: asText(model) ?? "scripted",
    stream: stream === true,
    instructions: instructions.join("\n"),
    items: messages.flatMap(itemsOf),
    conversation: asText(headers["x-session-id"]) ?? asText(user),
    side: sideOf(body, instructions.length > 0),
    silentUsage: fields(options)["include_usage"] !== true,
  };
}

/** The agent's own work has tools; what has none and was still told who it is (a title, a summary) is a request aside. */
function sideOf(body: unknown, instructed: boolean): ModelRequest["side"] {
  const { tools, response_format: format } = fields(body);
  if (list(tools).length > 0) return undefined;
  const { type, json_schema: wanted } = fields(format);
  if (type === "json_schema") return { schema: fields(wanted)["schema"] };
  if (type === "json_object") return { schema: { type: "object" } };
  return instructed ? "words" : undefined;
}

const isSystem = (message: unknown): boolean => ["system", "developer"].includes(String(fields(message)["role"]));

function itemsOf(message: unknown): Item[] {
  const { role, content } = fields(message);
  if (role === "assistant") return [{ from: "model" }];
  const parts = partsOf(content);
  // A failed call looks like any other: the wire does not say.
  if (role === "tool")
    return [{ from: "tool", text: parts.flatMap(textOf).join("\n"), failed: false }, ...parts.flatMap(imageOf)];
  return role === "user" ? parts.flatMap((part) => [...textOf(part).map(said), ...imageOf(part)]) : [];
}

const partsOf = (content: unknown): readonly unknown[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : list(content);

const said = (text: string): Item => ({ from: "user", text });
const textOf = (part: unknown): string[] => {
  const { type, text } = fields(part);
  return type === "text" ? [String(text)] : [];
};
const imageOf = (part: unknown): Item[] => (fields(part)["type"] === "image_url" ? [{ from: "image" }] : []);
