/** Everything that comes from the program, as events: messages through the translator, requests through the permissions. */
import type { WireRequest } from "../../drivers/stream-json/index.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import type { OpenOptions } from "../contract.ts";
import { exitError } from "./errors-exit.ts";
import { Permissions } from "./permissions.ts";
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { createTranslator } from "./translate.ts";
import type { Translator } from "./translate.ts";
import { Turns } from "./turns.ts";

export interface IncomingOptions extends Pick<OpenOptions, "cwd" | "mode" | "raw"> {
  readonly resumed: boolean;
  /** Unique among the legs of a session. */
  readonly prefix: string;
  /** Answers a request that is none of ours. */
  readonly refuse: (requestId: string, why: string) => void;
}

export class Incoming {
  readonly translator: Translator;
  readonly permissions: Permissions;
  readonly turns = new Turns();
  /** The program has ended. */
  gone = false;
  /** Where the program listens for other programs; it leaves it behind when it is killed. */
  socket: string | undefined;
  readonly #options: IncomingOptions;
  #commands: AgentEventOf<"session.updated">["commands"];
  /** Task calls by the id of the subagent each started. */
  readonly #subagents = new Map<string, string>();
  #stopping = false;
  #lastText = "";
  #messages = 0;
  #garbage = 0;

  constructor(options: IncomingOptions) {
    this.#options = options;
    this.translator = createTranslator(options);
    this.permissions = new Permissions({
      cwd: options.cwd,
      parentOf: (callId, agentId) => this.translator.call(callId)?.parent ?? this.#subagents.get(agentId ?? ""),
      planOf: (callId) => text(record(this.translator.call(callId)?.input)["plan"]) ?? text(this.#lastText),
    });
  }

  /** It printed something, and nothing of it was a message. */
  get onlyGarbage(): boolean {
    return this.#garbage > 0 && this.#messages === 0;
  }

  /** The answer to `initialize`. What it offers is told when the session has started, which is with the first prompt. */
  initialized(answer: Wire): void {
    this.#commands = list(answer["commands"]).flatMap((item) => {
      const { name, description } = record(item);
      return typeof name === "string" ? [{ name, description: text(description) }] : [];
    });
  }

  message(message: unknown): readonly AgentEvent[] {
    if (typeof record(message)["type"] !== "string") {
      this.#garbage++;
      return this.translator.translate(message);
    }
    this.#messages++;
    const wire = message as Wire;
    switch (wire["type"]) {
      case "command_lifecycle":
        return this.turns.lifecycle(wire["command_uuid"], wire["state"]);
      case "system":
        return wire["subtype"] === "init"
          ? this.#introduced(wire)
          : [...this.#learn(this.translator.translate(message)), ...this.#stopped()];
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
    // One too many, which must not end the next turn.
    if (!this.turns.running) return [];
    const ended = this.turns.result(event);
    // Something that was sent is still to come: to the one who reads, the turn goes on.
    if (ended.length === 0) this.translator.goesOn();
    return ended;
  }

  request({ id, subtype, body }: WireRequest): readonly AgentEvent[] {
    const events = this.#request(id, subtype, body);
    return this.#options.raw === true ? events.map((event) => ({ ...event, raw: body })) : events;
  }

  exited(exit: Exit, stderrTail: string): readonly AgentEvent[] {
    this.gone = true;
    const events = this.translator.exited(exit, stderrTail);
    const ended = this.turns.running ? events.find((event) => event.type === "turn.ended") : undefined;
    const crashed = (): AgentEventOf<"turn.ended"> => ({
      type: "turn.ended",
      outcome: "failed",
      error: exitError(exit, stderrTail, this.onlyGarbage),
    });
    return [...events.filter((event) => event.type !== "turn.ended"), ...this.turns.exited(ended, crashed)];
  }

  #introduced(message: Wire): readonly AgentEvent[] {
    this.turns.introduced();
    this.socket = text(message["messaging_socket_path"]) ?? this.socket;
    const events = [...this.translator.translate(message)];
    if (this.#commands !== undefined) events.push({ type: "session.updated", commands: this.#commands, by: "agent" });
    this.#commands = undefined;
    return events;
  }

  /** A subagent may ask before its call is reported; then only its id tells whose call it is. */
  #learn(events: readonly AgentEvent[]): readonly AgentEvent[] {
    for (const event of events) {
      if (event.type === "task.started" && event.callId !== undefined) this.#subagents.set(event.taskId, event.callId);
    }
    return events;
  }

  /** A plan may stand in the message before it is put up for approval. */
  #remember(events: readonly AgentEvent[]): readonly AgentEvent[] {
    for (const event of events) {
      if (event.type === "message.completed" && event.parent === undefined) this.#lastText = event.text;
    }
    return events;
  }

  #request(id: string, subtype: string, body: Wire): AgentEvent[] {
    switch (subtype) {
      case "hook_callback":
        return this.permissions.held(id, body);
      case "can_use_tool":
        return this.permissions.asked(id, body);
      default:
        this.#options.refuse(id, "Reins does not do this.");
        return [
          {
            type: "notice",
            level: "warning",
            code: "divergence",
            message: `Claude Code asked for ${subtype}, which Reins does not do.`,
          },
        ];
    }
  }
}
