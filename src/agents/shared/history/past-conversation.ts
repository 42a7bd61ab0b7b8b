/** A past conversation, built line by line: facts for the list, and its turns. Most agents do not record where a turn ended. */
import type { ErrorInfo } from "../../../events/errors.ts";
import type { AgentEvent, AttachmentRef, Outcome } from "../../../events/types.ts";
import type { PastEvent, PastPrompt, PastSession } from "../../contract.ts";

export class PastConversation {
  id: string | undefined;
  cwd: string | undefined;
  title: string | undefined;
  model: string | undefined;
  agentVersion: string | undefined;
  /** Conversations of subagents are not listed: their results are in the conversation that started them. */
  ofSubagent = false;
  /** Number of prompts and answers. */
  messages = 0;
  readonly #seen = new Set<string>();
  #createdAt: string | undefined;
  #updatedAt: string | undefined;
  #out: PastEvent[] = [];
  #open = false;
  /** The last thing in the turn was an answer. */
  #answered = false;
  /** The last thing in the turn was a cancelled call. */
  #cancelled = false;
  #time: string | undefined;
  #last: string | undefined;
  #texts = 0;

  constructor(cwd?: string) {
    this.cwd = cwd;
  }

  /** Undefined for a conversation without any message, or when its folder or time is unknown. */
  listed(state: (id: string) => string): Omit<PastSession, "place"> | undefined {
    const { id, cwd, title, model, agentVersion, messages, ofSubagent } = this;
    const [createdAt, updatedAt] = [this.#createdAt, this.#updatedAt];
    if (id === undefined || cwd === undefined || createdAt === undefined || updatedAt === undefined) return undefined;
    if (ofSubagent || messages === 0) return undefined;
    return { id, state: state(id), cwd, title, createdAt, updatedAt, messages, model, agentVersion };
  }

  /** True when a line with this id comes for the first time: a resumed conversation may repeat lines. */
  isNew(id: string | undefined): id is string {
    if (id === undefined || this.#seen.has(id)) return false;
    this.#seen.add(id);
    return true;
  }

  /** Sets the time of the events that follow. */
  at(time: string | undefined): this {
    this.#time = time ?? this.#time;
    if (time === undefined || Number.isNaN(Date.parse(time))) return this;
    this.#createdAt ??= time;
    this.#updatedAt = time;
    return this;
  }

  prompt(prompt: PastPrompt): void {
    this.over();
    this.messages++;
    this.#last = this.#time;
    this.#out.push({ time: this.#time, prompt });
    this.#open = true;
    this.#answered = false;
    this.#cancelled = false;
  }

  message(text: string): void {
    if (text.trim() === "") return;
    this.messages++;
    this.event({ type: "message.completed", messageId: `past${++this.#texts}`, text });
    this.#answered = true;
  }

  thought(text: string): void {
    if (text.trim() === "") return;
    this.event({ type: "thought.completed", messageId: `past${++this.#texts}`, text });
  }

  event(event: AgentEvent): void {
    if (event.type === "tool.held") return;
    this.#push(event);
    if (event.type.startsWith("tool.")) this.#answered = false;
    if (!/^(?:message|thought|tool)\./.test(event.type)) return;
    this.#cancelled = event.type === "tool.failed" && event.reason === "cancelled";
    this.#open = true;
  }

  end(outcome: Outcome, error?: ErrorInfo): void {
    if (!this.#open) return;
    this.#open = false;
    this.#push({ type: "turn.ended", outcome, error });
  }

  /** Ends a turn without a recorded end: done when it has an answer. Uses the time of its last event, not of the next prompt. */
  over(): void {
    const now = this.#time;
    this.#time = this.#last;
    if (this.#answered) this.end("done");
    else if (this.#cancelled) this.end("cancelled");
    else this.end("interrupted", unended);
    this.#time = now;
  }

  unread(count: number): void {
    if (count === 0) return;
    const what = count === 1 ? "A part of the saved conversation" : `${count} parts of the saved conversation`;
    this.#push({ type: "notice", level: "warning", code: "unparsed", message: `${what} could not be read.`, count });
  }

  take(): readonly PastEvent[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #push(event: Exclude<AgentEvent, { type: "tool.held" }>): void {
    this.#last = this.#time;
    this.#out.push({ time: this.#time, event });
  }
}

const unended: ErrorInfo = {
  code: "cancelled",
  message: "The saved conversation does not say how the turn ended.",
  retryable: true,
};

/** Undefined when the user wrote nothing and attached nothing. Most history files do not keep the names of images. */
export function pastPrompt(said: readonly string[], images: number, files: readonly AttachmentRef[] = []) {
  const attachments = [...Array.from({ length: images }, () => ({ kind: "image", name: "image" }) as const), ...files];
  if (said.length === 0 && attachments.length === 0) return undefined;
  return { text: said.join("\n"), ...(attachments.length > 0 ? { attachments } : {}) } satisfies PastPrompt;
}
