/** Combines everything that comes from the program into events: messages through the translator, dialogs through the requests. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Exit } from "../../process/types.ts";
import { record, text, texts, type JsonObject } from "../../protocols/json.ts";
import type { AgentRequests } from "../../protocols/requests.ts";
import type { Dialect, WireRequest } from "../../protocols/stream-json/index.ts";
import type { OpenOptions } from "../contract.ts";
import { ToolNames, type ToolNamesOptions } from "../shared/tool-filter.ts";
import { failures } from "./failures.ts";
import { program } from "./program.ts";
import { piRequests, type PiRequestsOptions } from "./requests.ts";
import { nativeToolNames } from "./tools.ts";
import { Translator, mostRetries } from "./translate.ts";

export interface IncomingOptions
  extends Pick<OpenOptions, "raw">, ToolNamesOptions, Omit<PiRequestsOptions, "names" | "calls"> {
  /** Unique among the legs of a session. */
  readonly prefix: string;
  readonly stopRetrying: () => void;
  /** Called when pi began to work although the turn was cancelled. */
  readonly cancelAgain: () => void;
  readonly kill: () => void;
}

export class Incoming {
  readonly translator: Translator;
  readonly requests: AgentRequests<WireRequest>;
  readonly names: ToolNames;
  gone = false;
  /** The active tools, as the hold extension reported when it was loaded. */
  holds: readonly string[] | undefined;
  readonly #o: IncomingOptions;
  #broken: ErrorInfo | undefined;

  constructor(options: IncomingOptions) {
    this.#o = options;
    this.translator = new Translator(options);
    this.names = new ToolNames(options, program, nativeToolNames);
    this.requests = piRequests({ ...options, names: this.names, calls: this.translator.calls });
  }

  prompted(): void {
    this.names.prompted();
    this.translator.promptSent();
  }

  message(message: unknown): readonly AgentEvent[] {
    const wire = record(message);
    if (wire["method"] === "notify" && this.#isReady(wire)) return [];
    if (!this.#isHeld(wire)) return this.#unheld(wire);
    if (wire["type"] === "auto_retry_start" && Number(wire["attempt"]) > mostRetries) this.#o.stopRetrying();
    if (wire["type"] === "agent_start" && this.translator.cancelling) this.#o.cancelAgain();
    return this.ended(this.translator.translate(message));
  }

  request(request: WireRequest): readonly AgentEvent[] {
    const { id, body } = request;
    // Between turns nobody can answer an extension.
    if (body["title"] !== this.#o.title && !this.translator.running) {
      this.#o.respond(id, undefined);
      return [];
    }
    const events = this.requests.received(request);
    return this.#o.raw === true ? events.map((event) => ({ ...event, raw: body })) : events;
  }

  /** pi never withdraws a request, but it may reuse the id of a pending one. */
  withdrawn(requestId: string): readonly AgentEvent[] {
    return this.requests.withdrawn(requestId);
  }

  exited(exit: Exit, stderrTail: string): readonly AgentEvent[] {
    this.gone = true;
    return this.ended(this.translator.exited(exit, stderrTail, this.#broken));
  }

  /** Nothing waits beyond the end of a turn. */
  ended(events: readonly AgentEvent[]): readonly AgentEvent[] {
    if (events.some(({ type }) => type === "turn.ended")) this.requests.turnEnded();
    return events;
  }

  #isReady(wire: JsonObject): boolean {
    const said = text(wire["message"]);
    if (said === undefined || !said.startsWith("{") || !said.includes(this.#o.title)) return false;
    this.holds = texts(record(JSON.parse(said))["tools"]);
    return true;
  }

  /** A call that was not allowed has no output and does not succeed. */
  #isHeld(wire: JsonObject): boolean {
    const { type, toolCallId } = wire;
    const runs = type === "tool_execution_update" || (type === "tool_execution_end" && wire["isError"] !== true);
    return !runs || this.translator.calls.mayRun(String(toolCallId));
  }

  #unheld(wire: JsonObject): readonly AgentEvent[] {
    if (this.#broken !== undefined) return [];
    const message = `pi ran the tool ${text(wire["toolName"]) ?? "unknown"} without asking Reins, so Reins ended it.`;
    this.#broken = failures.info("protocol_error", message, {
      help: "Look for an extension of pi that interferes.",
    });
    this.#o.kill();
    return [{ type: "notice", level: "error", code: "unheld", message }];
  }
}

/** Methods that wait for an answer; the others only show something. */
const dialogs: ReadonlySet<unknown> = new Set(["select", "confirm", "input", "editor"]);

/** pi's format of requests and answers: commands and responses of Reins, dialogs of pi's extensions. */
export const dialect: Dialect = {
  fromWire(message) {
    const id = text(message["id"]);
    if (id === undefined) return undefined;
    if (message["type"] === "response") {
      const subtype = message["success"] === true ? "success" : "error";
      const response = { subtype, request_id: id, response: message["data"], error: message["error"] };
      return { type: "control_response", response };
    }
    if (message["type"] !== "extension_ui_request" || !dialogs.has(message["method"])) return undefined;
    return { type: "control_request", request_id: id, request: { ...message, subtype: message["method"] } };
  },
  toWire(message) {
    if (message["type"] === "control_request") {
      const { subtype, ...payload } = record(message["request"]);
      return { ...payload, id: message["request_id"], type: subtype };
    }
    const { request_id: id, subtype, response } = record(message["response"]);
    const type = "extension_ui_response";
    return subtype === "success" ? { ...record(response), type, id } : { type, id, cancelled: true };
  },
};
