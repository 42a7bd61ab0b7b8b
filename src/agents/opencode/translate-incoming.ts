/** Combines everything that comes from the program into events: the translator reads the stream, the requests wait for answers. */
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Out, RpcRequest } from "../../protocols/json-rpc/index.ts";
import { isRecord, list, record, records, text } from "../../protocols/json.ts";
import { workspaceOf } from "../../workspace/real-paths.ts";
import type { OpenOptions } from "../contract.ts";
import { ToolNames, type ToolNamesOptions } from "../shared/tool-filter.ts";
import { readPlan } from "./plan-file.ts";
import { program } from "./program.ts";
import { OpencodeRequests, type RequestsOptions } from "./requests.ts";
import { nativeToolNames } from "./tools.ts";
import { Translator, type TranslatorOptions } from "./translate.ts";

export interface IncomingOptions
  extends
    ToolNamesOptions,
    TranslatorOptions,
    Pick<OpenOptions, "raw" | "mode" | "directories">,
    Pick<RequestsOptions, "release" | "post" | "say" | "stop" | "planFiles"> {
  readonly cwd: string;
  /** The OpenCode agent that carries out an approved plan. */
  readonly worker: () => string;
  /** Called when the event stream was lost and is connected again. */
  readonly caughtUp: () => void;
}

export class Incoming {
  readonly translator: Translator;
  readonly requests: OpencodeRequests;
  readonly names: ToolNames;
  mode: Mode;
  readonly #o: IncomingOptions;

  constructor(options: IncomingOptions) {
    this.#o = options;
    this.mode = options.mode;
    this.names = new ToolNames(options, program, nativeToolNames);
    this.translator = new Translator(options);
    const { calls, sessions } = this.translator;
    const plan = async () => (await readPlan(options.planFiles ?? [])) ?? this.translator.lastSaid;
    this.requests = new OpencodeRequests({
      ...options,
      names: this.names,
      mode: () => this.mode,
      workspace: workspaceOf(options),
      calls,
      sessions,
      plan,
      isStopping: () => this.translator.turns.stopping,
    });
  }

  told(method: string, params: unknown, out: Out): void {
    if (method === "event") this.#keep(params, this.event(params), out);
    else if (method === "http/listening" && record(params)["connected"] === "again") this.#o.caughtUp();
  }

  asked({ id, method, params }: RpcRequest, out: Out): void {
    if (method === "reins/hold") this.#keep(params, this.requests.held(id, params), out);
  }

  event(event: unknown): AgentEvent[] {
    const { type, properties } = record(event);
    const events = this.#eventOf(text(type) ?? "", properties, event);
    const asked = this.requests.flush(type === "server.heartbeat");
    return [...events, ...asked, ...this.ended()];
  }

  /** Returns the end of the turn if it has ended. */
  ended(): AgentEvent[] {
    const events = this.translator.ended();
    if (events.length > 0) this.requests.turnEnded();
    return events;
  }

  #eventOf(type: string, properties: unknown, event: unknown): AgentEvent[] {
    switch (type) {
      case "permission.asked":
        return this.requests.permission(properties);
      case "permission.replied":
      case "question.replied":
      case "question.rejected":
        return this.requests.withdrawn(text(record(properties)["requestID"]) ?? "");
      case "question.asked":
        return this.requests.question(properties);
      default:
        return this.#followed(this.translator.translate(event));
    }
  }

  #followed(events: readonly AgentEvent[]): AgentEvent[] {
    return events.flatMap((event): AgentEvent[] => {
      if (event.type !== "tool.completed" && event.type !== "tool.failed") return [event];
      const ended = [...this.requests.callEnded(event.callId), event];
      const isApproved =
        event.type === "tool.completed" && this.translator.calls.lastEnded === `plan_exit ${event.callId}`;
      if (this.mode !== "plan" || !isApproved) return ended;
      // Another agent of OpenCode carries out an approved plan, and asks.
      this.mode = "ask";
      return [...ended, { type: "session.updated", mode: "ask", nativeMode: this.#o.worker(), by: "agent" }];
    });
  }

  #keep(message: unknown, events: readonly AgentEvent[], out: Out): void {
    for (const event of events) out.push(this.#o.raw === true ? { ...event, raw: message } : event);
  }
}

/** The events that were missed while the stream was lost. `first` is the first message of the turn; ids are ordered. */
export function missedEvents(session: string, first: string, messages: unknown, status: unknown): object[] {
  const events: object[] = [];
  for (const { info, parts } of records(messages)) {
    const id = text(record(info)["id"]);
    if (id === undefined || id < first) continue;
    events.push({ type: "message.updated", properties: { info } });
    for (const part of list(parts)) events.push({ type: "message.part.updated", properties: { part } });
  }
  const idle = isRecord(status) && status[session] === undefined;
  return idle ? [...events, { type: "session.idle", properties: { sessionID: session } }] : events;
}
