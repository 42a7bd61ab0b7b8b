import type { AgentEvent } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import type { FailureFacts } from "../../protocols/failure.ts";
import { isRecord, list, named, record, text, type JsonObject } from "../../protocols/json.ts";
import { StreamJsonTranslator, type TranslatorOptions } from "../shared/stream-json-translator.ts";
import { endingOf, errorSaid, failures, isInterruption, reachedTurnLimit } from "./failures.ts";
import { Calls } from "./tools.ts";
import { Streams, Unconfirmed, completed, type Kind } from "./translate-stream.ts";
import { SessionFacts, Tasks, maxRetries, retrying, systemEvents } from "./translate-system.ts";
import { Usage } from "./usage.ts";
import { isWork, nothing } from "../shared/translator-parts.ts";

export type { TranslatorOptions } from "../shared/stream-json-translator.ts";

/** The result of a call that never ran. */
const skipped = "Skipped because the provider attempt was retried before execution.";
const incomplete: FailureFacts = { text: "The model's answer was empty or not complete: the stream ended." };

export class Translator extends StreamJsonTranslator {
  readonly session: SessionFacts;
  readonly calls: Calls;
  readonly #streams: Streams;
  readonly #unconfirmed = new Unconfirmed();
  readonly #tasks = new Tasks();
  readonly usage: Usage;
  /** A turn runs, started by a prompt or by the agent. */
  running = false;
  /** The turn was started by a prompt, or has a message. */
  #known = false;
  /** Set when the turn is interrupted because of a failure. */
  interruptedFor: FailureFacts | undefined;
  /** After such a failure the program continues, but saves nothing any more. */
  failedFatally = false;
  /** Retries reported in a row. */
  #asked = 0;
  /** Ids of this turn's answers: a repeated one is dropped. */
  readonly #answers = new Set<string>();

  constructor(options: TranslatorOptions) {
    super("Qwen Code", options, ignored);
    this.session = new SessionFacts(options);
    this.#streams = new Streams(options.prefix);
    this.calls = new Calls(options.cwd);
    this.usage = new Usage(options.resumed);
  }

  /** True when the next line may retract a message; without a next line the message counts. */
  get undecided(): boolean {
    return this.#unconfirmed.size > 0 && !this.#unconfirmed.doubtful;
  }

  prompted(): void {
    this.running = true;
    this.#known = true;
  }

  get givenUp(): boolean {
    return this.running && this.interruptedFor !== undefined;
  }

  settle(): AgentEvent[] {
    return this.#unconfirmed.confirmed();
  }

  /** Reports a subagent's last message; the wire has only its calls. */
  reported(agentId: string, said: string): AgentEvent[] {
    const before = this.settle();
    const task = this.calls.taskOf(agentId);
    if (task === undefined || said === "") return before;
    const messageId = this.#streams.nextId();
    return [...before, { type: "message.completed", messageId, text: said, parent: task.callId }];
  }

  protected message(message: JsonObject): readonly AgentEvent[] {
    const events = this.#eventsOf(message);
    if (!this.#known && this.running) this.#known = events.some(isWork);
    return events;
  }

  exited(exit: Exit, stderrTail: string): AgentEvent[] {
    const events = [...this.settle(), ...this.#streams.ended()];
    events.push({ type: "process.exited", code: exit.code, signal: exit.signal, stderrTail });
    if (!this.running) return events;
    const ended: AgentEvent = reachedTurnLimit(exit)
      ? { type: "turn.ended", outcome: "max_turns" }
      : { type: "turn.ended", outcome: "failed", error: failures.exit(exit, stderrTail, this.onlyGarbage) };
    events.push(...this.unparsed.turnEnded(), ended);
    this.#turnEnded();
    return events;
  }

  /** Cases are sorted by frequency. */
  #eventsOf(message: JsonObject): readonly AgentEvent[] {
    switch (message["type"]) {
      case "stream_event":
        return this.#streamEvent(message, message["event"]);
      case "assistant":
        return this.#assistant(message);
      case "user":
        return this.#user(message);
      case "system":
        return this.#system(message);
      case "result":
        return this.#result(message);
      default:
        return this.unknown(message, named(message["type"]));
    }
  }

  #streamEvent(message: JsonObject, event: unknown): readonly AgentEvent[] {
    if (!isRecord(event)) return this.unparsed.saw("an empty stream_event");
    const parent = text(message["parent_tool_use_id"]);
    switch (event["type"]) {
      case "content_block_delta": {
        const delta = record(event["delta"]);
        if (delta["type"] === "text_delta") return this.#piece("message", delta["text"], parent);
        if (delta["type"] === "thinking_delta") return this.#piece("thought", delta["thinking"], parent);
        return nothing;
      }
      // A retraction of the last answer would have come before this.
      case "message_start":
        return parent === undefined ? this.settle() : nothing;
      default:
        return this.unknown(message, `stream_event/${named(event["type"])}`);
    }
  }

  #piece(kind: Kind, said: unknown, parent: string | undefined): readonly AgentEvent[] {
    this.running = true;
    this.#asked = 0;
    const pieces = this.#streams.piece(kind, said, parent);
    // A piece after the whole belongs to another block.
    return this.#unconfirmed.size === 0 || pieces.length === 0 ? pieces : [...this.settle(), ...pieces];
  }

  #assistant(message: JsonObject): readonly AgentEvent[] {
    const answer = record(message["message"]);
    const parent = text(message["parent_tool_use_id"]);
    const id = text(message["uuid"]);
    if (id !== undefined && this.#answers.has(id)) return nothing;
    if (id !== undefined) this.#answers.add(id);
    const events: AgentEvent[] = [];
    this.running = true;
    if (parent === undefined) this.usage.answered(answer["usage"]);
    for (const block of list(answer["content"])) events.push(...this.#block(record(block), parent, message));
    return events;
  }

  #block(block: JsonObject, parent: string | undefined, message: JsonObject): readonly AgentEvent[] {
    switch (block["type"]) {
      case "text":
        return this.#whole("message", text(block["text"]) ?? "", parent, message);
      case "thinking":
        return this.#whole("thought", text(block["thinking"]) ?? "", parent, message);
      case "tool_use": {
        // A subagent's call is reported when it runs, and never retracted.
        if (parent !== undefined) return [...this.settle(), ...this.calls.started(block, parent)];
        this.#unconfirmed.add({ call: () => this.calls.started(block, parent), raw: this.#kept(message) });
        return nothing;
      }
      default:
        return this.unparsed.saw(`a block of type ${named(block["type"])}`);
    }
  }

  #whole(kind: Kind, said: string, parent: string | undefined, message: JsonObject): readonly AgentEvent[] {
    const found = this.#streams.whole(kind, said, parent);
    if (found === undefined) return nothing;
    // A thought of a discarded answer does no harm.
    if (kind === "thought") return [...found.events, ...completed(found.block)];
    this.#unconfirmed.add({ block: found.block, raw: this.#kept(message) });
    return found.events;
  }

  /** Tool results. Everything else here echoes a prompt. */
  #user(message: JsonObject): readonly AgentEvent[] {
    const blocks = list(record(message["message"])["content"]).filter(isRecord);
    const isSkipped = blocks.length > 0 && blocks.every((block) => block["content"] === skipped);
    if (isSkipped) {
      this.#unconfirmed.add({ call: () => this.calls.results(message), raw: this.#kept(message) });
      return nothing;
    }
    return [...this.settle(), ...this.calls.results(message)];
  }

  #system(message: JsonObject): readonly AgentEvent[] {
    if (message["subtype"] === "retry") return this.#asksAgain(record(message["data"]));
    const before = this.settle();
    if (message["subtype"] === "init") this.running = true;
    const events = systemEvents(message, this.session, this.#tasks);
    return [...before, ...(events ?? this.unknown(message, `system/${named(message["subtype"])}`))];
  }

  /** The program asks the model again: to continue after a cut, or for another answer. */
  #asksAgain(data: JsonObject): AgentEvent[] {
    const goesOn = data["preserveText"] === true;
    if (goesOn && this.#unconfirmed.size === 0) {
      this.#streams.goesOn();
      return [{ type: "turn.phase", phase: "retry" }];
    }
    const unfinished = goesOn ? undefined : this.#streams.take(undefined);
    if (unfinished !== undefined) this.#unconfirmed.add({ block: unfinished.block, raw: undefined });
    const events = this.#unconfirmed.takenBack(goesOn);
    // Reported twice: when the answer failed, and when the program asks again.
    if (++this.#asked % 2 === 0) return events;
    const attempt = (this.#asked + 1) / 2;
    if (attempt > maxRetries) this.interruptedFor ??= incomplete;
    return [...events, ...retrying(attempt, incomplete)];
  }

  #result(message: JsonObject): readonly AgentEvent[] {
    const said = message["is_error"] === true ? errorSaid(message) : undefined;
    // A subagent that failed or was stopped has a result too, without its id.
    if (said !== undefined && this.calls.delegates && message["duration_ms"] === 0) return this.settle();
    const events = [...this.#unconfirmed.confirmed(said), ...this.#streams.ended()];
    const usage = this.usage.turn(message["usage"], {
      running: this.#known || events.some(isWork),
      started: this.session.started,
    });
    events.push(...this.session.named(message), ...usage.events);
    // An extra result must not end the next turn.
    if (!this.running) return events;
    this.failedFatally = said !== undefined && !isInterruption(said) && message["num_turns"] !== 0;
    events.push(...this.unparsed.turnEnded(), {
      type: "turn.ended",
      ...endingOf(message, this.interruptedFor),
      usage: usage.tokens,
      background: this.#tasks.background,
    });
    this.#turnEnded();
    return events;
  }

  #kept(message: JsonObject): JsonObject | undefined {
    return this.keepsRaw ? message : undefined;
  }

  #turnEnded(): void {
    this.calls.turnEnded();
    this.#answers.clear();
    this.running = false;
    this.#known = false;
    this.interruptedFor = undefined;
    this.#asked = 0;
  }
}

const ignored = [
  "stream_event/goal_state",
  // Not needed: the core measures time itself.
  "stream_event/tool_progress",
  // The next message confirms an answer.
  "stream_event/content_block_start",
  "stream_event/content_block_stop",
  "stream_event/message_stop",
];
