import type { Stop, Usage } from "../../scenario.ts";
import { newId } from "../ids.ts";

export const finishReasons: Readonly<Record<Stop, string>> = {
  end: "stop",
  call: "tool_calls",
  max_tokens: "length",
  refusal: "content_filter",
  stop_sequence: "stop",
  context: "length",
};

export const newAnswer = (object: "chat.completion" | "chat.completion.chunk", model: string) => ({
  id: newId("chatcmpl-"),
  object,
  created: Math.floor(Date.now() / 1000),
  model,
  system_fingerprint: "fp_scripted",
});

export const toolCall = (name: string, spelled: string) => ({
  id: newId("call_"),
  type: "function",
  function: { name, arguments: spelled },
});

export function usageOf({ input, output, cacheRead, cacheWrite, thought }: Required<Usage>) {
  const asked = input + cacheRead + cacheWrite;
  return {
    prompt_tokens: asked,
    completion_tokens: output,
    total_tokens: asked + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    completion_tokens_details: { reasoning_tokens: thought },
  };
}
