/** Translates the stream of a model to events. Does no I/O and never throws. */
import type { AgentEvent } from "../../events/types.ts";

export interface StreamPart {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly text?: unknown;
}

type Kind = "message" | "thought";

interface Run {
  readonly kind: Kind;
  readonly messageId: string;
  text: string;
}

const spoken: ReadonlyMap<unknown, readonly [kind: Kind, what: "start" | "delta" | "end"]> = new Map([
  ["text-start", ["message", "start"]],
  ["text-delta", ["message", "delta"]],
  ["text-end", ["message", "end"]],
  ["reasoning-start", ["thought", "start"]],
  ["reasoning-delta", ["thought", "delta"]],
  ["reasoning-end", ["thought", "end"]],
]);

/** Known parts that are reported elsewhere (calls, usage, errors) or need no event. */
export const ignored: ReadonlySet<unknown> = new Set([
  ...["model-call-start", "model-call-response-metadata", "model-call-end", "error", "ping", "raw", "custom"],
  ...["source", "file", "reasoning-file", "tool-input-start", "tool-input-delta", "tool-input-end"],
  ...["tool-call", "tool-result", "tool-error"],
]);

/**
 * An answer of a model. A text is completed only with the whole answer: a cut answer is requested again, and its text
 * must not appear twice.
 */
export class AnswerTranslator {
  readonly #newId: (kind: Kind) => string;
  readonly #raw: boolean;
  readonly #runs = new Map<string, Run>();
  readonly #strange = new Set<string>();

  constructor(newId: (kind: Kind) => string, raw = false) {
    this.#newId = newId;
    this.#raw = raw;
  }

  /** The text so far, without thoughts. */
  get text(): string {
    const texts = [...this.#runs.values()].filter(({ kind }) => kind === "message").map(({ text }) => text);
    return texts.join("\n\n");
  }

  take(given: unknown): AgentEvent[] {
    const part: StreamPart = typeof given === "object" && given !== null ? given : {};
    const known = spoken.get(part.type);
    if (known === undefined) return ignored.has(part.type) ? [] : this.#unparsed(String(part.type));
    const [kind, what] = known;
    const key = `${kind} ${String(part.id)}`;
    switch (what) {
      case "start":
        return this.#end(key);
      case "delta":
        return typeof part.text === "string" && part.text !== "" ? [this.#delta(key, kind, part.text, part)] : [];
      default:
        return kind === "thought" ? this.#end(key) : [];
    }
  }

  complete(): AgentEvent[] {
    return [...this.#runs.keys()].flatMap((key) => this.#end(key));
  }

  discard(): AgentEvent[] {
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    return runs.map(({ messageId }) => ({ type: "message.discarded", messageId, reason: "retry" }));
  }

  #delta(key: string, kind: Kind, text: string, part: StreamPart): AgentEvent {
    const run = this.#runs.get(key) ?? { kind, messageId: this.#newId(kind), text: "" };
    this.#runs.set(key, run);
    run.text += text;
    const event: AgentEvent = { type: `${kind}.delta`, messageId: run.messageId, text };
    return this.#raw ? { ...event, raw: part } : event;
  }

  #end(key: string): AgentEvent[] {
    const run = this.#runs.get(key);
    this.#runs.delete(key);
    return run === undefined ? [] : [{ type: `${run.kind}.completed`, messageId: run.messageId, text: run.text }];
  }

  #unparsed(type: string): AgentEvent[] {
    if (this.#strange.has(type)) return [];
    this.#strange.add(type);
    const message = `The model's answer had a part of a kind that Reins does not know: ${type}.`;
    return [{ type: "notice", level: "warning", code: "unparsed", message }];
  }
}
