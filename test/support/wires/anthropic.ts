import { eventsIn, nothingHeard, type Entry, type Heard, type JsonObject } from "./wire.ts";

interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
}
interface Block {
  type: string;
  name?: string;
  text?: string;
  thinking?: string;
  input?: unknown;
}
interface Event {
  type: string;
  content_block?: Block;
  delta?: { text?: string; thinking?: string; partial_json?: string; stop_reason?: string };
  usage?: Usage;
  error?: { message: string };
}

export const anthropic: JsonObject = {
  speaks: "anthropic",
  request: (talk, stream) => ({
    path: "/v1/messages",
    body: { model: "m", max_tokens: 10, stream, messages: talk.flatMap(messagesOf) },
  }),
  whole(body) {
    const { content, stop_reason, usage } = JSON.parse(body) as { content: Block[]; stop_reason: string; usage: Usage };
    const heard = nothingHeard();
    for (const { type, name, text, thinking, input } of content) {
      heard.text += text ?? "";
      heard.thought += thinking ?? "";
      if (type === "tool_use") heard.calls.push({ name: String(name), input });
    }
    return { ...heard, stop: stop_reason, usage: usageOf(usage) };
  },
  streamed(body) {
    const heard = nothingHeard();
    let spelled = "";
    let name: string | undefined;
    for (const { type, content_block, delta, usage, error } of eventsIn<Event>(body)) {
      heard.text += delta?.text ?? "";
      heard.thought += delta?.thinking ?? "";
      spelled += delta?.partial_json ?? "";
      heard.stop = delta?.stop_reason ?? heard.stop;
      heard.error = error?.message ?? heard.error;
      if (type === "message_delta" && usage) heard.usage = usageOf(usage);
      if (content_block?.type === "tool_use") name = content_block.name;
      if (type === "content_block_stop" && name !== undefined) {
        heard.calls.push({ name, input: JSON.parse(spelled) });
        spelled = "";
        name = undefined;
      }
    }
    return heard;
  },
  problem: (body) => (JSON.parse(body) as { error: { message: string } }).error.message,
};

const usageOf = (usage: Usage): Heard["usage"] => ({
  input: usage.input_tokens,
  output: usage.output_tokens,
  cacheRead: usage.cache_read_input_tokens,
});

function messagesOf(entry: Entry): object[] {
  if ("model" in entry) return [{ role: "assistant", content: entry.model }];
  if ("user" in entry) {
    const images = Array.from({ length: entry.images ?? 0 }, () => ({ type: "image", source: {} }));
    return [{ role: "user", content: [{ type: "text", text: entry.user }, ...images] }];
  }
  const calls = entry.results.map((_, index) => ({ type: "tool_use", id: `t${index}`, name: "T", input: {} }));
  const results = entry.results.map((text, index) => ({
    type: "tool_result",
    tool_use_id: `t${index}`,
    content: [{ type: "text", text }],
  }));
  return [
    { role: "assistant", content: calls },
    { role: "user", content: results },
  ];
}
