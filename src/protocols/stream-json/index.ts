/**
 * A persistent process, NDJSON in both directions. Requests and answers of both sides are matched by id (`control_request`,
 * `control_response`, `control_cancel_request`).
 */
import { ReinsError } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Child, Exit, LineBatch } from "../../process/types.ts";
import { EventBatches } from "../event-batches.ts";
import { isRecord, parseJson, record, text, type JsonObject } from "../json.ts";
import { Notices } from "../notice-counter.ts";
import { SentRequests, type RequestAnswer } from "../pending-requests.ts";
import { goneError } from "../process-exit.ts";

export { goneOf } from "../process-exit.ts";
export { refusalOf } from "../pending-requests.ts";

/** A request of the agent, such as a permission for a tool or a hook to run. */
export interface WireRequest {
  readonly id: string;
  readonly subtype: string;
  /** The whole request, unchecked. */
  readonly body: JsonObject;
}

/** Converts requests and answers of a program that has no control messages. */
export interface Dialect {
  /** Returns undefined for a message that is neither a request nor an answer. Must not throw. */
  readonly fromWire: (message: JsonObject) => JsonObject | undefined;
  readonly toWire: (message: JsonObject) => object;
}

export interface StreamJsonOptions {
  readonly child: Child;
  /** The agent's display name, for error messages and notices. */
  readonly name: string;
  readonly agent: string;
  readonly dialect?: Dialect | undefined;
  /** Deadline of Reins' requests. */
  readonly requestMs: number;
  /** How long answers may still be in the pipe of a process that has ended. */
  readonly drainMs: number;
  /** Receives every message except requests and answers; a line that is not JSON arrives as a string. Must not throw. */
  readonly translate: (message: unknown) => readonly AgentEvent[];
  /** Receives a request of the agent, which waits until `respond` or `refuse`. Must not throw. */
  readonly onRequest: (request: WireRequest) => readonly AgentEvent[];
  /** The agent withdrew a request with `message`. */
  readonly onWithdrawn: (requestId: string, message: JsonObject) => readonly AgentEvent[];
  readonly onExit: (exit: Exit, stderrTail: string) => readonly AgentEvent[];
}

export interface StreamJson {
  /** A stream for the life of the process, to be read once. Not reading it pauses the agent and its answers. */
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  send(message: object): Promise<void>;
  /** Adds events that do not come from the wire. */
  say(events: readonly AgentEvent[]): void;
  /** Sends a request and returns the agent's answer. Someone must read `events`, or call `readUntil`, to receive it. */
  request(subtype: string, payload?: object, deadlineMs?: number): Promise<unknown>;
  /** Answers a request of the agent. Returns false when the request is unknown, withdrawn or already answered. */
  respond(requestId: string, response: object): boolean;
  refuse(requestId: string, error: string): boolean;
  /** Reads until the promise settles; the events are kept for the reader of `events`. */
  readUntil<Value>(promise: Promise<Value>): Promise<Value>;
}

const controlMessages: Dialect = {
  fromWire: (message) => (String(message["type"]).startsWith("control_") ? message : undefined),
  toWire: (message) => message,
};

export function openStreamJson(options: StreamJsonOptions): StreamJson {
  const { child, name, agent, dialect = controlMessages } = options;
  const requests = new SentRequests({ name, agent, idOf: (count) => `reins-${count}` });
  const notices = new Notices();
  /** The content of the agent's unanswered requests, by id. */
  const asked = new Map<string, string>();
  const gone = (exit: Exit) => requests.end(goneError(name, agent, exit, child.stderrTail()));

  // An answer may still be in the pipe after the process has ended. If nobody reads it in time, fail the request.
  void child.exited.then((exit) => setTimeout(() => gone(exit), options.drainMs).unref());

  const send = (message: object) => child.write(`${lineOf(message)}\n`);

  function answer(requestId: string, body: object): boolean {
    if (!asked.delete(requestId)) return false;
    void send(dialect.toWire({ type: "control_response", response: { ...body, request_id: requestId } }));
    return true;
  }

  function take(batch: LineBatch, out: AgentEvent[]): void {
    for (const line of batch.lines) {
      if (line === "") continue;
      // A line that is not JSON is passed on as text.
      const message = parseJson(line, line);
      const ofControl = isRecord(message) ? dialect.fromWire(message) : undefined;
      if (ofControl !== undefined) control(String(ofControl["type"]), ofControl, out);
      else for (const event of options.translate(message)) out.push(event);
    }
    if (batch.overlong > 0)
      notices.add("truncated", `${name} printed lines that are too long; they were ignored.`, batch.overlong, out);
  }

  function control(type: string, message: JsonObject, out: AgentEvent[]): void {
    if (type === "control_response") {
      const response = record(message["response"]);
      if (!requests.settle(response["request_id"], answerIn(response), out))
        notices.add("unexpected_answer", `${name} answered a request that is not pending.`, 1, out);
      return;
    }
    const id = message["request_id"];
    if (typeof id !== "string") {
      notices.add("unparsed", `${name} sent requests without an id; they were ignored.`, 1, out);
    } else if (type === "control_cancel_request") {
      if (asked.delete(id)) out.push(...options.onWithdrawn(id, message));
    } else if (type === "control_request") {
      onRequest(id, record(message["request"]), out);
    } else {
      out.push(...options.translate(message));
    }
  }

  function onRequest(id: string, body: JsonObject, out: AgentEvent[]): void {
    const content = JSON.stringify(body);
    const before = asked.get(id);
    if (before === undefined) {
      asked.set(id, content);
      out.push(...options.onRequest({ id, subtype: String(body["subtype"]), body }));
      return;
    }
    // Deduplicate: an agent may repeat a request that is still pending.
    if (content === before) return;
    notices.add("repeated_request", `${name} reused the id of a request that is still pending.`, 1, out);
    // The agent would take one answer for both, and so an approval of the first for an approval of the second.
    answer(id, { subtype: "error", error: "This id is in use." });
    out.push(...options.onWithdrawn(id, {}));
  }

  const reading = new EventBatches({
    child,
    onLines: take,
    onFlood: () =>
      requests.end(new ReinsError("protocol_error", `${name} kept printing instead of answering.`, { agent })),
    onEnd(exit, stderrTail, out) {
      gone(exit);
      asked.clear();
      notices.flush(out);
      out.push(...options.onExit(exit, stderrTail));
    },
  });

  return {
    events: { [Symbol.asyncIterator]: () => reading.events() },
    send,
    say: (events) => reading.say(events),
    request(subtype, payload, deadlineMs = options.requestMs) {
      const { id, answer: promise } = requests.add(subtype, deadlineMs);
      void send(dialect.toWire({ type: "control_request", request_id: id, request: { subtype, ...payload } }));
      return promise;
    },
    respond: (requestId, response) => answer(requestId, { subtype: "success", response }),
    refuse: (requestId, error) => answer(requestId, { subtype: "error", error }),
    async readUntil(promise) {
      await reading.until(promise, gone);
      return promise;
    },
  };
}

function answerIn({ subtype, response, error, error_code: code }: JsonObject): RequestAnswer {
  if (subtype === "success") return { result: response };
  return { error: { message: text(error) ?? "it did not say why", code: 0, data: code } };
}

/** Escapes U+2028 and U+2029: JSON allows them inside a string, but some programs split their input there. */
function lineOf(message: object): string {
  return JSON.stringify(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
