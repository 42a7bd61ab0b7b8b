/** JSON-RPC with a persistent process, in both directions, one message a line. The ids of the two directions are independent. */
import { oneLine } from "../../events/printable.ts";
import { goneError } from "../process-exit.ts";
import { Notices } from "../notice-counter.ts";
import type { LineBatch } from "../../process/types.ts";
import { EventBatches } from "../event-batches.ts";
import { isRecord, number, parseJson, record, text, type JsonObject } from "../json.ts";
import { ReceivedRequests, SentRequests, type RequestAnswer, type RequestError } from "../pending-requests.ts";
import type { JsonRpc, JsonRpcOptions, Out } from "./types.ts";

export { goneOf } from "../process-exit.ts";
export { refusalOf } from "../pending-requests.ts";
export type { RequestAnswer as RpcAnswer, RequestError as RpcError } from "../pending-requests.ts";
export type { JsonRpc, JsonRpcOptions, Out, RpcRequest } from "./types.ts";

export const rpcErrors = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  cancelled: -32800,
} as const;

/** How many characters of an invalid line a notice shows. */
const shownGarbage = 80;

export function openJsonRpc(options: JsonRpcOptions): JsonRpc {
  const { child, name, agent, cancelMethod } = options;
  const version = options.versioned === false ? {} : { jsonrpc: "2.0" };
  const notices = new Notices();
  const asked = new ReceivedRequests();
  const requests = new SentRequests({ name, agent, idOf: (count) => count, onLate: withdraw });

  const send = (message: object) => child.write(`${JSON.stringify({ ...version, ...message })}\n`);
  const notify = (method: string, params?: object) => send({ method, params });
  const gone = (exit: { code: number | null; signal: NodeJS.Signals | null }) =>
    requests.end(goneError(name, agent, exit, child.stderrTail()));

  // An answer may still be in the pipe after the process has ended. If nobody reads it in time, fail the request.
  void child.exited.then((exit) => setTimeout(() => gone(exit), options.drainMs).unref());

  function withdraw(requestId: number): void {
    if (cancelMethod !== undefined) void notify(cancelMethod, { requestId });
  }

  function respond(requestId: string, body: object): boolean {
    const id = asked.take(requestId);
    if (id === undefined) return false;
    void send({ id, ...body });
    return true;
  }

  function onLines(batch: LineBatch, out: Out): void {
    for (const line of batch.lines) {
      if (line === "") continue;
      const message = parseJson(line);
      // None of the protocols here uses batches.
      if (isRecord(message)) onMessage(message, out);
      else garbage(line, out);
    }
    if (batch.overlong > 0)
      notices.add("truncated", `${name} printed lines that are too long; they were ignored.`, batch.overlong, out);
  }

  function garbage(line: string, out: Out): void {
    const shown = oneLine(line.slice(0, shownGarbage));
    notices.add(
      "unparsed",
      `${name} printed lines that are not JSON-RPC; they were ignored. The first begins: ${shown}`,
      1,
      out,
    );
  }

  function onMessage(message: JsonObject, out: Out): void {
    const { method, id } = message;
    if (typeof method === "string") {
      if (id !== undefined) onRequest(method, id, message, out);
      else if (method === cancelMethod) onCancelled(record(message["params"])["requestId"], out);
      else options.onNotification(method, message["params"], message, out);
    } else if (id === undefined) {
      garbage(JSON.stringify(message), out);
    } else if (!requests.settle(id, answerIn(message), out)) {
      notices.add("unexpected_answer", `${name} answered a request that is not pending.`, 1, out);
    }
  }

  function onCancelled(wireId: unknown, out: Out): void {
    const id = asked.idOf(wireId);
    if (id === undefined) return;
    respond(id, { error: { code: rpcErrors.cancelled, message: "Request cancelled" } satisfies RequestError });
    options.onWithdrawn?.(id, out);
  }

  function onRequest(method: string, wireId: unknown, message: JsonObject, out: Out): void {
    if (typeof wireId !== "string" && typeof wireId !== "number") {
      notices.add("unparsed", `${name} sent requests without an id; they were ignored.`, 1, out);
      return;
    }
    const taken = asked.add(wireId, message);
    if ("id" in taken) return options.onRequest({ id: taken.id, method, params: message["params"], message }, out);
    notices.add("repeated_request", `${name} reused the id of a request that is still pending.`, 1, out);
    if ("repeated" in taken) return;
    void send({ id: wireId, error: { code: rpcErrors.invalidRequest, message: "This id is in use" } });
    options.onWithdrawn?.(taken.contradicts, out);
  }

  const reading = new EventBatches({
    child,
    onLines,
    onEnd(exit, stderrTail, out) {
      gone(exit);
      asked.clear();
      notices.flush(out);
      options.onExit(exit, stderrTail, out);
    },
  });

  return {
    events: { [Symbol.asyncIterator]: () => reading.events() },
    notify,
    request(method, params, { deadlineMs = options.requestMs, onAnswer } = {}) {
      const { id, answer } = requests.add(method, deadlineMs, onAnswer);
      void send({ id, method, params });
      return answer;
    },
    respond: (requestId, result) => respond(requestId, { result }),
    refuse: (requestId, error) => respond(requestId, { error }),
    forget(wireId) {
      const id = asked.idOf(wireId);
      if (id !== undefined) asked.take(id);
      return id;
    },
    say: (...events) => reading.say(events),
    async readUntil(promise) {
      await reading.until(promise, gone);
      return promise;
    },
  };
}

function answerIn({ error, result }: JsonObject): RequestAnswer {
  if (error === undefined || error === null) return { result };
  const { code, message, data } = record(error);
  return { error: { code: number(code) ?? 0, message: text(message) ?? "it did not say why", data } };
}
