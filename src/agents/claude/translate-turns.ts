/**
 * Where a turn ends. Claude Code prints one result for each message it works off, but a message sent while it works may be folded
 * into the running work or be worked off after it, and one that is withdrawn in time gets no result at all. To the core all of
 * that is one turn, which ends when nothing that was sent waits any more.
 */
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import { list, record, text } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import type { WireRequest } from "../../protocols/stream-json/index.ts";
import type { OpenOptions } from "../contract.ts";
import { failures } from "./failures.ts";
import { claudeRequests } from "./requests.ts";
import { Translator } from "./translate.ts";

type Ended = AgentEventOf<"turn.ended">;

export class Turns {
  /** Sent, and not begun as far as we know. */
  readonly #waiting = new Set<string>();
  /** Whether this version tells what becomes of a message at all. */
  #told = false;
  /** It works: it introduced itself and gave no result since. */
  #working = false;
  /** Results of parts of the turn. */
  #partly: Ended | undefined;
  /** A turn is open: one of ours, or one it began itself. */
  running = false;
  /** Something that we sent is in it. */
  prompted = false;

  sent(messageId: string): void {
    this.#waiting.add(messageId);
    this.running = true;
    this.prompted = true;
  }

  /** It introduces itself at the start of everything it works off. */
  introduced(): void {
    this.#working = true;
    this.running = true;
  }

  /** What it says about a message that we sent. */
  lifecycle(messageId: unknown, state: unknown): AgentEvent[] {
    this.#told = true;
    if (typeof messageId !== "string" || !this.#waiting.has(messageId) || state === "queued") return [];
    this.#waiting.delete(messageId);
    if (state === "started" || this.#working || this.#waiting.size > 0) return [];
    // Withdrawn before it began, and nothing else is being worked on: there will be no result.
    const cancelled: Ended = { type: "turn.ended", outcome: "cancelled" };
    return [this.#end(this.#partly === undefined ? cancelled : together(this.#partly, cancelled))];
  }

  /** A result: the end of the turn, unless something that was sent is still to come. */
  result(ended: Ended): AgentEvent[] {
    this.#working = false;
    const whole = this.#partly === undefined ? ended : together(this.#partly, ended);
    if (this.#told && this.#waiting.size > 0) {
      this.#partly = whole;
      return [];
    }
    return [this.#end(whole)];
  }

  /** The process is gone: whatever was open is over. */
  exited(ended: Ended | undefined, otherwise: () => Ended): AgentEvent[] {
    if (ended === undefined && !this.running) return [];
    const last = ended ?? otherwise();
    return [this.#end(this.#partly === undefined ? last : together(this.#partly, last))];
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

/** Usage of the last part contains that of the first, where it reports any. */
function together(first: Ended, last: Ended): Ended {
  return last.usage === undefined ? { ...last, usage: first.usage, costUsd: first.costUsd } : last;
}

export interface IncomingOptions extends Pick<OpenOptions, "cwd" | "mode" | "raw"> {
  readonly resumed: boolean;
  /** Unique among the legs of a session. */
  readonly prefix: string;
  readonly respond: (requestId: string, response: object) => void;
  readonly refuse: (requestId: string, why: string) => void;
}

/** Everything that comes from the program, as events: messages through the translator, requests through their engine. */
export class Incoming {
  readonly translator: Translator;
  readonly requests: ReturnType<typeof claudeRequests>;
  readonly turns = new Turns();
  /** The program has ended. */
  gone = false;
  /** Where the program listens for other programs; it leaves it behind when it is killed. */
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

  /** The answer to `initialize`. What it offers is told when the session has started, which is with the first prompt. */
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

  /** Subagents work in the background, between two turns. */
  get onlySubagentsWork(): boolean {
    return !this.turns.running && this.translator.busy;
  }

  /** They were told to stop, and the program gives no result for what is no turn of its own. */
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
    // This result belongs to a turn that has ended: it must not end the next one.
    if (!this.turns.running) return [];
    const ended = this.turns.result(event);
    // Something that was sent is still to come: to the one who reads, the turn goes on.
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

  /** A plan may stand in the message before it is put up for approval. */
  #remember(events: readonly AgentEvent[]): readonly AgentEvent[] {
    for (const event of events) {
      if (event.type === "message.completed" && event.parent === undefined) this.#lastText = event.text;
    }
    return events;
  }
}
