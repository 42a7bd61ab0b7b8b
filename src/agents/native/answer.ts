/** One request to the model and its answer: said as it comes, tried again where that can help. */
import type { CallWarning, ContentPart, ModelMessage, ToolSet } from "ai";
import { isReinsError } from "../../events/errors.ts";
import type { AgentEvent, Tokens } from "../../events/types.ts";
import { orEnd } from "../shared/endings.ts";
import { answerMessage } from "./answer-message.ts";
import { serviceError } from "./errors.ts";
import { languageModel, warningsOf } from "./language-model.ts";
import { requestOf } from "./request.ts";
import type { ModelRequest } from "./request.ts";
import { delayFor, waitVisibly } from "./retry.ts";
import { AnswerTranslator } from "./translate.ts";
import type { Turn } from "./turn.ts";
import { tokensOf } from "./usage.ts";

/** A call the model made. */
export interface ModelCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

export interface ModelAnswer {
  readonly messages: readonly ModelMessage[];
  readonly calls: readonly ModelCall[];
  /** `stop`, `tool-calls`, `length`, `content-filter`, ... */
  readonly finish: string;
  readonly text: string;
  readonly tokens: Tokens;
}

/** `cut` gets what was said of an answer that is not to be finished any more. */
export async function askModel(
  turn: Turn,
  request: ModelRequest,
  cut: (text: string) => Promise<void>,
): Promise<ModelAnswer> {
  for (let failures = 1; ; failures++) {
    const translator = new AnswerTranslator((kind) => turn.newId(kind), turn.desk.options.raw === true);
    try {
      await turn.emit({ type: "turn.phase", phase: "model" });
      return await attempt(turn, request, translator);
    } catch (thrown) {
      const error = isReinsError(thrown) ? thrown : serviceError(thrown, turn.desk.model.endpoint);
      const delay = turn.signal.aborted ? undefined : delayFor(error, failures, Date.now());
      if (delay === undefined) {
        const { text } = translator;
        closeAll(turn, translator.complete());
        await cut(text);
        turn.signal.throwIfAborted();
        throw error;
      }
      closeAll(turn, translator.discard());
      await waitVisibly(turn, error, failures, delay);
    }
  }
}

async function attempt(turn: Turn, request: ModelRequest, translator: AnswerTranslator): Promise<ModelAnswer> {
  const { sdk, model } = await languageModel(turn.desk.model, turn.desk.fetch);
  let content: readonly ContentPart<ToolSet>[] = [];
  // One call and nothing around it: the loop, its tools and trying again are our own.
  const asked = sdk.experimental_streamLanguageModelCall({
    ...requestOf(sdk, request),
    model,
    abortSignal: turn.signal,
    onLanguageModelCallEnd: (end) => void (content = end.content),
  });
  const reader = (await orEnd(turn.signal, asked)).stream.getReader();
  // Whoever cancels does not wait for a service that does not mind it.
  const leave = (): void => void reader.cancel().catch(() => {});
  turn.signal.addEventListener("abort", leave, { once: true });
  const calls: ModelCall[] = [];
  let finish: { reason: string; tokens: Tokens } | undefined;
  try {
    for (;;) {
      const { done, value: part } = await reader.read();
      if (done) break;
      for (const event of translator.take(part)) {
        const room = turn.emit(event);
        if (room !== undefined) await room;
      }
      if (part.type === "model-call-start") tell(turn, part.warnings);
      if (part.type === "error") throw part.error;
      if (part.type === "tool-call")
        calls.push({ toolCallId: part.toolCallId, toolName: part.toolName, input: part.input });
      if (part.type === "model-call-end") finish = { reason: part.finishReason, tokens: tokensOf(part.usage) };
    }
  } finally {
    turn.signal.removeEventListener("abort", leave);
    leave();
  }
  turn.signal.throwIfAborted();
  // Some services end a broken answer as if it were whole.
  if (finish === undefined || finish.reason === "error" || finish.reason === "interrupted")
    throw new Error("The answer was interrupted.");
  const { text } = translator;
  closeAll(turn, translator.complete());
  const message = answerMessage(content);
  return { messages: message ? [message] : [], calls, text, finish: finish.reason, tokens: finish.tokens };
}

function tell(turn: Turn, warnings: readonly CallWarning[]): void {
  for (const one of warningsOf(turn.desk.model.endpoint, warnings)) diverge(turn, one);
}

/** Once a session: the same is true of every request. */
function diverge(turn: Turn, message: string): void {
  if (turn.desk.divergences.has(message)) return;
  turn.desk.divergences.add(message);
  turn.close({ type: "notice", level: "warning", code: "divergence", message });
}

function closeAll(turn: Turn, events: readonly AgentEvent[]): void {
  for (const event of events) turn.close(event);
}
