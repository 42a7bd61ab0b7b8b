/**
 * A conversation as it is sent, and its file: one line per message, written before it takes effect. A kill may tear the
 * last line and leave calls without results; both are repaired when the file is read again.
 */
import type { ModelMessage, UserModelMessage } from "ai";
import { appendFileSync } from "node:fs";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { HistoryMessage, PromptInput } from "../contract.ts";
import type { Environment } from "./endpoints.ts";
import { attachedTo } from "../shared/program/attachments.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Redactor } from "../../events/redact.ts";
import { stateHome } from "../../process/home.ts";
import { parseJson, records } from "../../protocols/json.ts";

type Line =
  | { readonly v: 1; readonly id: string; readonly cwd: string; readonly time: string }
  | { readonly message: ModelMessage }
  | { readonly compacted: readonly ModelMessage[] };

export function sessionsFolder(env: Environment): string {
  return join(stateHome(env), "native");
}

function fileOf(env: Environment, id: string): string {
  return join(sessionsFolder(env), `${id}.ndjson`);
}

interface Remembered {
  readonly id: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly redact: Redactor;
  /** Earlier messages that are not yet in the file. */
  readonly before?: readonly ModelMessage[];
  readonly written?: readonly ModelMessage[];
}

/** In characters. */
const shortText = 16 * 1024;

export class Transcript {
  readonly id: string;
  readonly #o: Remembered;
  readonly #path: string;
  #messages: ModelMessage[];
  /** The number of messages that are known to have a result for each call. */
  #settled = 0;
  /** Lines to write with the first message, so that a session without one leaves no file. */
  #waiting: Line[] = [];

  constructor(options: Remembered) {
    const { id, cwd, before = [], written } = options;
    this.id = id;
    this.#o = options;
    this.#path = fileOf(options.env, id);
    this.#messages = [...(written ?? []), ...before];
    if (written !== undefined) return;
    this.#waiting = [
      { v: 1, id, cwd, time: new Date().toISOString() },
      ...before.map((message): Line => ({ message })),
    ];
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  async add(...messages: readonly ModelMessage[]): Promise<void> {
    if (messages.length === 0) return;
    this.#messages.push(...messages);
    await this.#write(messages.map((message): Line => ({ message })));
  }

  async compact(messages: readonly ModelMessage[]): Promise<void> {
    this.#messages = [...messages];
    this.#settled = 0;
    await this.#write([{ compacted: messages }]);
  }

  /** Adds a result to every call without one: services refuse a conversation that lacks some. */
  async settle(reason: string): Promise<void> {
    const results = resultsFor(this.#messages.slice(this.#settled), reason);
    this.#settled = this.#messages.length + results.length;
    await this.add(...results);
  }

  async #write(lines: readonly Line[]): Promise<void> {
    const path = this.#path;
    if (this.#waiting.length > 0) await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const all = [...this.#waiting, ...lines].map((line) => `${JSON.stringify(this.#redacted(line))}\n`).join("");
    this.#waiting = [];
    // A turn waits for the write, and passing a short text to another thread takes longer than writing it (bench native-warm-turn).
    if (all.length <= shortText) appendFileSync(path, all, { mode: 0o600 });
    else await appendFile(path, all, { mode: 0o600 });
  }

  #redacted(line: Line): Line {
    const { redact } = this.#o;
    if ("message" in line) return { message: redactedMessage(line.message, redact) };
    return "compacted" in line ? { compacted: line.compacted.map((one) => redactedMessage(one, redact)) } : line;
  }
}

/** Throws `session_not_found`. */
export async function readTranscript(env: Environment, id: string): Promise<ModelMessage[]> {
  const path = fileOf(env, id);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined)
    throw new ReinsError("session_not_found", `There is no conversation ${id} on this machine.`, {
      agent: "native",
      help: "Start a new session, or resume it where it was begun.",
    });
  let messages: ModelMessage[] = [];
  for (const said of records(text.split("\n").map((line) => parseJson(line))) as readonly Line[]) {
    if ("compacted" in said) messages = [...said.compacted];
    else if ("message" in said) messages.push(said.message);
  }
  // The next line must not continue a torn one.
  if (text !== "" && !text.endsWith("\n")) await appendFile(path, "\n");
  return messages;
}

export function historyMessages(history: readonly HistoryMessage[] = []): ModelMessage[] {
  return history
    .filter(({ text }) => text.trim() !== "")
    .map(({ role, text }) => ({ role: role === "person" ? "user" : "assistant", content: text }));
}

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
 * The message as this service accepts it, without what another service signed or added, which some services refuse.
 * Notices of a service are not sent back. Undefined when nothing is left.
 */
export function messageFor(service: string, message: ModelMessage): ModelMessage | undefined {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const parts = message.content as readonly Part[];
  if (parts.length > 0 && !parts.some(isOfService)) return message;
  const content = parts.flatMap((part) => {
    if (part.type === "custom") return [];
    if (part.providerOptions === undefined) return [part];
    const { providerOptions, ...rest } = part;
    const own = providerOptions[service];
    // A thought is only for the service that signed it.
    if (part.type === "reasoning" && own === undefined) return [];
    return [own === undefined ? rest : { ...rest, providerOptions: { [service]: own } }];
  });
  return content.length === 0 ? undefined : ({ ...message, content } as ModelMessage);
}

function isOfService({ type, providerOptions }: Part): boolean {
  return type === "custom" || providerOptions !== undefined;
}

/** Redacts secrets. Signatures and images would break, so they stay as they are. */
function redactedMessage(message: ModelMessage, redact: Redactor): ModelMessage {
  if (typeof message.content === "string") return { ...message, content: redact(message.content) } as ModelMessage;
  const content = message.content.map((part) => {
    if (part.type === "image" || part.type === "file") return part;
    const { providerOptions, ...rest } = part as { providerOptions?: unknown };
    const shown = redact.deep(rest);
    return providerOptions === undefined ? shown : { ...shown, providerOptions };
  });
  return { ...message, content } as ModelMessage;
}

export async function userMessage(input: PromptInput, cwd: string, maxBytes: number): Promise<UserModelMessage> {
  const { texts, images } = await attachedTo(input, cwd, maxBytes);
  if (texts.length + images.length === 0) return { role: "user", content: input.text };
  return {
    role: "user",
    content: [
      ...images.map(({ mediaType, data }) => ({ type: "file" as const, mediaType, data })),
      ...[...texts, input.text].filter((text) => text.trim() !== "").map((text) => ({ type: "text" as const, text })),
    ],
  };
}
