import type { SpelledToolCall } from "../../../agents/contract.ts";
import type { Stop, Usage } from "../../scenario.ts";
import { newId } from "../ids.ts";

/** One thing of an answer, as the agent hands it back later. */
export type OutputItem = Readonly<Record<string, unknown>> & { readonly id: string };

export const messageItem = (id: string, text: string): OutputItem => ({
  type: "message",
  id,
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});

export const reasoningItem = (id: string, text: string): OutputItem => ({
  type: "reasoning",
  id,
  summary: [{ type: "summary_text", text }],
  // The agent hands it back unread.
  encrypted_content: Buffer.from("scripted").toString("base64"),
});

/** A call whose input is text is a call of a freeform ("custom") tool. */
export function callItem({ name, namespace, input }: SpelledToolCall, spelled: string): OutputItem {
  const call = {
    call_id: newId("call_"),
    name,
    ...(namespace === undefined ? {} : { namespace }),
    status: "completed",
  };
  return typeof input === "string"
    ? { type: "custom_tool_call", id: newId("ctc_"), ...call, input: spelled }
    : { type: "function_call", id: newId("fc_"), ...call, arguments: spelled };
}

/** How an answer ends, beside its usage. */
export const endings: Readonly<Record<Stop, Readonly<Record<string, unknown>> & { status: string }>> = {
  end: { status: "completed" },
  call: { status: "completed" },
  stop_sequence: { status: "completed" },
  max_tokens: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
  refusal: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
  context: {
    status: "failed",
    error: {
      code: "context_length_exceeded",
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
    },
  },
};

export const newResponse = (model: string) => ({
  id: newId("resp_"),
  object: "response",
  created_at: Math.floor(Date.now() / 1000),
  status: "in_progress",
  error: null,
  incomplete_details: null,
  model,
  output: [] as readonly OutputItem[],
  parallel_tool_calls: true,
  tool_choice: "auto",
  tools: [],
  usage: null,
  metadata: {},
});

export function usageOf({ input, output, cacheRead, cacheWrite, thought }: Required<Usage>) {
  const asked = input + cacheRead + cacheWrite;
  return {
    input_tokens: asked,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thought },
    total_tokens: asked + output,
  };
}
