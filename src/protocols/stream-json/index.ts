/**
 * A driver: one persistent process, NDJSON in both directions, requests and answers of both sides matched by id
 * (`control_request`, `control_response`, `control_cancel_request`). Which agent it is, only its options know.
 */
import { ReinsError } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Exit, LineBatch } from "../../process/types.ts";
import { EventBatches } from "../event-batches.ts";
import { isRecord, parseJson, record, text } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { Notices } from "../notice-counter.ts";
import { SentRequests } from "../pending-requests.ts";
import type { RequestAnswer } from "../pending-requests.ts";
import { goneError } from "../process-exit.ts";
import type { Dialect, StreamJson, StreamJsonOptions } from "./types.ts";

export { goneOf } from "../process-exit.ts";
export { refusalOf } from "../pending-requests.ts";
export type { Dialect, StreamJson, StreamJsonOptions, WireRequest } from "./types.ts";

const controlMessages: Dialect = {
  fromWire: (message) => (String(message["type"]).startsWith("control_") ? message : undefined),
  toWire: (message) => message,
};

export function openStreamJson(options: StreamJsonOptions): StreamJson {
  const { child, name, agent, dialect = controlMessages } = options;
  const requests = new SentRequests({ name, agent, idOf: (count) => `reins-${count}` });
  const notices = new Notices();
  /** The requests of the agent that have no answer yet, as they were asked. */
  const asked = new Map<string, string>();
  const gone = (exit: Exit) => requests.end(goneError(name, agent, exit, child.stderrTail()));

  // An answer may still lie in the pipe when the process is gone; when nobody reads it in time, it never comes.
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
      // A line that is no JSON is itself the message: the agent's folder says what becomes of it.
      const message = parseJson(line, line);
      const ofControl = isRecord(message) ? dialect.fromWire(message) : undefined;
      if (ofControl !== undefined) control(String(ofControl["type"]), ofControl, out);
      else for (const event of options.translate(message)) out.push(event);
    }
    if (batch.overlong > 0)
      notices.add("truncated", `${name} printed lines over the limit; they were left out.`, batch.overlong, out);
  }

  function control(type: string, message: JsonObject, out: AgentEvent[]): void {
    if (type === "control_response") {
      const response = record(message["response"]);
      if (!requests.settle(response["request_id"], answerIn(response), out))
        notices.add("unexpected_answer", `${name} answered what nobody waits for.`, 1, out);
      return;
    }
    const id = message["request_id"];
    if (typeof id !== "string") {
      notices.add("unparsed", `${name} sent requests without an id; they were left out.`, 1, out);
    } else if (type === "control_cancel_request") {
      if (asked.delete(id)) out.push(...options.onWithdrawn(id, message));
    } else if (type === "control_request") {
      const body = record(message["request"]);
      onRequest(id, body, out);
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
    // An agent may repeat a request that still waits.
    if (content === before) return;
    notices.add("repeated_request", `${name} used the id of a request again that has no answer yet.`, 1, out);
    // One answer would be taken for both, and an approval of the first for an approval of the second.
    answer(id, { subtype: "error", error: "This id is in use." });
    out.push(...options.onWithdrawn(id, {}));
  }

  const reading = new EventBatches({
    child,
    onLines: take,
    onFlood: () =>
      requests.end(new ReinsError("protocol_error", `${name} went on talking instead of answering.`, { agent })),
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

/** Some programs split their input at these too, which JSON allows inside a text. */
function lineOf(message: object): string {
  return JSON.stringify(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
