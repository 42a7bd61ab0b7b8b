/** Translates pi's messages to events. Does no I/O. */
import type { AgentEvent } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import { isRecord, list, named, number, record, text, type JsonObject } from "../../protocols/json.ts";
import { Unparsed } from "../../protocols/stream-json/unparsed.ts";
import type { ErrorInfo } from "../../events/errors.ts";
import { resultText } from "../shared/stream-json-calls.ts";
import { endingOf, failures } from "./failures.ts";
import type { Places } from "./tools.ts";
import { Calls } from "./translate-calls.ts";
import { Messages } from "./translate-messages.ts";
import { Usage } from "./usage.ts";

export interface TranslatorOptions extends Places {
  /** Unique among the legs of a session. */
  readonly prefix: string;
  readonly raw?: boolean | undefined;
  readonly now?: (() => number) | undefined;
}

/** pi's own three attempts can take 15 seconds; the route decides whether to wait, retry or move on. */
export const mostRetries = 2;

const nothing: readonly AgentEvent[] = Object.freeze([]);

/** Known messages that need no event; every unknown one becomes a notice. */
const ignored: ReadonlySet<unknown> = new Set([
  ...["turn_start", "turn_end", "agent_end", "auto_retry_end"],
  ...["summarization_retry_attempt_start", "summarization_retry_finished"],
  ...["session", "entry_appended"],
  ...["bash_execution_update", "thinking_level_changed"],
]);
/** Extensions show these on pi's own screen. */
const ignoredDialogs: ReadonlySet<unknown> = new Set(["setStatus", "setWidget", "setTitle", "set_editor_text"]);
const ignoredUpdates: ReadonlySet<unknown> = new Set([
  ...["start", "text_start", "text_end", "thinking_start", "thinking_end"],
  ...["toolcall_start", "toolcall_delta", "toolcall_end", "done", "error"],
]);

export class Translator {
  readonly calls: Calls;
  readonly usage = new Usage();
  /** Number of messages that were sent into the turn and have not begun. */
  queued = 0;
  readonly #raw: boolean;
  readonly #now: () => number;
  readonly #messages: Messages;
  readonly #unparsed = new Unparsed("pi");
  /** A prompt was sent, and its turn has not ended. */
  #prompted = false;
  #accepted = false;
  #began = false;
  /** True between `agent_start` and `agent_settled`. */
  #active = false;
  /** An event of the turn was emitted. */
  #worked = false;
  #cancelled = false;
  #spoke = false;
  #answer: JsonObject | undefined;

  constructor(options: TranslatorOptions) {
    this.#raw = options.raw === true;
    this.#now = options.now ?? Date.now;
    this.#messages = new Messages(options.prefix);
    this.calls = new Calls(options);
  }

  /** A turn is open: one of Reins, or one that an extension began. */
  get running(): boolean {
    return this.#prompted || this.#active;
  }

  get prompted(): boolean {
    return this.#prompted;
  }

  get onlyGarbage(): boolean {
    return !this.#spoke && this.#unparsed.garbage > 0;
  }

  get cancelling(): boolean {
    return this.#cancelled;
  }

  promptSent(): void {
    this.#prompted = true;
    this.#accepted = false;
    this.#began = false;
    this.#cancelled = false;
  }

  /** From now on the end of work is the end of the turn. */
  promptAccepted(): void {
    this.#accepted = this.#prompted;
  }

  promptRefused(): void {
    this.#prompted = false;
  }

  /** pi reports that nothing runs after it accepted a prompt: a command of an extension, done without the model. */
  isIdle(): readonly AgentEvent[] {
    return this.#prompted && this.#accepted && !this.#active && !this.#began ? this.#turnEnded() : nothing;
  }

  /** Ends the turn of a command of Reins, which consists only of pi's answer. */
  commandEnded(error?: ErrorInfo): readonly AgentEvent[] {
    return this.#prompted ? this.#turnEnded(error) : nothing;
  }

  cancel(): void {
    this.#cancelled = this.running;
  }

  translate(message: unknown): readonly AgentEvent[] {
    try {
      const events = isRecord(message) ? this.#message(message) : this.#unparsed.line(message);
      // Work that was not announced has an end too.
      if (events.some(isWork) && events.at(-1)?.type !== "turn.ended") this.#worked = this.#active = true;
      return this.#raw ? events.map((event) => ({ ...event, raw: message })) : events;
    } catch {
      return this.#unparsed.saw("a message that could not be read");
    }
  }

  exited(exit: Exit, stderrTail: string, error?: ErrorInfo): readonly AgentEvent[] {
    const events = [...this.#messages.settled()];
    events.push({ type: "process.exited", code: exit.code, signal: exit.signal, stderrTail });
    if (this.#prompted || this.#worked)
      events.push(...this.#turnEnded(error ?? failures.exit(exit, stderrTail, this.onlyGarbage)));
    this.#active = false;
    return events;
  }

  /** Cases are sorted by frequency. */
  #message(message: JsonObject): readonly AgentEvent[] {
    const { type } = message;
    if (typeof type === "string") this.#spoke = true;
    switch (type) {
      case "message_update":
        return this.#update(record(message["assistantMessageEvent"]));
      case "tool_execution_update":
        return this.calls.progress(message);
      case "message_start":
        // A failed answer is retried.
        return record(message["message"])["role"] === "assistant" ? this.#messages.discarded() : nothing;
      case "message_end":
        return this.#ended(record(message["message"]));
      case "tool_execution_start":
        return this.calls.started(message);
      case "tool_execution_end":
        this.usage.answered(record(message["result"])["usage"]);
        return this.calls.ended(message);
      default:
        return this.#lifecycle(message);
    }
  }

  #lifecycle(message: JsonObject): readonly AgentEvent[] {
    switch (message["type"]) {
      case "agent_start":
        this.#active = true;
        this.#began = this.#prompted;
        return [{ type: "turn.phase", phase: "model" }];
      case "agent_settled":
        return this.#settled();
      case "auto_retry_start":
      case "summarization_retry_scheduled":
        return this.#retrying(message);
      case "compaction_start":
        return this.running ? [{ type: "turn.phase", phase: "compact" }] : nothing;
      case "compaction_end":
        return this.#compacted(message);
      case "queue_update":
        this.queued = list(message["steering"]).length + list(message["followUp"]).length;
        return nothing;
      case "session_info_changed":
        return [{ type: "session.updated", title: text(message["name"]) ?? "", by: "agent" }];
      default:
        return this.#fromExtension(message);
    }
  }

  #update(update: JsonObject): readonly AgentEvent[] {
    switch (update["type"]) {
      case "text_delta":
      case "thinking_delta":
        return this.#messages.piece(update);
      default:
        if (ignoredUpdates.has(update["type"])) return nothing;
        return this.#unparsed.saw(`a message_update of type ${named(update["type"])}`);
    }
  }

  /** Messages of role `user` and `toolResult` repeat known prompts and results. */
  #ended(message: JsonObject): readonly AgentEvent[] {
    if (message["role"] === "custom" && message["display"] === true) {
      const said = resultText(message["content"]);
      return said === "" ? nothing : [{ type: "notice", level: "info", code: "extension", message: said }];
    }
    if (message["role"] !== "assistant") return nothing;
    this.#answer = message;
    this.usage.answered(message["usage"], message["model"]);
    // The text of a failed answer counts, unless it is retried.
    if (message["stopReason"] === "error") return nothing;
    this.usage.filled(message["usage"]);
    return this.#messages.ended(message["content"]);
  }

  #retrying(message: JsonObject): readonly AgentEvent[] {
    const attempt = number(message["attempt"]) ?? 1;
    if (attempt > mostRetries) return nothing;
    return [
      ...this.#messages.discarded(),
      { type: "turn.phase", phase: "retry" },
      {
        type: "agent.retrying",
        attempt,
        ofMax: Math.min(number(message["maxAttempts"]) ?? mostRetries, mostRetries),
        delayMs: number(message["delayMs"]),
        error: failures.error({ text: text(message["errorMessage"]) ?? "" }, this.#now()),
      },
    ];
  }

  #compacted(message: JsonObject): readonly AgentEvent[] {
    const { result, errorMessage } = message;
    const events: AgentEvent[] = message["willRetry"] === true ? this.#messages.discarded() : [];
    if (isRecord(result)) {
      this.usage.answered(result["usage"]);
      const [before, after] = [number(result["tokensBefore"]), number(result["estimatedTokensAfter"])];
      const trigger = message["reason"] === "manual" ? "manual" : "auto";
      return [...events, { type: "context.compacted", trigger, before, after }];
    }
    const why = text(errorMessage);
    if (why !== undefined && message["aborted"] !== true)
      events.push({ type: "notice", level: "warning", code: "compaction", message: `pi could not compact: ${why}` });
    return events;
  }

  #settled(): readonly AgentEvent[] {
    this.#active = false;
    // An extension's work ended just when a prompt was sent; the work on the prompt is still to come.
    if (this.#prompted && !this.#accepted && !this.#began) return nothing;
    if (!this.#prompted && !this.#worked) return nothing;
    return this.#turnEnded();
  }

  #turnEnded(error?: ErrorInfo): readonly AgentEvent[] {
    const { events, tokens, costUsd } = this.usage.turnEnded();
    const ending = error === undefined ? endingOf(this.#answer, this.#now()) : ({ outcome: "failed", error } as const);
    const told: AgentEvent[] = [...this.#messages.settled(), ...this.#unparsed.turnEnded(), ...events];
    told.push({
      type: "turn.ended",
      ...(this.#cancelled && error === undefined ? { outcome: "cancelled" } : ending),
      usage: tokens,
      costUsd,
    });
    this.calls.turnEnded();
    this.#prompted = this.#accepted = this.#began = this.#worked = this.#cancelled = false;
    this.#answer = undefined;
    return told;
  }

  #fromExtension(message: JsonObject): readonly AgentEvent[] {
    const { type, method } = message;
    if (type === "extension_ui_request" && method === "notify") {
      const { notifyType } = message;
      const level = notifyType === "warning" || notifyType === "error" ? notifyType : "info";
      return [{ type: "notice", level, code: "extension", message: text(message["message"]) ?? "" }];
    }
    if (type === "extension_error") {
      const said = `An extension of pi failed (${named(message["extensionPath"])}): ${named(message["error"])}`;
      return [{ type: "notice", level: "warning", code: "extension", message: said }];
    }
    if (ignored.has(type) || (type === "extension_ui_request" && ignoredDialogs.has(method))) return nothing;
    return typeof type === "string"
      ? this.#unparsed.saw(`a message of type ${named(type)}`)
      : this.#unparsed.line(message);
  }
}

function isWork({ type }: AgentEvent): boolean {
  return type.startsWith("message.") || type.startsWith("thought.") || type === "tool.started";
}
