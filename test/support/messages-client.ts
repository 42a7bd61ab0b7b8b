/** Talks to a scripted model like an agent that uses Anthropic Messages. */
import type { ScriptedModel } from "../../src/testing/index.ts";

export const user = (content: unknown) => ({ role: "user", content });
export const assistant = { role: "assistant", content: [{ type: "text", text: "..." }] };
export const result = (content: unknown, is_error = false) => ({
  type: "tool_result",
  tool_use_id: "t",
  content,
  is_error,
});

export function post(
  model: ScriptedModel,
  messages: unknown[],
  more: object = {},
  init: RequestInit = {},
): Promise<Response> {
  const body = JSON.stringify({ model: "m", max_tokens: 10, messages, ...more });
  const headers = { "content-type": "application/json", "x-api-key": "sk-very-secret" };
  return fetch(`${model.url}/v1/messages?beta=true`, { method: "POST", headers, body, ...init });
}

export interface Sse {
  type: string;
  index?: number;
  delta?: Record<string, string>;
  content_block?: { type: string; name?: string };
  message?: { usage: Record<string, number> };
  usage?: Record<string, number>;
  error?: { type: string };
}

export const events = (text: string): Sse[] =>
  text
    .split("\n\n")
    .filter((part) => part !== "")
    .map((part) => JSON.parse(part.split("\ndata: ")[1] ?? "{}") as Sse);

export const stream = async (model: ScriptedModel, prompt: string): Promise<Sse[]> =>
  events(await (await post(model, [user(prompt)], { stream: true })).text());

export const textOf = (list: readonly Sse[]): string => list.map((event) => event.delta?.["text"] ?? "").join("");
