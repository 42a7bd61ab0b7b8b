/** Messages of a conversation with a model: what is made of them before they are sent or written down. */
import type { ModelMessage } from "ai";
import type { Redactor } from "../../events/redact.ts";
import type { HistoryMessage } from "../contract.ts";

export function historyMessages(history: readonly HistoryMessage[] = []): ModelMessage[] {
  return history
    .filter(({ text }) => text.trim() !== "")
    .map(({ role, text }) => ({ role: role === "person" ? "user" : "assistant", content: text }));
}

/** A result for every call that has none. */
export function resultsFor(messages: readonly ModelMessage[], reason: string): ModelMessage[] {
  const open = new Map<string, string>();
  for (const { role, content } of messages) {
    if (typeof content === "string") continue;
    for (const part of content) {
      if (role === "assistant" && part.type === "tool-call") open.set(part.toolCallId, part.toolName);
      if (part.type === "tool-result") open.delete(part.toolCallId);
    }
  }
  return [...open].map(([toolCallId, toolName]) => toolMessage({ toolCallId, toolName }, reason, true));
}

export function toolMessage(
  call: { readonly toolCallId: string; readonly toolName: string },
  text: string,
  failed: boolean,
): ModelMessage {
  const { toolCallId, toolName } = call;
  const output = { type: failed ? ("error-text" as const) : ("text" as const), value: text };
  return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output }] };
}

interface Part {
  readonly type: string;
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * As this service takes it: what another one signed or added for itself means nothing to it, and some refuse it. News of a service
 * are not said to it again. Undefined when nothing is left.
 */
export function messageFor(service: string, message: ModelMessage): ModelMessage | undefined {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const parts = message.content as readonly Part[];
  // Most are as anybody takes them, and every request looks at the whole conversation.
  if (parts.length > 0 && !parts.some(isOfService)) return message;
  const content = parts.flatMap((part) => {
    if (part.type === "custom") return [];
    if (part.providerOptions === undefined) return [part];
    const { providerOptions, ...rest } = part;
    const own = providerOptions[service];
    // A thought is taken back by the one that signed it, or that signs none.
    if (part.type === "reasoning" && own === undefined) return [];
    return [own === undefined ? rest : { ...rest, providerOptions: { [service]: own } }];
  });
  return content.length === 0 ? undefined : ({ ...message, content } as ModelMessage);
}

function isOfService({ type, providerOptions }: Part): boolean {
  return type === "custom" || providerOptions !== undefined;
}

/** Without secrets. Signatures and pictures stay as they are: they would no longer be any. */
export function redactedMessage(message: ModelMessage, redact: Redactor): ModelMessage {
  if (typeof message.content === "string") return { ...message, content: redact(message.content) } as ModelMessage;
  const content = message.content.map((part) => {
    if (part.type === "image" || part.type === "file") return part;
    const { providerOptions, ...rest } = part as { providerOptions?: unknown };
    const shown = redact.deep(rest);
    return providerOptions === undefined ? shown : { ...shown, providerOptions };
  });
  return { ...message, content } as ModelMessage;
}
