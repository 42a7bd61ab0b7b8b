/** Requests one answer from the model, streamed over Chat Completions. */
import { Frames } from "../../../src/protocols/http/sse.ts";
import { fieldsOf, listOf, numberOf, parsed, textOf } from "./fields.ts";
import { ModelError } from "./model-error.ts";
import type { Answer, ChatMessage, Fields, LoopTool, SpelledCall, Usage } from "./types.ts";

export interface Question {
  readonly modelUrl: string;
  readonly key: string;
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly LoopTool[];
  readonly conversation: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  onText(piece: string): void;
  onThought(piece: string): void;
}

const mostBytes = 64 * 1024 * 1024;

export async function askModel(question: Question): Promise<Answer> {
  const response = await send(question);
  if (!response.ok || response.body === null) throw await refusal(response);
  const gathered = new Gathered(question);
  const frames = new Frames(mostBytes);
  try {
    for await (const chunk of response.body)
      for (const { data } of frames.push(chunk).events) {
        if (data === "[DONE]") return gathered.answer();
        gathered.take(fieldsOf(parsed(data)));
      }
  } catch (thrown) {
    question.signal.throwIfAborted();
    throw thrown instanceof ModelError ? thrown : new ModelError("The answer broke off.", 0, "cut");
  }
  throw new ModelError("The answer broke off.", 0, "cut");
}

async function send(question: Question): Promise<Response> {
  const { modelUrl, key, model, messages, tools, conversation, headers, signal } = question;
  try {
    return await fetch(`${modelUrl}/v1/chat/completions`, {
      method: "POST",
      signal,
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${key}`,
        ...(conversation === undefined ? {} : { "x-session-id": conversation }),
        ...headers,
      },
      body: JSON.stringify({
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        tools: tools.map(declared),
      }),
    });
  } catch (thrown) {
    signal.throwIfAborted();
    throw new ModelError(reasonOf(thrown), 0, "unreachable");
  }
}

/** The system's error message, such as `connect ECONNREFUSED 127.0.0.1:80`. */
function reasonOf(thrown: unknown): string {
  const { cause } = thrown as { cause?: { message?: string; code?: string } };
  return cause?.message || cause?.code || "The service cannot be reached.";
}

function declared({ name, description, required = [], optional = [] }: LoopTool): object {
  const properties = Object.fromEntries([...required, ...optional].map((input) => [input, {}]));
  return { type: "function", function: { name, description, parameters: { type: "object", properties, required } } };
}

async function refusal(response: Response): Promise<ModelError> {
  const body = await response.text();
  const error = fieldsOf(fieldsOf(parsed(body))["error"]);
  const after = Number(response.headers.get("retry-after") ?? Number.NaN);
  const message = textOf(error["message"]) || `The service answered ${response.status}.`;
  const kind = textOf(error["code"]) || textOf(error["type"]);
  return new ModelError(message, response.status, kind, Number.isNaN(after) ? undefined : after);
}

class Gathered {
  readonly #question: Question;
  readonly #calls: { id: string; name: string; spelled: string }[] = [];
  #text = "";
  #thought = "";
  #finish = "stop";
  #usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

  constructor(question: Question) {
    this.#question = question;
  }

  take(chunk: Fields): void {
    const error = fieldsOf(chunk["error"]);
    if (chunk["error"] !== undefined)
      throw new ModelError(textOf(error["message"]) || "The stream ended in an error.", 0, textOf(error["type"]));
    if (chunk["usage"] !== undefined && chunk["usage"] !== null) this.#usage = usageOf(fieldsOf(chunk["usage"]));
    const choice = fieldsOf(listOf(chunk["choices"])[0]);
    const delta = fieldsOf(choice["delta"]);
    const text = textOf(delta["content"]);
    const thought = textOf(delta["reasoning_content"]);
    this.#text += text;
    this.#thought += thought;
    if (thought !== "") this.#question.onThought(thought);
    if (text !== "") this.#question.onText(text);
    for (const piece of listOf(delta["tool_calls"])) this.#call(fieldsOf(piece));
    if (typeof choice["finish_reason"] === "string") this.#finish = choice["finish_reason"];
  }

  #call(piece: Fields): void {
    const spelled = fieldsOf(piece["function"]);
    const call = (this.#calls[numberOf(piece["index"])] ??= { id: "", name: "", spelled: "" });
    call.id ||= textOf(piece["id"]);
    call.name ||= textOf(spelled["name"]);
    call.spelled += textOf(spelled["arguments"]);
  }

  answer(): Answer {
    const calls = this.#calls.map(({ id, name, spelled }): SpelledCall => ({
      id,
      type: "function",
      function: { name, arguments: spelled },
    }));
    return { text: this.#text, thought: this.#thought, calls, finish: this.#finish, usage: this.#usage };
  }
}

function usageOf(usage: Fields): Usage {
  const details = fieldsOf(usage["prompt_tokens_details"]);
  const cacheRead = numberOf(details["cached_tokens"]);
  const cacheWrite = numberOf(details["cache_write_tokens"]);
  const input = numberOf(usage["prompt_tokens"]) - cacheRead - cacheWrite;
  return { input, output: numberOf(usage["completion_tokens"]), cacheRead, cacheWrite };
}
