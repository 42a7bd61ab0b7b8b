import { describe, expect, test, vi } from "vitest";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import type { AgentEvent } from "../../events/types.ts";
import { goneOf, openJsonRpc, refusalOf, type JsonRpc, type JsonRpcOptions, type RpcRequest } from "./index.ts";

function open(child: StandInChild, more: Partial<JsonRpcOptions> = {}) {
  const asked: RpcRequest[] = [];
  const rpc = openJsonRpc({
    child,
    name: "Some Agent",
    agent: "some",
    requestMs: 1_000,
    drainMs: 10,
    cancelMethod: "$/cancel_request",
    onNotification: (method, params, _message, out) =>
      out.push({ type: "message.delta", messageId: method, text: JSON.stringify(params) ?? "nothing" }),
    onRequest: (request, out) => {
      asked.push(request);
      out.push({ type: "turn.phase", phase: "person" });
    },
    onWithdrawn: (requestId, out) =>
      out.push({ type: "permission.resolved", requestId, outcome: "cancelled", by: "agent" }),
    onExit: ({ code, signal }, stderrTail, out) => out.push({ type: "process.exited", code, signal, stderrTail }),
    ...more,
  });
  return { rpc, asked };
}

async function readAll(rpc: JsonRpc): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const batch of rpc.events) all.push(...batch);
  return all;
}

const said = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "message.delta" ? [`${event.messageId} ${event.text}`] : []));
const notices = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === "notice" ? [[event.code, event.count]] : []));

describe("reading", () => {
  test("yields messages that arrived together as one batch, and the exit last", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    child.print({ method: "a" }, "", { jsonrpc: "2.0", method: "b", params: { x: 1 } });
    child.stderr = "bye";
    child.exit({ code: 3 });
    const batches: (readonly AgentEvent[])[] = [];
    for await (const batch of rpc.events) batches.push(batch);
    expect(batches.map((batch) => batch.length)).toEqual([2, 1]);
    expect(said(batches.flat())).toEqual(["a nothing", 'b {"x":1}']);
    expect(batches.flat().at(-1)).toEqual({ type: "process.exited", code: 3, signal: null, stderrTail: "bye" });
  });

  test("leaves output in the pipe while nobody reads", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    for (let i = 0; i < 5; i++) child.print({ method: "a" });
    await rpc.events[Symbol.asyncIterator]().next();
    expect(child.taken).toBe(1);
  });

  test("counts invalid messages in few notices, and quotes the first", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    child.printOverlong(2);
    for (let i = 0; i < 10; i++) child.print(`banner \u001b[31m${"x".repeat(200)}`, "[1", "[]", "7", "null", "{}");
    child.print({ method: "a" });
    child.exit();
    const events = await readAll(rpc);
    expect(said(events)).toEqual(["a nothing"]);
    expect(events).toContainEqual(expect.objectContaining({ code: "truncated", count: 2 }));
    const garbage = events.filter((event) => event.type === "notice" && event.code === "unparsed");
    expect(garbage.length).toBeLessThan(8);
    expect(notices(garbage).reduce((sum, [, count]) => sum + Number(count), 0)).toBe(60);
    expect(garbage[0]).toMatchObject({ message: expect.stringMatching(/The first begins: banner x{50,75}$/) });
  });

  test("readUntil keeps the events for the later reader, with events of Reins first", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    const answer = rpc.readUntil(rpc.request("initialize"));
    child.print({ method: "early" });
    child.print({ id: 1, result: "ready" }, { method: "same batch" });
    expect(await answer).toBe("ready");
    rpc.say({ type: "turn.phase", phase: "model" });
    const reader = rpc.events[Symbol.asyncIterator]();
    expect((await reader.next()).value).toMatchObject([
      { type: "turn.phase" },
      { messageId: "early" },
      { messageId: "same batch" },
    ]);
    child.print({ method: "later" });
    rpc.say({ type: "turn.phase", phase: "tool" });
    expect((await reader.next()).value).toMatchObject([{ phase: "tool" }]);
    expect((await reader.next()).value).toMatchObject([{ messageId: "later" }]);
  });

  test("delivers events of Reins at once while the agent is silent", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    const reader = rpc.events[Symbol.asyncIterator]();
    const waiting = reader.next();
    rpc.say({ type: "turn.phase", phase: "tool" });
    expect((await waiting).value).toEqual([{ type: "turn.phase", phase: "tool" }]);
    rpc.say({ type: "turn.phase", phase: "retry" });
    expect((await reader.next()).value).toEqual([{ type: "turn.phase", phase: "retry" }]);
    child.print({ method: "later" });
    expect((await reader.next()).value).toMatchObject([{ messageId: "later" }]);
  });

  test("readUntil ends with the process, and loses nothing at a deadline", async () => {
    const gone = new StandInChild();
    const broken = open(gone).rpc;
    const answer = broken.readUntil(broken.request("initialize"));
    gone.print({ method: "early" });
    gone.stderr = "error: unknown option";
    gone.exit({ code: 1 });
    await expect(answer).rejects.toThrow("Some Agent ended with code 1: error: unknown option");
    expect((await readAll(broken)).map(({ type }) => type)).toEqual(["message.delta", "process.exited"]);

    const silent = new StandInChild();
    const { rpc } = open(silent, { requestMs: 5 });
    await expect(rpc.readUntil(rpc.request("initialize"))).rejects.toMatchObject({ code: "agent_hung" });
    silent.print({ method: "after all" });
    silent.exit();
    expect((await readAll(rpc)).map(({ type }) => type)).toEqual(["message.delta", "process.exited"]);
  });
});

describe("requests of Reins", () => {
  test("matches answers in any order", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    void readAll(rpc);
    const first = rpc.request("one", { x: 1 });
    const second = rpc.request("two");
    await rpc.notify("three", { y: 2 });
    expect(child.received).toEqual([
      { jsonrpc: "2.0", id: 1, method: "one", params: { x: 1 } },
      { jsonrpc: "2.0", id: 2, method: "two" },
      { jsonrpc: "2.0", method: "three", params: { y: 2 } },
    ]);
    child.print({ id: 2, result: { n: 2 } });
    child.print({ id: 1, result: { n: 1 } });
    expect(await first).toEqual({ n: 1 });
    expect(await second).toEqual({ n: 2 });
    child.exit();
  });

  test("omits the version when `versioned` is false", async () => {
    const child = new StandInChild();
    const { rpc } = open(child, { versioned: false });
    void rpc.request("one");
    expect(child.received).toEqual([{ id: 1, method: "one" }]);
    child.exit();
  });

  test("places the events of an answer where it arrived", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    void rpc.request(
      "prompt",
      {},
      {
        deadlineMs: Infinity,
        onAnswer: (answer, out) => {
          expect(answer).toEqual({ result: { stopReason: "end_turn" } });
          out.push({ type: "turn.ended", outcome: "done" });
        },
      },
    );
    child.print({ method: "before" }, { id: 1, result: { stopReason: "end_turn" } }, { method: "after" });
    child.exit();
    expect((await readAll(rpc)).map(({ type }) => type)).toEqual([
      "message.delta",
      "turn.ended",
      "message.delta",
      "process.exited",
    ]);
  });

  test("reports the code, message and data of a refusal", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    void readAll(rpc);
    const answer = rpc.request("session/new");
    child.print({ id: 1, error: { code: -32000, message: "Sign in", data: { a: 1 } } });
    const error: unknown = await answer.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "protocol_error",
      agent: "some",
      message: "Some Agent refused session/new: Sign in",
    });
    expect(refusalOf(error)).toEqual({ method: "session/new", code: -32000, message: "Sign in", data: { a: 1 } });
    expect(refusalOf(new Error("other"))).toBeUndefined();
    const second = rpc.request("session/new");
    child.print({ id: 2, error: "what" });
    await expect(second).rejects.toThrow("it did not say why");
    const third = rpc.request("session/new");
    child.print({ id: 3, result: 1, error: null });
    expect(await third).toBe(1);
    child.exit();
  });

  test("cancels a request at its deadline and reports a late answer as a notice", async () => {
    vi.useFakeTimers();
    try {
      const child = new StandInChild();
      const { rpc } = open(child, { requestMs: 500 });
      const reading = readAll(rpc);
      const failure = rpc.request("set_model").catch((thrown: unknown) => thrown);
      await vi.advanceTimersByTimeAsync(500);
      expect(await failure).toMatchObject({ code: "agent_hung" });
      expect(child.received.at(-1)).toMatchObject({ method: "$/cancel_request", params: { requestId: 1 } });
      child.print({ id: 1, result: {} });
      child.exit();
      expect(notices(await reading)).toEqual([["unexpected_answer", 1]]);
    } finally {
      vi.useRealTimers();
    }
  });

  test("reports duplicate and unknown answers as notices", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    const reading = readAll(rpc);
    const answer = rpc.request("one");
    const parseError = { id: null, error: { code: -32700, message: "Parse error" } };
    child.print({ id: 1, result: 1 }, { id: 1, result: 1 }, { id: "1", result: 2 }, parseError);
    expect(await answer).toBe(1);
    child.exit();
    expect(notices(await reading)).toEqual([
      ["unexpected_answer", 1],
      ["unexpected_answer", 2],
    ]);
  });

  test("rejects pending and later requests when the process ends", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    void readAll(rpc);
    const before = rpc.request("one", {}, { deadlineMs: Infinity });
    child.stderr = "first\nError: it broke\n";
    child.exit({ signal: "SIGKILL" });
    const error: unknown = await before.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "agent_crashed", message: "Some Agent ended by SIGKILL: Error: it broke" });
    expect(goneOf(error)).toEqual({ code: null, signal: "SIGKILL", stderrTail: "first\nError: it broke\n" });
    await expect(rpc.request("two")).rejects.toMatchObject({ code: "agent_crashed" });
  });

  test("rejects pending requests when the process ends while nobody reads", async () => {
    const child = new StandInChild();
    const { rpc } = open(child);
    const answer = rpc.request("one");
    child.exit({ code: 1 });
    await expect(answer).rejects.toThrow("Some Agent ended with code 1.");
  });
});

describe("a request of the agent", () => {
  const ask = (id: unknown, path = "a") => ({ id, method: "ask", params: { path } });

  test("is answered once, under its own id", async () => {
    const child = new StandInChild();
    const { rpc, asked } = open(child);
    const reading = readAll(rpc);
    child.print(ask(0), ask("0"), ask(null));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    const [first, second] = asked;
    expect(first).toMatchObject({ method: "ask", params: { path: "a" } });
    expect(rpc.respond(first!.id, { ok: true })).toBe(true);
    expect(rpc.respond(first!.id, { ok: true })).toBe(false);
    expect(rpc.refuse(second!.id, { code: -32601, message: "no" })).toBe(true);
    expect(rpc.respond("never", {})).toBe(false);
    expect(child.received).toEqual([
      { jsonrpc: "2.0", id: 0, result: { ok: true } },
      { jsonrpc: "2.0", id: "0", error: { code: -32601, message: "no" } },
    ]);
    child.exit();
    expect(notices(await reading)).toEqual([["unparsed", 1]]);
  });

  test("may reuse the id of an answered request", async () => {
    const child = new StandInChild();
    const { rpc, asked } = open(child);
    void readAll(rpc);
    child.print(ask(0));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    rpc.respond(asked[0]!.id, 1);
    child.print(ask(0));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(asked[1]!.id).not.toBe(asked[0]!.id);
    expect(rpc.respond(asked[1]!.id, 2)).toBe(true);
    child.exit();
  });

  test("is reported once when it is repeated", async () => {
    const child = new StandInChild();
    const { rpc, asked } = open(child);
    const reading = readAll(rpc);
    child.print(ask(0), ask(0));
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    expect(rpc.respond(asked[0]!.id, 1)).toBe(true);
    child.exit();
    expect(notices(await reading)).toEqual([["repeated_request", 1]]);
    expect(child.received).toHaveLength(1);
  });

  test("is refused when another pending request has the same id, so that no answer counts for both", async () => {
    const child = new StandInChild();
    const { rpc, asked } = open(child);
    const reading = readAll(rpc);
    child.print(ask(0), ask(0, "b"));
    await vi.waitFor(() => expect(child.received).toHaveLength(1));
    expect(child.received[0]).toMatchObject({ id: 0, error: { code: -32600 } });
    expect(rpc.respond(asked[0]!.id, 1)).toBe(false);
    child.exit();
    expect((await reading).filter(({ type }) => type === "permission.resolved")).toHaveLength(1);
  });

  test("can be withdrawn by the protocol's method or by `forget`", async () => {
    const child = new StandInChild();
    const { rpc, asked } = open(child);
    const reading = readAll(rpc);
    const cancel = (requestId: unknown) => ({ method: "$/cancel_request", params: { requestId } });
    child.print(ask(7), ask(8), cancel(7), cancel(7), cancel("7"), { method: "$/cancel_request" });
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    expect(child.received).toMatchObject([{ id: 7, error: { code: -32800 } }]);
    expect(rpc.respond(asked[0]!.id, 1)).toBe(false);
    expect(rpc.forget(8)).toBe(asked[1]!.id);
    expect(rpc.forget(8)).toBeUndefined();
    expect(rpc.respond(asked[1]!.id, 1)).toBe(false);
    child.exit();
    expect((await reading).filter(({ type }) => type === "permission.resolved")).toHaveLength(1);
  });

  test("is not withdrawn, nor is one of Reins, without a cancel method", async () => {
    vi.useFakeTimers();
    try {
      const child = new StandInChild();
      const { rpc } = open(child, { cancelMethod: undefined, requestMs: 5 });
      const reading = readAll(rpc);
      const failure = rpc.request("one").catch((thrown: unknown) => thrown);
      await vi.advanceTimersByTimeAsync(5);
      expect(await failure).toMatchObject({ code: "agent_hung" });
      expect(child.received).toHaveLength(1);
      child.print({ method: "$/cancel_request", params: { requestId: 1 } });
      child.exit();
      expect(said(await reading)).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });
});
