import type { Item } from "../../conversation.ts";
import { asText, conversationIn, fields, list } from "../body.ts";
import type { ModelRequest } from "../dialect.ts";

/** The model and whether it streams stand in the address. */
export function read(body: unknown, model: string, stream: boolean): ModelRequest {
  return {
    model,
    stream,
    instructions: list(fields(fields(body)["systemInstruction"])["parts"])
      .flatMap(textOf)
      .join("\n"),
    items: conversationIn(body, "contents").flatMap(itemsOf),
    conversation: undefined,
    side: sideOf(body),
  };
}

/** The agent's own work has tools; what has none and was still told who it is (a title, a summary) is a request aside. */
function sideOf(body: unknown): ModelRequest["side"] {
  const { tools, generationConfig, systemInstruction } = fields(body);
  if (list(tools).length > 0) return undefined;
  const config = fields(generationConfig);
  const schema = config["responseJsonSchema"] ?? config["responseSchema"];
  if (schema !== undefined) return { schema };
  return systemInstruction === undefined ? undefined : "words";
}

const textOf = (part: unknown): string[] => {
  const text = asText(fields(part)["text"]);
  return text === undefined ? [] : [text];
};

function itemsOf(content: unknown): Item[] {
  const { role, parts } = fields(content);
  return role === "model" ? [{ from: "model" }] : list(parts).flatMap(itemOf);
}

function itemOf(part: unknown): Item[] {
  const { functionResponse, inlineData, fileData } = fields(part);
  if (functionResponse !== undefined) return resultOf(functionResponse);
  if (inlineData !== undefined || fileData !== undefined) return [{ from: "image" }];
  return textOf(part).map((text): Item => ({ from: "user", text }));
}

function resultOf(functionResponse: unknown): Item[] {
  const { response, parts } = fields(functionResponse);
  const { output, error } = fields(response);
  const text = asText(output) ?? asText(error) ?? JSON.stringify(response ?? {});
  const images = list(parts)
    .flatMap(itemOf)
    .filter((item) => item.from === "image");
  return [{ from: "tool", text, failed: error !== undefined }, ...images];
}
