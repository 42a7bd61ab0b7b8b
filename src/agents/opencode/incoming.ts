/** Everything that comes from the program, as events: what it tells through the translator, what it asks through the permissions. */
import type { Out, RpcRequest } from "../../drivers/json-rpc/index.ts";
import { record, text } from "../../drivers/stream-json/read.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import type { OpenOptions } from "../contract.ts";
import { Permissions } from "./permissions.ts";
import type { PermissionsOptions } from "./permissions.ts";
import { readPlan } from "./plan-file.ts";
import { Rules } from "./rules.ts";
import type { RulesOptions } from "./rules.ts";
import { Translator } from "./translate.ts";
import type { TranslatorOptions } from "./translate.ts";

export interface IncomingOptions
  extends
    RulesOptions,
    TranslatorOptions,
    Pick<OpenOptions, "raw">,
    Pick<PermissionsOptions, "release" | "post" | "say" | "stop"> {
  readonly cwd: string;
  /** The agent that works after a plan was approved. */
  readonly worker: () => string;
  /** Its stream was lost, and is there again. */
  readonly caughtUp: () => void;
}

export class Incoming {
  readonly translator: Translator;
  readonly permissions: Permissions;
  readonly rules: Rules;
  /** The program has ended. */
  gone = false;
  readonly #o: IncomingOptions;

  constructor(options: IncomingOptions) {
    this.#o = options;
    this.rules = new Rules(options);
    this.translator = new Translator(options);
    const { calls, sessions } = this.translator;
    const plan = async () => (await readPlan(options.planFiles ?? [])) ?? this.translator.lastSaid;
    this.permissions = new Permissions({ ...options, rules: this.rules, calls, sessions, plan });
  }

  told(method: string, params: unknown, out: Out): void {
    if (method === "event") this.#keep(params, this.event(params), out);
    else if (method === "http/listening" && record(params)["connected"] === "again") this.#o.caughtUp();
  }

  asked({ id, method, params }: RpcRequest, out: Out): void {
    if (method === "reins/hold") this.#keep(params, this.permissions.held(id, params), out);
  }

  /** One event of its stream. */
  event(event: unknown): AgentEvent[] {
    const { type, properties } = record(event);
    const events = this.#eventOf(text(type) ?? "", properties, event);
    const asked = this.permissions.flush(type === "server.heartbeat");
    return [...events, ...asked, ...this.ended()];
  }

  /** Where the turn is over, its end. Nothing waits beyond it. */
  ended(): AgentEvent[] {
    const events = this.translator.ended();
    if (events.length > 0) this.permissions.turnEnded();
    return events;
  }

  exited(exit: Exit, stderrTail: string, out: Out): void {
    this.gone = true;
    out.push(...this.translator.exited(exit, stderrTail));
  }

  #eventOf(type: string, properties: unknown, event: unknown): AgentEvent[] {
    switch (type) {
      case "permission.asked":
        this.permissions.native.asked(properties);
        return [];
      case "permission.replied":
        return this.permissions.native.withdrawn(properties);
      case "question.asked":
        return this.permissions.question(properties);
      default:
        return this.#followed(this.translator.translate(event));
    }
  }

  /** An approved plan is carried out by another agent of its own, which asks. */
  #followed(events: readonly AgentEvent[]): AgentEvent[] {
    return events.flatMap((event): AgentEvent[] => {
      if (event.type !== "tool.completed" || this.rules.mode !== "plan" || !this.#leftPlanning(event.callId))
        return [event];
      this.rules.mode = "ask";
      return [event, { type: "session.updated", mode: "ask", nativeMode: this.#o.worker(), by: "agent" }];
    });
  }

  #leftPlanning(callId: string): boolean {
    return this.translator.calls.lastEnded === `plan_exit ${callId}`;
  }

  #keep(message: unknown, events: readonly AgentEvent[], out: Out): void {
    for (const event of events) out.push(this.#o.raw === true ? { ...event, raw: message } : event);
  }
}
