/**
 * Decides where a turn ends. Claude Code prints one result per message, but a message sent while it works may be merged
 * into the running work, handled after it, or withdrawn without a result. For the core all of that is one turn, until
 * no sent message waits.
 */
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import { list, record, text, type JsonObject } from "../../protocols/json.ts";
import type { WireRequest } from "../../protocols/stream-json/index.ts";
import type { OpenOptions } from "../contract.ts";
import { failures } from "./failures.ts";
import { claudeRequests } from "./requests.ts";
import { Translator } from "./translate.ts";

type Ended = AgentEventOf<"turn.ended">;

export class Turns {
  /** Ids of messages that were sent and have not begun. */
  readonly #waiting = new Set<string>();
  /** This version reports what happens to a message. */
  #told = false;
  #working = false;
  /** The results of earlier parts of the turn. */
  #partly: Ended | undefined;
  /** A turn is open, started by a prompt or by the agent. */
  running = false;
  prompted = false;

  sent(messageId: string): void {
    this.#waiting.add(messageId);
    this.running = true;
    this.prompted = true;
  }

  /** The program introduces itself at the start of each message it handles. */
  introduced(): void {
    this.#working = true;
    this.running = true;
  }

  lifecycle(messageId: unknown, state: unknown): AgentEvent[] {
    this.#told = true;
    if (typeof messageId !== "string" || !this.#waiting.has(messageId) || state === "queued") return [];
    this.#waiting.delete(messageId);
    if (state === "started" || this.#working || this.#waiting.size > 0) return [];
    // The prompt was withdrawn before it started and no other prompt is running, so Claude Code sends no result.
    const cancelled: Ended = { type: "turn.ended", outcome: "cancelled" };
    return [this.#end(together(this.#partly, cancelled))];
  }

  result(ended: Ended): AgentEvent[] {
    this.#working = false;
    const whole = together(this.#partly, ended);
    if (this.#told && this.#waiting.size > 0) {
      this.#partly = whole;
      return [];
    }
    return [this.#end(whole)];
  }

  exited(ended: Ended | undefined, otherwise: () => Ended): AgentEvent[] {
    if (ended === undefined && !this.running) return [];
    return [this.#end(together(this.#partly, ended ?? otherwise()))];
  }

  #end(ended: Ended): Ended {
    this.#partly = undefined;
    this.#waiting.clear();
    this.#working = false;
    this.running = false;
    this.prompted = false;
    return ended;
  }
}

/** The usage of the last part, when reported, includes the earlier parts. */
function together(first: Ended | undefined, last: Ended): Ended {
  return first === undefined || last.usage !== undefined
    ? last
    : { ...last, usage: first.usage, costUsd: first.costUsd };
}

export interface IncomingOptions extends Pick<OpenOptions, "cwd" | "mode" | "raw"> {
  readonly resumed: boolean;
  /** Unique among the legs of a session. */
  readonly prefix: string;
  readonly respond: (requestId: string, response: object) => void;
  readonly refuse: (requestId: string, why: string) => void;
}

export class Incoming {
  readonly translator: Translator;
  readonly requests: ReturnType<typeof claudeRequests>;
  readonly turns = new Turns();
  gone = false;
  /** The program's socket for other programs, which remains when the program is killed. */
  socket: string | undefined;
  readonly #options: IncomingOptions;
  #commands: AgentEventOf<"session.updated">["commands"];
  #stopping = false;
  #lastText = "";

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.translator = new Translator(options);
    const { calls, tasks } = this.translator;
    this.requests = claudeRequests({
      ...options,
      // A subagent may ask before its call is reported; then only its id tells whose call it is.
      parentOf: (callId, agentId) => calls.find(callId)?.parent ?? tasks.callOf(agentId ?? ""),
      planOf: (callId) => text(record(calls.find(callId)?.call.input)["plan"]) ?? text(this.#lastText),
      onCancelled: (callId) => calls.stopped(callId, "cancelled"),
    });
  }

  /** Takes the answer to `initialize`. Commands are reported once the session has started. */
  initialized(answer: JsonObject): void {
    this.#commands = list(answer["commands"]).flatMap((item) => {
      const { name, description } = record(item);
      return typeof name === "string" ? [{ name, description: text(description) }] : [];
    });
  }

  prompted(): void {
    this.translator.prompted();
  }

  message(message: unknown): readonly AgentEvent[] {
    const wire = record(message);
    switch (wire["type"]) {
      case "command_lifecycle":
        return this.turns.lifecycle(wire["command_uuid"], wire["state"]);
      case "system":
        return wire["subtype"] === "init"
          ? this.#introduced(wire)
          : [...this.translator.translate(message), ...this.#stopped()];
      case "assistant":
        return this.#remember(this.translator.translate(message));
      case "result":
        return this.translator
          .translate(message)
          .flatMap((event) => (event.type === "turn.ended" ? this.#result(event) : [event]));
      default:
        return this.translator.translate(message);
    }
  }

  get onlySubagentsWork(): boolean {
    return !this.turns.running && this.translator.busy;
  }

  /** The program gives no result for subagents that are stopped between two turns. */
  stopSubagents(): void {
    this.#stopping = true;
  }

  #stopped(): readonly AgentEvent[] {
    if (!this.#stopping) return [];
    const ended = this.onlySubagentsWork ? this.translator.cancelled() : [];
    this.#stopping = this.onlySubagentsWork;
    return ended;
  }

  #result(event: AgentEventOf<"turn.ended">): readonly AgentEvent[] {
    // A result of a turn that has ended must not end the next one.
    if (!this.turns.running) return [];
    const ended = this.turns.result(event);
    if (ended.length === 0) this.translator.goesOn();
    return ended;
  }

  request(request: WireRequest): readonly AgentEvent[] {
    const events = this.requests.received(request);
    return this.#options.raw === true ? events.map((event) => ({ ...event, raw: request.body })) : events;
  }

  withdrawn(requestId: string): readonly AgentEvent[] {
    return this.requests.withdrawn(requestId);
  }

  exited(exit: Exit, stderrTail: string): readonly AgentEvent[] {
    this.gone = true;
    const events = this.translator.exited(exit, stderrTail);
    const ended = this.turns.running ? events.find((event) => event.type === "turn.ended") : undefined;
    const crashed = (): AgentEventOf<"turn.ended"> => ({
      type: "turn.ended",
      outcome: "failed",
      error: failures.exit(exit, stderrTail, this.translator.onlyGarbage),
    });
    return [...events.filter((event) => event.type !== "turn.ended"), ...this.turns.exited(ended, crashed)];
  }

  #introduced(message: JsonObject): readonly AgentEvent[] {
    this.turns.introduced();
    this.socket = text(message["messaging_socket_path"]) ?? this.socket;
    const events = [...this.translator.translate(message)];
    if (this.#commands !== undefined) events.push({ type: "session.updated", commands: this.#commands, by: "agent" });
    this.#commands = undefined;
    return events;
  }

  /** Keeps the last message: it may be the plan whose approval is requested next. */
  #remember(events: readonly AgentEvent[]): readonly AgentEvent[] {
    for (const event of events) {
      if (event.type === "message.completed" && event.parent === undefined) this.#lastText = event.text;
    }
    return events;
  }
}
