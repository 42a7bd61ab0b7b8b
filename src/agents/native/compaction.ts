/** Replaces a conversation that no longer fits by a summary. */
import type { ModelMessage } from "ai";
import { ReinsError } from "../../events/errors.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { contextSize } from "./endpoints.ts";
import { serviceError } from "./failures.ts";
import { languageModel, silently, requestOf } from "./model-call.ts";
import type { Turn } from "./turn.ts";
import { reading, tokensOf } from "./usage.ts";

/** Above this there is hardly room for another answer and the results of its tools. */
const nearlyFull = 0.85;

const instructions = `You summarise a conversation between a person and a coding agent, for the agent to go on from.
Keep what the person wants, in their words where they matter; what was found out and decided; which files were changed and how; what is left to do.
Leave out what no longer matters. Write plain Markdown, and nothing around it.`;

const request = "Summarise the conversation so far.";

export function isNearlyFull({ context }: Turn): boolean {
  const size = contextSize(context.model, context.env);
  return size !== undefined && (context.usage.context?.used ?? 0) > size * nearlyFull;
}

export function canCompact({ context }: Turn): boolean {
  return context.transcript.messages.some(({ role }) => role === "assistant");
}

export async function compact(turn: Turn, trigger: "auto" | "manual"): Promise<void> {
  const { context } = turn;
  const before = context.usage.context?.used;
  await turn.emit({ type: "turn.phase", phase: "compact" });
  const { messages } = context.transcript;
  // The last prompt is not summarised.
  const prompt = messages.at(-1)?.role === "user" ? messages.at(-1) : undefined;
  const { text, after } = await summarise(turn, prompt === undefined ? messages : messages.slice(0, -1));
  await context.transcript.compact(summaryMessages(text, trigger, prompt));
  context.usage.context = undefined;
  const event: AgentEventOf<"context.compacted"> = { type: "context.compacted", trigger, after };
  if (before !== undefined) event.before = before;
  await turn.emit(event);
}

/** Roles alternate, with the user's last when the model is to speak: some services accept nothing else. */
function summaryMessages(text: string, trigger: "auto" | "manual", last: ModelMessage | undefined): ModelMessage[] {
  const summary = `The conversation so far, summarised:\n\n${text}`;
  if (trigger === "auto" && last === undefined)
    return [{ role: "user", content: `${summary}\n\nGo on with the work.` }];
  const begun: ModelMessage[] = [
    { role: "user", content: summary },
    { role: "assistant", content: "I go on from there." },
  ];
  return last === undefined ? begun : [...begun, last];
}

async function summarise(turn: Turn, messages: readonly ModelMessage[]): Promise<{ text: string; after: number }> {
  const { context } = turn;
  const model = await languageModel(context.model, context.fetch);
  const { sdk } = model;
  const asked = { model: context.model, instructions, tools: [], messages: spoken(messages), env: {} };
  try {
    const { text, usage } = await sdk.generateText({
      ...requestOf(sdk, asked),
      model: silently(model),
      maxRetries: 1,
      abortSignal: turn.signal,
    });
    const tokens = tokensOf(usage);
    context.usage.add(reading(context.model.name, tokens));
    if (text.trim() === "") throw new ReinsError("context_too_long", "The conversation could not be summarised.");
    return { text, after: tokens.output };
  } catch (thrown) {
    turn.signal.throwIfAborted();
    throw thrown instanceof ReinsError ? thrown : serviceError(thrown, context.model.endpoint);
  }
}

/** A summary needs only the beginning of an output. */
const outputChars = 2_000;

/** The conversation as one text: services would refuse calls without their tools, and calls no longer matter. */
function spoken(messages: readonly ModelMessage[]): ModelMessage[] {
  const lines = messages.flatMap(({ role, content }) => {
    if (typeof content === "string") return [`${role}: ${content}`];
    return content.flatMap((part) => {
      if (part.type === "text") return [`${role}: ${part.text}`];
      if (part.type === "tool-call") return [`call of ${part.toolName}: ${short(JSON.stringify(part.input))}`];
      if (part.type !== "tool-result") return [];
      return [`result of ${part.toolName}: ${short(JSON.stringify("value" in part.output ? part.output.value : ""))}`];
    });
  });
  return [{ role: "user", content: `${lines.join("\n\n")}\n\n${request}` }];
}

function short(text: string): string {
  return text.length > outputChars ? `${text.slice(0, outputChars)}…` : text;
}
