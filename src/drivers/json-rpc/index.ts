/**
 * A driver: one persistent process, JSON-RPC in both directions, one message a line. Ids of the two directions have nothing to do
 * with each other. What the methods mean, only its options know.
 */
import { oneLine } from "../../events/printable.ts";
import { goneError } from "../shared/gone.ts";
import { Notices } from "../shared/notices.ts";
import type { LineBatch } from "../../process/types.ts";
import { Asked } from "./asked.ts";
import { Reading } from "./reading.ts";
import { Requests } from "./requests.ts";
import type { JsonRpc, JsonRpcOptions, Out, RpcError, Wire } from "./types.ts";

export { goneOf } from "../shared/gone.ts";
export { refusalOf } from "./requests.ts";
export type { JsonRpc, JsonRpcOptions, Out, RpcAnswer, RpcError, RpcRequest } from "./types.ts";

export const rpcErrors = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  cancelled: -32800,
} as const;

/** How much of a line that is no message is shown. */
const shownGarbage = 80;

export function openJsonRpc(options: JsonRpcOptions): JsonRpc {
  const { child, name, agent, cancelMethod } = options;
  const version = options.versioned === false ? {} : { jsonrpc: "2.0" };
  const notices = new Notices();
  const asked = new Asked();
  const requests = new Requests({ name, agent, onLate: (id) => withdraw(id) });

  const send = (message: object) => child.write(`${JSON.stringify({ ...version, ...message })}\n`);
  const notify = (method: string, params?: object) => send({ method, params });
  const gone = (exit: { code: number | null; signal: NodeJS.Signals | null }) =>
    requests.end(goneError(name, agent, exit, child.stderrTail()));

  // An answer may still lie in the pipe when the process is gone; when nobody reads it in time, it never comes.
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
      const message = parse(line);
      if (message === undefined) garbage(line, out);
      else onMessage(message, out);
    }
    if (batch.overlong > 0)
      notices.add("truncated", `${name} printed lines over the limit; they were left out.`, batch.overlong, out);
  }

  function garbage(line: string, out: Out): void {
    const shown = oneLine(line.slice(0, shownGarbage));
    notices.add("unparsed", `${name} printed what is no JSON-RPC; it was left out. It begins: ${shown}`, 1, out);
  }

  function onMessage(message: Wire, out: Out): void {
    const { method, id } = message;
    if (typeof method === "string") {
      if (id === undefined) onNotification(method, message, out);
      else onRequest(method, id, message, out);
    } else if (id === undefined) {
      garbage(JSON.stringify(message), out);
    } else if (!requests.settle(message, out)) {
      notices.add("unexpected_answer", `${name} answered what nobody waits for.`, 1, out);
    }
  }

  function onNotification(method: string, message: Wire, out: Out): void {
    if (method === cancelMethod) onCancelled((message["params"] as Wire | null | undefined)?.["requestId"], out);
    else options.onNotification(method, message["params"], message, out);
  }

  function onCancelled(wireId: unknown, out: Out): void {
    const id = asked.idOf(wireId);
    if (id === undefined) return;
    respond(id, { error: { code: rpcErrors.cancelled, message: "Request cancelled" } satisfies RpcError });
    options.onWithdrawn?.(id, out);
  }

  function onRequest(method: string, wireId: unknown, message: Wire, out: Out): void {
    if (typeof wireId !== "string" && typeof wireId !== "number") {
      notices.add("unparsed", `${name} sent requests without an id; they were left out.`, 1, out);
      return;
    }
    const taken = asked.add(wireId, message);
    if ("id" in taken) return options.onRequest({ id: taken.id, method, params: message["params"], message }, out);
    notices.add("repeated_request", `${name} used the id of a request again that has no answer yet.`, 1, out);
    if ("repeated" in taken) return;
    void send({ id: wireId, error: { code: rpcErrors.invalidRequest, message: "This id is in use" } });
    options.onWithdrawn?.(taken.contradicts, out);
  }

  const reading = new Reading({
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

/** A message is an object; a batch of them is not in the protocols spoken here. */
function parse(line: string): Wire | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === "object" && message !== null && !Array.isArray(message) ? (message as Wire) : undefined;
  } catch {
    return undefined;
  }
}
