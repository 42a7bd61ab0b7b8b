/** The shared part of the translators of Claude Code and agents derived from it. Does no I/O, and no line makes it throw (law 6). */
import type { AgentEvent } from "../../events/types.ts";
import { isRecord, type JsonObject } from "../../protocols/json.ts";
import { Unparsed } from "../../protocols/stream-json/unparsed.ts";
import type { SessionFactsOptions } from "./stream-json-facts.ts";
import { nothing } from "./translator-parts.ts";

export interface TranslatorOptions extends SessionFactsOptions {
  /** Prefix of every messageId, which must be unique in the session. */
  readonly prefix: string;
  readonly raw?: boolean | undefined;
  readonly now?: (() => number) | undefined;
}

export abstract class StreamJsonTranslator {
  protected readonly keepsRaw: boolean;
  protected readonly unparsed: Unparsed;
  readonly #ignored: ReadonlySet<string>;
  #spoke = false;

  /** `ignored`: known messages that need no event, by type or by type and subtype. */
  constructor(name: string, { raw }: TranslatorOptions, ignored: readonly string[]) {
    this.keepsRaw = raw === true;
    this.unparsed = new Unparsed(name);
    this.#ignored = new Set([...controlMessages, ...ignored]);
  }

  protected abstract message(message: JsonObject): readonly AgentEvent[];

  /** True when the program printed something and no line was a message. */
  get onlyGarbage(): boolean {
    return !this.#spoke && this.unparsed.garbage > 0;
  }

  /** Translates one parsed message. Takes a line that is not JSON as a string. */
  translate(message: unknown): readonly AgentEvent[] {
    try {
      if (!isRecord(message)) return this.#withRaw(this.unparsed.line(message), message);
      if (typeof message["type"] === "string") this.#spoke = true;
      return this.#withRaw(this.message(message), message);
    } catch {
      return this.unparsed.saw("a message that could not be read");
    }
  }

  protected unknown(message: JsonObject, type: string): readonly AgentEvent[] {
    if (typeof message["type"] !== "string") return this.unparsed.line(message);
    return this.#ignored.has(type) ? nothing : this.unparsed.saw(`a message of type ${type}`);
  }

  /** An event that waited for this message keeps the `raw` of its own message. */
  #withRaw(events: readonly AgentEvent[], message: unknown): readonly AgentEvent[] {
    return this.keepsRaw ? events.map((event) => ({ ...event, raw: event.raw ?? message })) : events;
  }
}

/** Messages of the control channel, which the session handles itself. */
const controlMessages = ["control_request", "control_response", "control_cancel_request"];
