import { eventsIn, nothingHeard, type Entry, type Heard, type JsonObject } from "./wire.ts";

interface Call {
  index: number;
  id?: string;
  function: { name?: string; arguments: string };
}
interface Said {
  content?: string | null;
  reasoning_content?: string;
  tool_calls?: Call[];
}
interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  prompt_tokens_details: { cached_tokens: number; cache_write_tokens: number };
  completion_tokens_details: { reasoning_tokens: number };
}
export interface ChatChunk {
  choices?: { delta: Said; finish_reason: string | null }[];
  usage?: Usage;
  error?: { message: string };
}
interface Answer {
  choices: { message: Said; finish_reason: string }[];
  usage: Usage;
}

export const openaiChat: JsonObject = {
  speaks: "openai-chat",
  request: (talk, stream) => ({
    path: "/v1/chat/completions",
    body: {
      model: "m",
      messages: talk.flatMap(messagesOf),
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
    },
  }),
  whole(body) {
    const { choices, usage } = JSON.parse(body) as Answer;
    const { message, finish_reason } = choices[0] ?? { message: {}, finish_reason: "none" };
    const calls = message.tool_calls ?? [];
    return {
      text: message.content ?? "",
      thought: message.reasoning_content ?? "",
      calls: calls.map((call) => ({ name: String(call.function.name), input: JSON.parse(call.function.arguments) })),
      stop: finish_reason,
      usage: usageOf(usage),
    };
  },
  streamed(body) {
    const heard = nothingHeard();
    const calls: { name: string; spelled: string }[] = [];
    for (const { choices = [], usage, error } of eventsIn<ChatChunk>(body)) {
      heard.error = error?.message ?? heard.error;
      if (usage) heard.usage = usageOf(usage);
      for (const { delta, finish_reason } of choices) {
        heard.text += delta.content ?? "";
        heard.thought += delta.reasoning_content ?? "";
        heard.stop = finish_reason ?? heard.stop;
        for (const { index, function: part } of delta.tool_calls ?? []) {
          const call = (calls[index] ??= { name: String(part.name), spelled: "" });
          call.spelled += part.arguments;
        }
      }
    }
    heard.calls.push(...calls.map(({ name, spelled }) => ({ name, input: JSON.parse(spelled) as unknown })));
    return heard;
  },
  problem: (body) => (JSON.parse(body) as { error: { message: string } }).error.message,
};

const usageOf = (usage: Usage): Heard["usage"] => ({
  input:
    usage.prompt_tokens - usage.prompt_tokens_details.cached_tokens - usage.prompt_tokens_details.cache_write_tokens,
  output: usage.completion_tokens,
  cacheRead: usage.prompt_tokens_details.cached_tokens,
  thought: usage.completion_tokens_details.reasoning_tokens,
});

function messagesOf(entry: Entry): object[] {
  if ("model" in entry) return [{ role: "assistant", content: entry.model }];
  if ("user" in entry) {
    const images = Array.from({ length: entry.images ?? 0 }, () => ({
      type: "image_url",
      image_url: { url: "data:" },
    }));
    return [
      { role: "user", content: images.length > 0 ? [{ type: "text", text: entry.user }, ...images] : entry.user },
    ];
  }
  const { results } = entry;
  const calls = results.map((_, n) => ({ id: `c${n}`, type: "function", function: { name: "T", arguments: "{}" } }));
  const tools = results.map((content, n) => ({ role: "tool", tool_call_id: `c${n}`, content }));
  return [{ role: "assistant", content: null, tool_calls: calls }, ...tools];
}
