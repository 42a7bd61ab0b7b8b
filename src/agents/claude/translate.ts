import type { AgentEvent } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import type { FailureFacts } from "../../protocols/failure.ts";
import { isRecord, list, named, record, text, type JsonObject } from "../../protocols/json.ts";
import { StreamJsonTranslator, type TranslatorOptions } from "../shared/stream-json-translator.ts";
import { endingOf, failureSaid, failures, retryFacts } from "./failures.ts";
import { Calls } from "./tools.ts";
import { Streams } from "./translate-stream.ts";
import { SessionFacts, Tasks, systemEvents, type SystemParts } from "./translate-system.ts";
import { Usage, limitResets, limitsUpdated } from "./usage.ts";
import { isWork, nothing } from "../shared/translator-parts.ts";

export type { TranslatorOptions } from "../shared/stream-json-translator.ts";

export class Translator extends StreamJsonTranslator implements SystemParts {
  readonly now: () => number;
  readonly session: SessionFacts;
  readonly streams: Streams;
  readonly tasks = new Tasks();
  readonly calls: Calls;
  readonly #usage: Usage;
  /** A prompt was sent since the last result. */
  #prompted = false;
  /** The agent said or did something since the last result. */
  #working = false;
  #failure: FailureFacts | undefined;
  #retryAfter: string | undefined;
  #limitResets: string | undefined;

  constructor(options: TranslatorOptions) {
    super("Claude Code", options, ignored);
    this.now = options.now ?? Date.now;
    this.session = new SessionFacts(options);
    this.streams = new Streams(options.prefix);
    this.calls = new Calls(options.cwd, (parent) => this.tasks.runs(parent));
    this.#usage = new Usage(options.resumed);
  }

  get busy(): boolean {
    return this.#prompted || this.#working;
  }

  prompted(): void {
    this.#prompted = true;
  }

  /** The last result ended only a part of the turn. */
  goesOn(): void {
    this.#prompted = true;
    this.#usage.goesOn();
  }

  /** Ends a cancelled turn of subagents once none of them runs. */
  cancelled(): readonly AgentEvent[] {
    if (this.tasks.subagentsRun) return nothing;
    const { background } = this.tasks;
    const events = [...this.streams.ended(), ...this.unparsed.turnEnded()];
    this.#turnEnded();
    return [...events, { type: "turn.ended", outcome: "cancelled", origin: "agent", background }];
  }

  exited(exit: Exit, stderrTail: string): readonly AgentEvent[] {
    const events = this.streams.ended();
    events.push({ type: "process.exited", code: exit.code, signal: exit.signal, stderrTail });
    if (!this.busy) return events;
    const error =
      this.#failure === undefined
        ? failures.exit(exit, stderrTail, this.onlyGarbage)
        : failures.error(this.#failure, this.now());
    events.push(...this.unparsed.turnEnded(), { type: "turn.ended", outcome: "failed", error });
    this.#turnEnded();
    return events;
  }

  /** Cases are sorted by frequency. */
  protected message(message: JsonObject): readonly AgentEvent[] {
    switch (message["type"]) {
      case "stream_event":
        return this.#streamEvent(message, message["event"]);
      case "assistant":
        return this.#assistant(message, record(message["message"]));
      case "user":
        return this.#worked(this.calls.results(message));
      case "system":
        if (message["subtype"] === "api_retry") this.#retryAfter = retryFacts(message).retryAfter;
        return systemEvents(message, this) ?? this.unknown(message, `system/${named(message["subtype"])}`);
      case "result":
        return this.#result(message);
      case "rate_limit_event":
        this.#limitResets = limitResets(message["rate_limit_info"]);
        return limitsUpdated(message["rate_limit_info"]);
      case "conversation_reset":
        return this.session.forgotten(text(message["trigger"]));
      default:
        return this.unknown(message, named(message["type"]));
    }
  }

  #streamEvent(message: JsonObject, event: unknown): readonly AgentEvent[] {
    if (!isRecord(event)) return this.unparsed.saw("an empty stream_event");
    switch (event["type"]) {
      case "content_block_delta":
      case "content_block_start":
        return this.#worked(this.streams.piece(message, event));
      case "message_start":
        return this.streams.answerStarted(message, event);
      case "message_delta":
        if (text(message["parent_tool_use_id"]) === undefined) this.#usage.answered(event["usage"], undefined);
        return nothing;
      case "message_stop":
        return this.streams.answerStopped(message);
      case "content_block_stop":
      case "ping":
        return nothing;
      default:
        return this.unparsed.saw(`a stream_event of type ${named(event["type"])}`);
    }
  }

  #worked(events: readonly AgentEvent[]): readonly AgentEvent[] {
    if (!this.#working && events.some(isWork)) this.#working = true;
    return events;
  }

  #assistant(message: JsonObject, answer: JsonObject): readonly AgentEvent[] {
    const parent = text(message["parent_tool_use_id"]);
    const failure = failureSaid(message, answer);
    if (failure !== undefined) return this.#failed(failure, parent);
    if (parent === undefined) this.#usage.answered(answer["usage"], answer["model"]);
    const blocks = list(answer["content"]).map(record);
    return this.#worked(blocks.flatMap((block) => this.#block(message, block, parent)));
  }

  #block(message: JsonObject, block: JsonObject, parent: string | undefined): readonly AgentEvent[] {
    const type = named(block["type"]);
    switch (type) {
      case "text":
        return this.streams.whole(message, "message", text(block["text"]) ?? "");
      case "thinking":
        return this.streams.whole(message, "thought", text(block["thinking"]) ?? "");
      case "tool_use":
      case "server_tool_use":
      case "mcp_tool_use":
        return this.calls.started(block, parent);
      case "redacted_thinking":
        return nothing;
      default:
        // The result of a tool that ran at the model's service.
        return type.endsWith("_tool_result")
          ? this.calls.ended(block, parent)
          : this.unparsed.saw(`a block of type ${type}`);
    }
  }

  /** An error in place of an answer is not a message. In the main conversation the result repeats it. */
  #failed(failure: FailureFacts, parent: string | undefined): readonly AgentEvent[] {
    if (parent === undefined) {
      this.#failure = failure;
      return nothing;
    }
    const { code, message } = failures.error(failure, this.now());
    return [{ type: "notice", level: "warning", code, message, parent }];
  }

  #result(message: JsonObject): readonly AgentEvent[] {
    const events = this.streams.ended();
    // A structured answer or a local command may have no message except the result.
    const own =
      message["structured_output"] !== undefined || (message["local_command"] !== undefined && !this.#working);
    if (own) events.push(...this.streams.unstreamed(message["result"]));
    const usage = this.#usage.turn(message, this.busy);
    events.push(...this.unparsed.turnEnded(), ...usage.events, {
      type: "turn.ended",
      ...endingOf(message, this.#failure, { resetsAt: this.#limitResets, retryAfter: this.#retryAfter }, this.now()),
      usage: usage.tokens,
      costUsd: usage.costUsd,
      background: this.tasks.background,
    });
    this.#turnEnded();
    return events;
  }

  #turnEnded(): void {
    this.calls.turnEnded();
    this.#failure = undefined;
    this.#retryAfter = undefined;
    this.#prompted = false;
    this.#working = false;
  }
}

const ignored = [
  "keep_alive",
  "command_lifecycle",
  "system/session_state_changed",
  // Not needed: the core measures time itself.
  "tool_progress",
  "system/thinking_tokens",
  // For the agent's own screen.
  "prompt_suggestion",
  "tool_use_summary",
  "system/ui_invalidate",
  "system/post_turn_summary",
  "system/files_persisted",
  "system/elicitation_complete",
  // A hook that blocks a tool shows as a denial of that tool.
  "system/hook_started",
  "system/hook_progress",
  "system/hook_response",
];
