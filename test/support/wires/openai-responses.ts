import { eventsIn, nothingHeard, type Entry, type Heard, type JsonObject } from "./wire.ts";

export interface ResponsesItem {
  type: string;
  id: string;
  name?: string;
  namespace?: string;
  arguments?: string;
  input?: string;
  content?: { text: string }[];
  summary?: { text: string }[];
}
export interface ResponsesAnswer {
  status: string;
  output: ResponsesItem[];
  error: { code: string; message: string } | null;
  incomplete_details: { reason: string } | null;
  usage: {
    input_tokens: number;
    output_tokens: number;
    input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
    output_tokens_details: { reasoning_tokens: number };
  } | null;
}
export interface ResponsesEvent {
  type: string;
  sequence_number: number;
  output_index?: number;
  item_id?: string;
  item?: ResponsesItem;
  delta?: string;
  response?: ResponsesAnswer;
}

export const openaiResponses: JsonObject = {
  speaks: "openai-responses",
  request: (talk, stream) => ({ path: "/v1/responses", body: { model: "m", stream, input: talk.flatMap(entriesOf) } }),
  whole: (body) => heardIn(JSON.parse(body) as ResponsesAnswer),
  /** Uses deltas only when nothing else is there: agents use the completed items. */
  streamed(body) {
    const heard = nothingHeard();
    for (const { type, delta, response } of eventsIn<ResponsesEvent>(body)) {
      if (type === "response.output_text.delta") heard.text += delta;
      if (type === "response.reasoning_summary_text.delta") heard.thought += delta;
      if (/completed|incomplete|failed/.test(type) && response) {
        const { text, thought, ...rest } = heardIn(response);
        if (response.status === "completed" && (text !== heard.text || thought !== heard.thought))
          throw new Error(`The deltas say "${heard.text}", the answer "${text}".`);
        Object.assign(heard, rest);
      }
    }
    return heard;
  },
  problem: (body) => (JSON.parse(body) as { error: { message: string } }).error.message,
};

function heardIn({ status, output, error, incomplete_details: incomplete, usage }: ResponsesAnswer): Heard {
  const heard = nothingHeard();
  for (const item of output) {
    heard.text += item.content?.map((part) => part.text).join("") ?? "";
    heard.thought += item.summary?.map((part) => part.text).join("") ?? "";
    const within = item.namespace === undefined ? {} : { namespace: item.namespace };
    if (item.type === "function_call")
      heard.calls.push({ name: String(item.name), input: JSON.parse(item.arguments ?? ""), ...within });
    if (item.type === "custom_tool_call") heard.calls.push({ name: String(item.name), input: item.input });
  }
  heard.stop = incomplete?.reason ?? error?.code ?? status;
  heard.error = error?.message;
  heard.usage = usage
    ? {
        input:
          usage.input_tokens - usage.input_tokens_details.cached_tokens - usage.input_tokens_details.cache_write_tokens,
        output: usage.output_tokens,
        cacheRead: usage.input_tokens_details.cached_tokens,
        thought: usage.output_tokens_details.reasoning_tokens,
      }
    : undefined;
  return heard;
}

const message = (role: string, content: object[]) => ({ type: "message", role, content });

function entriesOf(entry: Entry): object[] {
  if ("model" in entry) return [message("assistant", [{ type: "output_text", text: entry.model }])];
  if ("user" in entry) {
    const images = Array.from({ length: entry.images ?? 0 }, () => ({ type: "input_image", image_url: "data:" }));
    return [message("user", [{ type: "input_text", text: entry.user }, ...images])];
  }
  const { results } = entry;
  const calls = results.map((_, n) => ({ type: "function_call", call_id: `c${n}`, name: "T", arguments: "{}" }));
  const outputs = results.map((output, n) => ({ type: "function_call_output", call_id: `c${n}`, output }));
  return [{ type: "reasoning", summary: [] }, ...calls, ...outputs];
}
