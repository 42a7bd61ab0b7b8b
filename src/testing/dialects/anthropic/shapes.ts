import type { Stop, Usage } from "../../scenario.ts";

export const stopReasons: Readonly<Record<Stop, string>> = {
  end: "end_turn",
  call: "tool_use",
  max_tokens: "max_tokens",
  refusal: "refusal",
  stop_sequence: "stop_sequence",
  context: "model_context_window_exceeded",
};

/** Thinking must come with a signature; the agent hands it back unread. */
export const signature = Buffer.from("scripted").toString("base64");

export function usageOf(usage: Required<Usage>, output: number): Record<string, unknown> {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: output,
  };
}
