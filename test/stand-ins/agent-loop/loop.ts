/**
 * The loop of a small, real agent: the model is asked, its tools are used, it is asked again until it calls none. What the stand-in prints about
 * it, and whom it asks before a tool runs, is its own affair: it wraps `useTool` and listens.
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
  /** Grows by what is said. */
  readonly messages: ChatMessage[];
  readonly tools: readonly LoopTool[];
  readonly signal: AbortSignal;
  /** Tells conversations with the same words apart. */
  readonly conversation?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How often a request that failed for a passing reason is sent again. Default: never. */
  readonly retries?: number | undefined;
  readonly retryDelayMs?: number | undefined;
  readonly onText?: ((piece: string) => void) | undefined;
  readonly onThought?: ((piece: string) => void) | undefined;
  /** An answer is whole; its tools are not used yet. */
  readonly onAnswer?: ((answer: Answer) => void | Promise<void>) | undefined;
  readonly onRetry?: ((attempt: number, error: ModelError) => void | Promise<void>) | undefined;
  /** Around every use of a tool. `run` may be left out, or given a changed input. Default: it is simply run. */
  readonly useTool?:
    | ((call: LoopCall, run: (input?: LoopCall["input"]) => Promise<ToolResult>) => Promise<ToolResult>)
    | undefined;
  /** Asked when the model has no more to do: further words to it, such as that something in the background has ended. */
  readonly furtherWords?: (() => Promise<string | undefined>) | undefined;
}

export interface LoopResult {
  /** All that was said, in order. */
  readonly texts: readonly string[];
  readonly stop: "end" | "max_tokens" | "refusal";
  readonly usage: Usage;
}

/** Throws a ModelError where the model cannot be asked, and the signal's reason when it is aborted. */
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

/** At once, as far as each lets the others; the model gets every result, also where the turn was ended meanwhile. */
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
