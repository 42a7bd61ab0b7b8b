/**
 * The loop of a small, real agent: it asks the model, runs the tools and repeats until the model calls none. A stand-in decides what to
 * print and whom to ask before a tool runs: it wraps `useTool` and listens to callbacks.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { askModel } from "./ask-model.ts";
import { fieldsOf, parsed } from "./fields.ts";
import { ModelError } from "./model-error.ts";
import { RepeatedText } from "./repeated-text.ts";
import type { Answer, ChatMessage, LoopCall, LoopTool, SpelledCall, ToolResult, Usage } from "./types.ts";

export interface LoopOptions {
  readonly modelUrl: string;
  readonly key: string;
  readonly model: string;
  readonly cwd: string;
  /** The loop appends new messages. */
  readonly messages: ChatMessage[];
  readonly tools: readonly LoopTool[];
  readonly signal: AbortSignal;
  /** Distinguishes conversations with the same messages. */
  readonly conversation?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How often a request is repeated after a temporary failure. Default: never. */
  readonly retries?: number | undefined;
  readonly retryDelayMs?: number | undefined;
  readonly onText?: ((piece: string) => void) | undefined;
  readonly onThought?: ((piece: string) => void) | undefined;
  /** Called when an answer is complete and before its tools run. */
  readonly onAnswer?: ((answer: Answer) => void | Promise<void>) | undefined;
  readonly onRetry?: ((attempt: number, error: ModelError) => void | Promise<void>) | undefined;
  /** Wraps every tool call. It may skip `run` or call it with a changed input. Default: runs the tool. */
  readonly useTool?:
    | ((call: LoopCall, run: (input?: LoopCall["input"]) => Promise<ToolResult>) => Promise<ToolResult>)
    | undefined;
  /** Called when the model is done; returns a further message to it, for example that background work has ended. */
  readonly furtherWords?: (() => Promise<string | undefined>) | undefined;
}

export interface LoopResult {
  readonly texts: readonly string[];
  readonly stop: "end" | "max_tokens" | "refusal";
  readonly usage: Usage;
}

/** Throws a ModelError when the request fails, and the signal's reason when aborted. */
export async function runLoop(options: LoopOptions): Promise<LoopResult> {
  const texts: string[] = [];
  let usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for (;;) {
    const answer = await answerOf(options);
    if (answer.text !== "") texts.push(answer.text);
    usage = sumOf(usage, answer.usage);
    const { text, calls } = answer;
    options.messages.push({ role: "assistant", content: text, ...(calls.length === 0 ? {} : { tool_calls: calls }) });
    await options.onAnswer?.(answer);
    if (calls.length > 0) {
      await useTools(options, calls);
      continue;
    }
    const stop = answer.finish === "length" ? "max_tokens" : answer.finish === "content_filter" ? "refusal" : "end";
    const further = stop === "end" ? await options.furtherWords?.() : undefined;
    options.signal.throwIfAborted();
    if (further === undefined) return { texts, stop, usage };
    options.messages.push({ role: "user", content: further });
  }
}

async function answerOf(options: LoopOptions): Promise<Answer> {
  const { modelUrl, key, model, messages, tools, conversation, headers = {}, signal, retries = 0 } = options;
  const said = new RepeatedText((piece) => options.onText?.(piece));
  const thought = new RepeatedText((piece) => options.onThought?.(piece));
  for (let attempt = 1; ; attempt++) {
    said.begin();
    thought.begin();
    try {
      return await askModel({
        ...{ modelUrl, key, model, messages, tools, conversation, headers, signal },
        onText: (piece) => said.add(piece),
        onThought: (piece) => thought.add(piece),
      });
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof ModelError) || !thrown.mayPass || attempt > retries) throw thrown;
      await options.onRetry?.(attempt, thrown);
      await sleep(options.retryDelayMs ?? 0, undefined, { signal });
    }
  }
}

/** Runs the tools in parallel; the model receives every result, even when the turn was ended meanwhile. */
async function useTools(options: LoopOptions, calls: readonly SpelledCall[]): Promise<void> {
  const results = await Promise.allSettled(calls.map((call) => useTool(options, call)));
  for (const [index, result] of results.entries()) {
    const content = result.status === "fulfilled" ? result.value.text : "The turn was ended before this was done.";
    options.messages.push({ role: "tool", tool_call_id: calls[index]?.id ?? "", content });
  }
  options.signal.throwIfAborted();
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function useTool(options: LoopOptions, spelled: SpelledCall): Promise<ToolResult> {
  const { name } = spelled.function;
  const given = parsed(spelled.function.arguments || "{}");
  const call: LoopCall = { id: spelled.id, name, input: fieldsOf(given) };
  const tool = options.tools.find((candidate) => candidate.name === name);
  const run = async (input = call.input): Promise<ToolResult> => {
    options.signal.throwIfAborted();
    if (tool === undefined) return { ok: false, text: `There is no tool ${name}.` };
    if (given === undefined) return { ok: false, text: "The input is no JSON." };
    const missing = tool.required?.find((key) => input[key] === undefined);
    if (missing !== undefined) return { ok: false, text: `The input has no ${missing}.` };
    try {
      return await tool.run(input, { cwd: options.cwd, signal: options.signal, call });
    } catch (thrown) {
      options.signal.throwIfAborted();
      return { ok: false, text: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  };
  return options.useTool?.(call, run) ?? run();
}

const sumOf = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  output: one.output + other.output,
  cacheRead: one.cacheRead + other.cacheRead,
  cacheWrite: one.cacheWrite + other.cacheWrite,
});
