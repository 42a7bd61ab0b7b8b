/**
 * From Claude Code's stream-json to events. It does no I/O, remembers what it needs between messages, and takes anything:
 * whatever a line holds, nothing is thrown (law 6).
 */
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import { exitError } from "./errors-exit.ts";
import { endingOf, errorOf, failureSaid } from "./errors.ts";
import type { Failure } from "./errors.ts";
import { isIgnored } from "./ignored.ts";
import { Tasks } from "./tasks.ts";
import { answerEvents } from "./translate-answer.ts";
import type { AnswerParts } from "./translate-answer.ts";
import { Calls } from "./translate-calls.ts";
import type { OpenCall } from "./translate-calls.ts";
import { isRecord, named, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { SessionFacts } from "./translate-session.ts";
import { Streams } from "./translate-stream.ts";
import { systemEvents } from "./translate-system.ts";
import type { SystemParts } from "./translate-system.ts";
import { Unparsed } from "../../drivers/stream-json/unparsed.ts";
import { limitResets, limitsUpdated } from "./usage-limits.ts";
import { Usage } from "./usage.ts";

export interface TranslatorOptions {
  readonly cwd: string;
  readonly mode: Mode;
  /** Goes before every messageId, which must be unique in the session. */
  readonly prefix: string;
  readonly resumed: boolean;
  readonly agentVersion?: string | undefined;
  /** Keep the native message beside each event. */
  readonly raw?: boolean | undefined;
  readonly now?: (() => number) | undefined;
}

export interface Translator {
  /** One message of the wire, parsed. A line that is no JSON is handed over as it is. */
  translate(message: unknown): readonly AgentEvent[];
  /** A prompt was sent: a turn runs until the next result. */
  prompted(): void;
  /** The last result was that of a part: what follows belongs to the same turn. */
  goesOn(): void;
  /** The caller changed the mode or the model, and the program took it. */
  configure(change: { mode?: Mode | undefined; model?: string | undefined }): void;
  /** What subagents did between two turns was cancelled, and they are gone: that turn is over. Nothing while one of them runs. */
  cancelled(): readonly AgentEvent[];
  /** The process is gone: with a turn running, that turn failed. */
  exited(exit: Exit, stderrTail: string): readonly AgentEvent[];
  /** A call that has no end yet: whose it is, and what the model wanted. */
  call(callId: string): OpenCall | undefined;
  /** Opaque, as in the events (`encodeState`); undefined until the agent introduced itself. */
  readonly state: string | undefined;
  readonly mode: Mode;
  /** A turn runs. */
  readonly busy: boolean;
}

const nothing: readonly AgentEvent[] = Object.freeze([]);

export function createTranslator(options: TranslatorOptions): Translator {
  return new ClaudeTranslator(options);
}

class ClaudeTranslator implements Translator {
  readonly #raw: boolean;
  readonly #now: () => number;
  readonly #session: SessionFacts;
  readonly #streams: Streams;
  readonly #tasks = new Tasks();
  readonly #calls: Calls;
  readonly #usage: Usage;
  readonly #unparsed = new Unparsed("Claude Code");
  readonly #parts: SystemParts & AnswerParts;
  /** A prompt was sent since the last result. */
  #prompted = false;
  /** The agent said or did something since the last result, prompted or not. */
  #working = false;
  /** It speaks the protocol at all. */
  #spoke = false;
  #failure: Failure | undefined;
  #limitResets: string | undefined;

  constructor(options: TranslatorOptions) {
    this.#raw = options.raw === true;
    this.#now = options.now ?? Date.now;
    this.#session = new SessionFacts(options);
    this.#streams = new Streams(options.prefix);
    this.#calls = new Calls(options.cwd, this.#tasks);
    this.#usage = new Usage(options.resumed);
    this.#parts = {
      session: this.#session,
      streams: this.#streams,
      tasks: this.#tasks,
      calls: this.#calls,
      unparsed: this.#unparsed,
    };
  }

  get state(): string | undefined {
    return this.#session.state;
  }

  get mode(): Mode {
    return this.#session.mode;
  }

  get busy(): boolean {
    return this.#prompted || this.#working;
  }

  prompted(): void {
    this.#prompted = true;
  }

  goesOn(): void {
    this.#prompted = true;
    this.#usage.goesOn();
  }

  configure(change: { mode?: Mode | undefined; model?: string | undefined }): void {
    this.#session.configure(change);
  }

  call(callId: string): OpenCall | undefined {
    return this.#calls.find(callId);
  }

  translate(message: unknown): readonly AgentEvent[] {
    try {
      const events = isRecord(message) ? this.#message(message) : this.#unparsed.line(message);
      return this.#raw ? events.map((event) => ({ ...event, raw: message })) : events;
    } catch {
      return this.#unparsed.saw("a message that could not be read");
    }
  }

  cancelled(): readonly AgentEvent[] {
    if (this.#tasks.subagentsRun) return nothing;
    const { background } = this.#tasks;
    const events = [...this.#streams.ended(), ...this.#unparsed.turnEnded()];
    this.#turnEnded();
    return [...events, { type: "turn.ended", outcome: "cancelled", origin: "agent", background }];
  }

  exited(exit: Exit, stderrTail: string): readonly AgentEvent[] {
    const events = this.#streams.ended();
    events.push({ type: "process.exited", code: exit.code, signal: exit.signal, stderrTail });
    if (!this.busy) return events;
    const onlyGarbage = !this.#spoke && this.#unparsed.garbage > 0;
    const error = this.#failure === undefined ? exitError(exit, stderrTail, onlyGarbage) : errorOf(this.#failure);
    events.push(...this.#unparsed.turnEnded(), { type: "turn.ended", outcome: "failed", error });
    this.#turnEnded();
    return events;
  }

  /** In the order of how often they come. */
  #message(message: Wire): readonly AgentEvent[] {
    const type = message["type"];
    if (typeof type === "string") this.#spoke = true;
    switch (type) {
      case "stream_event":
        return this.#streamEvent(message, message["event"]);
      case "assistant":
        return this.#assistant(message, record(message["message"]));
      case "user":
        return this.#worked(this.#calls.results(message));
      case "system":
        return systemEvents(message, this.#parts) ?? this.#unknown(message, `system/${named(message["subtype"])}`);
      case "result":
        return this.#result(message);
      case "rate_limit_event":
        this.#limitResets = limitResets(message["rate_limit_info"]);
        return limitsUpdated(message["rate_limit_info"]);
      case "conversation_reset":
        return this.#session.forgotten(text(message["trigger"]));
      default:
        return this.#unknown(message, named(type));
    }
  }

  #streamEvent(message: Wire, event: unknown): readonly AgentEvent[] {
    if (!isRecord(event)) return this.#unparsed.saw("an empty stream_event");
    switch (event["type"]) {
      case "content_block_delta":
        return this.#worked(this.#streams.piece(message, event));
      case "content_block_start":
        return this.#worked(this.#streams.blockStarted(message, event));
      case "message_start":
        return this.#streams.answerStarted(message, event);
      case "message_delta":
        if (text(message["parent_tool_use_id"]) === undefined) this.#usage.answered(event["usage"], undefined);
        return nothing;
      case "message_stop":
        return this.#streams.answerStopped(message);
      case "content_block_stop":
      case "ping":
        return nothing;
      default:
        return this.#unparsed.saw(`a stream_event of type ${named(event["type"])}`);
    }
  }

  /** Outside of a turn these begin one, in the core as here. */
  #worked(events: readonly AgentEvent[]): readonly AgentEvent[] {
    if (!this.#working && events.some(isWork)) this.#working = true;
    return events;
  }

  #assistant(message: Wire, answer: Wire): readonly AgentEvent[] {
    const parent = text(message["parent_tool_use_id"]);
    const failure = failureSaid(message, answer, this.#now());
    if (failure !== undefined) return this.#failed(failure, parent);
    if (parent === undefined) this.#usage.answered(answer["usage"], answer["model"]);
    return this.#worked(answerEvents(message, this.#parts));
  }

  /** An error stands in the place of an answer: it is no message, and for the main conversation the result repeats it. */
  #failed(failure: Failure, parent: string | undefined): readonly AgentEvent[] {
    if (parent === undefined) {
      this.#failure = failure;
      return nothing;
    }
    const { code, message } = errorOf(failure);
    return [{ type: "notice", level: "warning", code, message, parent }];
  }

  #result(message: Wire): readonly AgentEvent[] {
    const events = this.#streams.ended();
    // An answer in a given form, and a command of the agent's own, may have no message but the result.
    const own =
      message["structured_output"] !== undefined || (message["local_command"] !== undefined && !this.#working);
    if (own) events.push(...this.#streams.unstreamed(message["result"]));
    const usage = this.#usage.turn(message, this.busy);
    events.push(...this.#unparsed.turnEnded(), ...usage.events, {
      type: "turn.ended",
      ...endingOf(message, this.#failure, this.#limitResets),
      usage: usage.tokens,
      costUsd: usage.costUsd,
      background: this.#tasks.background,
    });
    this.#turnEnded();
    return events;
  }

  #turnEnded(): void {
    this.#calls.turnEnded();
    this.#failure = undefined;
    this.#prompted = false;
    this.#working = false;
  }

  #unknown(message: Wire, type: string): readonly AgentEvent[] {
    if (typeof message["type"] !== "string") return this.#unparsed.line(message);
    return isIgnored(type) ? nothing : this.#unparsed.saw(`a message of type ${type}`);
  }
}

function isWork({ type }: AgentEvent): boolean {
  return (
    type.startsWith("message.") || type.startsWith("thought.") || type === "tool.started" || type === "file.changed"
  );
}
