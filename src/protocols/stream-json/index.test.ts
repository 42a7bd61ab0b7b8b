import { expect, test, vi } from "vitest";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import type { AgentEvent } from "../../events/types.ts";
import { goneOf, openStreamJson, refusalOf, type StreamJson, type WireRequest } from "./index.ts";

function open(child: StandInChild, requestMs = 1_000) {
  const asked: WireRequest[] = [];
  const stream = openStreamJson({
    child,
    name: "Some Agent",
    agent: "some",
    requestMs,
    drainMs: 10,
    translate: (message) => [{ type: "message.delta", messageId: "m", text: JSON.stringify(message) }],
    onRequest: (request) => {
      asked.push(request);
      return [{ type: "turn.phase", phase: "person" }];
    },
    onWithdrawn: (requestId) => [{ type: "permission.resolved", requestId, outcome: "cancelled", by: "agent" }],
    onExit: ({ code, signal }, stderrTail) => [{ type: "process.exited", code, signal, stderrTail }],
  });
  return { stream, asked };
}

async function readAll(stream: StreamJson): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const batch of stream.events) all.push(...batch);
  return all;
}

test("yields messages that arrived together as one batch, and the exit last", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  child.print({ type: "a" }, "", { type: "b" });
  child.stderr = "bye";
  child.exit({ code: 3 });
  const batches: number[] = [];
  const all: AgentEvent[] = [];
  for await (const batch of stream.events) {
    batches.push(batch.length);
    all.push(...batch);
  }
  expect(batches).toEqual([2, 1]);
  expect(all.at(-1)).toEqual({ type: "process.exited", code: 3, signal: null, stderrTail: "bye" });
});

test("leaves output in the pipe while nobody reads", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  for (let i = 0; i < 5; i++) child.print({ type: "a", i });
  const reader = stream.events[Symbol.asyncIterator]();
  await reader.next();
  expect(child.taken).toBe(1);
});

test("delivers events of Reins at once and in order", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  const reader = stream.events[Symbol.asyncIterator]();
  const waiting = reader.next();
  stream.say([{ type: "turn.phase", phase: "tool" }]);
  expect((await waiting).value).toEqual([{ type: "turn.phase", phase: "tool" }]);
  stream.say([{ type: "turn.phase", phase: "retry" }]);
  expect((await reader.next()).value).toEqual([{ type: "turn.phase", phase: "retry" }]);
  child.print({ type: "a" });
  child.exit();
  const rest: AgentEvent[] = [];
  for (let step = await reader.next(); step.done !== true; step = await reader.next()) rest.push(...step.value);
  expect(rest.map((event) => event.type)).toEqual(["message.delta", "process.exited"]);
});

test("keeps events of Reins that were added before the exit was read", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  child.exit();
  stream.say([{ type: "turn.phase", phase: "tool" }]);
  expect((await readAll(stream)).map((event) => event.type)).toEqual(["turn.phase", "process.exited"]);
});

test("escapes every character that some program takes for the end of a line", async () => {
  const child = new StandInChild();
  const written: string[] = [];
  child.write = (text) => {
    written.push(text);
    return Promise.resolve();
  };
  const { stream } = open(child);
  await stream.send({ text: "a\u2028b\u2029c\rd\ne" });
  expect(written[0]).toMatch(/^[^\u2028\u2029\r\n]*\n$/);
  expect(JSON.parse(written[0]!)).toEqual({ text: "a\u2028b\u2029c\rd\ne" });
});

test("matches answers in any order", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  const reading = readAll(stream);
  const first = stream.request("one", { x: 1 });
  const second = stream.request("two");
  const [one, two] = child.received;
  expect(one).toMatchObject({ type: "control_request", request: { subtype: "one", x: 1 } });
  child.print({
    type: "control_response",
    response: { subtype: "success", request_id: two!.request_id, response: { n: 2 } },
  });
  child.print({
    type: "control_response",
    response: { subtype: "success", request_id: one!.request_id, response: { n: 1 } },
  });
  expect(await first).toEqual({ n: 1 });
  expect(await second).toEqual({ n: 2 });
  child.exit();
  await reading;
});

test("reports the message and code of an error answer", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  void readAll(stream);
  const answer = stream.request("set_model");
  child.print({
    type: "control_response",
    response: {
      subtype: "error",
      request_id: child.received[0]!.request_id,
      error: "no such",
      error_code: "not_found",
    },
  });
  const error: unknown = await answer.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "protocol_error",
    agent: "some",
    message: "Some Agent refused set_model: no such",
  });
  expect(refusalOf(error)).toEqual({ method: "set_model", message: "no such", code: 0, data: "not_found" });
  expect(refusalOf(new Error("other"))).toBeUndefined();
  const second = stream.request("set_model");
  child.print({ type: "control_response", response: { subtype: "error", request_id: child.received[1]!.request_id } });
  await expect(second).rejects.toThrow("it did not say why");
  child.exit();
});

test("rejects a request at its deadline and reports a late answer as a notice", async () => {
  vi.useFakeTimers();
  try {
    const child = new StandInChild();
    const { stream } = open(child, 500);
    const reading = readAll(stream);
    const answer = stream.request("set_model");
    const failure = answer.catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(500);
    expect(await failure).toMatchObject({ code: "agent_hung" });
    child.print({
      type: "control_response",
      response: { subtype: "success", request_id: child.received[0]!.request_id },
    });
    child.exit();
    expect(await reading).toContainEqual(
      expect.objectContaining({ type: "notice", code: "unexpected_answer", count: 1 }),
    );
  } finally {
    vi.useRealTimers();
  }
});

test("reports duplicate and unknown answers as notices", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  const reading = readAll(stream);
  const answer = stream.request("one");
  const response = {
    type: "control_response",
    response: { subtype: "success", request_id: child.received[0]!.request_id, response: 1 },
  };
  child.print(
    response,
    response,
    { type: "control_response", response: { request_id: "never" } },
    { type: "control_response" },
  );
  expect(await answer).toBe(1);
  child.exit();
  const notices = (await reading).filter((event) => event.type === "notice");
  expect(notices.map(({ code, count }) => [code, count])).toEqual([
    ["unexpected_answer", 1],
    ["unexpected_answer", 2],
  ]);
});

test("rejects pending and later requests when the process ends", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  void readAll(stream);
  const before = stream.request("one");
  child.stderr = "first\nError: it broke\n";
  child.exit({ signal: "SIGKILL" });
  const error: unknown = await before.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "agent_crashed", message: "Some Agent ended by SIGKILL: Error: it broke" });
  expect(goneOf(error)).toEqual({ code: null, signal: "SIGKILL", stderrTail: "first\nError: it broke\n" });
  expect(goneOf(new Error("other"))).toBeUndefined();
  await expect(stream.request("two")).rejects.toMatchObject({ code: "agent_crashed" });
});

test("rejects pending requests when the process ends while nobody reads", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  const answer = stream.request("one");
  child.exit({ code: 1 });
  await expect(answer).rejects.toThrow("Some Agent ended with code 1.");
});

test("answers a request of the agent once", async () => {
  const child = new StandInChild();
  const { stream, asked } = open(child);
  const reading = readAll(stream);
  child.print({ type: "control_request", request_id: "r1", request: { subtype: "can_use_tool", tool_name: "X" } });
  child.print({ type: "control_request", request_id: "r2", request: null });
  child.print({ type: "control_request", request_id: "r3", request: { subtype: "can_use_tool" } });
  child.print(
    { type: "control_cancel_request", request_id: "r3" },
    { type: "control_cancel_request", request_id: "r3" },
    { type: "control_cancel_request" },
  );
  child.print({ type: "control_something_new", request_id: "r4" });
  await vi.waitFor(() => expect(child.taken).toBe(5));
  expect(stream.respond("r1", { behavior: "allow" })).toBe(true);
  expect(stream.respond("r1", { behavior: "deny" })).toBe(false);
  expect(stream.refuse("r2", "not that")).toBe(true);
  expect(stream.respond("r3", {})).toBe(false);
  expect(stream.respond("never", {})).toBe(false);
  expect(asked[0]).toEqual({ id: "r1", subtype: "can_use_tool", body: { subtype: "can_use_tool", tool_name: "X" } });
  expect(child.received).toEqual([
    { type: "control_response", response: { subtype: "success", request_id: "r1", response: { behavior: "allow" } } },
    { type: "control_response", response: { subtype: "error", request_id: "r2", error: "not that" } },
  ]);
  child.exit();
  const events = await reading;
  expect(events.filter(({ type }) => type === "permission.resolved")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "message.delta")).toHaveLength(1);
});

test("denies two different requests with one id, and ignores an answer to the first", async () => {
  const child = new StandInChild();
  const { stream, asked } = open(child);
  const reading = readAll(stream);
  const ask = (command: string) => ({
    type: "control_request",
    request_id: "r1",
    request: { subtype: "can_use_tool", input: { command } },
  });
  child.print(ask("ls"), ask("ls"));
  child.print(ask("rm -rf /"));
  await vi.waitFor(() => expect(child.taken).toBe(2));
  expect(asked.map(({ body }) => body["input"])).toEqual([{ command: "ls" }]);
  expect(stream.respond("r1", { behavior: "allow" })).toBe(false);
  expect(child.received).toEqual([
    { type: "control_response", response: { subtype: "error", request_id: "r1", error: "This id is in use." } },
  ]);
  // The id is free again.
  child.print(ask("pwd"));
  await vi.waitFor(() => expect(child.taken).toBe(3));
  expect(stream.respond("r1", { behavior: "allow" })).toBe(true);
  child.exit();
  const events = await reading;
  expect(events.filter(({ type }) => type === "permission.resolved")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "notice")).toEqual([
    expect.objectContaining({ code: "repeated_request", count: 1 }),
  ]);
});

test("passes a line that is not JSON to the translator as text", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  child.print("not json", "[1", "7", "null", { type: "a" });
  child.exit();
  const texts = (await readAll(stream)).flatMap((event) => (event.type === "message.delta" ? [event.text] : []));
  expect(texts).toEqual(['"not json"', '"[1"', "7", "null", '{"type":"a"}']);
});

test("counts endless invalid lines in few notices", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  child.printOverlong(2);
  for (let i = 0; i < 40; i++) child.print({ type: "control_request" });
  child.exit();
  const notices = (await readAll(stream)).filter((event) => event.type === "notice");
  expect(notices).toContainEqual(expect.objectContaining({ code: "truncated", count: 2 }));
  const counts = notices.filter(({ code }) => code === "unparsed").map(({ count }) => count ?? 0);
  expect(counts.length).toBeLessThan(8);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(40);
});

test("readUntil keeps the events for the later reader", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  const answer = stream.readUntil(stream.request("initialize"));
  child.print({ type: "early" });
  child.print(
    {
      type: "control_response",
      response: { subtype: "success", request_id: child.received[0]!.request_id, response: "ready" },
    },
    { type: "same batch" },
  );
  expect(await answer).toBe("ready");
  child.print({ type: "later" });
  child.exit();
  const texts = (await readAll(stream)).flatMap((event) => (event.type === "message.delta" ? [event.text] : []));
  expect(texts).toEqual(['{"type":"early"}', '{"type":"same batch"}', '{"type":"later"}']);
});

test("readUntil ends with the process, and loses nothing at a deadline", async () => {
  const gone = new StandInChild();
  const broken = open(gone).stream;
  const answer = broken.readUntil(broken.request("initialize"));
  gone.print({ type: "early" });
  gone.stderr = "error: unknown option";
  gone.exit({ code: 1 });
  await expect(answer).rejects.toThrow("Some Agent ended with code 1: error: unknown option");
  expect((await readAll(broken)).map(({ type }) => type)).toEqual(["message.delta", "process.exited"]);

  const silent = new StandInChild();
  const { stream } = open(silent, 5);
  await expect(stream.readUntil(stream.request("initialize"))).rejects.toMatchObject({ code: "agent_hung" });
  silent.print({ type: "after all" });
  silent.exit();
  expect((await readAll(stream)).map(({ type }) => type)).toEqual(["message.delta", "process.exited"]);
});

test("limits memory when a program keeps printing instead of answering", async () => {
  const child = new StandInChild();
  const { stream } = open(child);
  for (let i = 0; i < 20; i++) child.print({ type: "a", text: "x".repeat(1024 * 1024) });
  await expect(stream.readUntil(stream.request("hello"))).rejects.toMatchObject({
    code: "protocol_error",
    message: "Some Agent kept printing instead of answering.",
  });
  expect(child.taken).toBeLessThan(12);
});

test("supports another format of requests and answers", async () => {
  const child = new StandInChild();
  const asked: WireRequest[] = [];
  const stream = openStreamJson({
    child,
    name: "Some Agent",
    agent: "some",
    requestMs: 1_000,
    drainMs: 10,
    dialect: {
      fromWire: ({ type, id, ...rest }) => {
        if (type === "reply")
          return { type: "control_response", response: { subtype: "success", request_id: id, response: rest } };
        return type === "ask"
          ? { type: "control_request", request_id: id, request: { subtype: "may-i", ...rest } }
          : undefined;
      },
      toWire: ({ type, ...rest }) => ({ said: type, ...rest }),
    },
    translate: () => [{ type: "turn.phase", phase: "model" }],
    onRequest: (request) => {
      asked.push(request);
      return [];
    },
    onWithdrawn: () => [],
    onExit: () => [],
  });
  const answer = stream.readUntil(stream.request("who", { x: 1 }));
  const request = await child.hears(({ said }) => said === "control_request");
  expect(request).toEqual({ said: "control_request", request_id: "reins-1", request: { subtype: "who", x: 1 } });
  child.print({ type: "ask", id: "a", tool: "x" }, { type: "else" }, { type: "reply", id: "reins-1", name: "me" });
  expect(await answer).toEqual({ name: "me" });
  expect(asked).toEqual([{ id: "a", subtype: "may-i", body: { subtype: "may-i", tool: "x" } }]);
  expect(stream.respond("a", { ok: true })).toBe(true);
  expect(child.received.at(-1)).toEqual({
    said: "control_response",
    response: { subtype: "success", response: { ok: true }, request_id: "a" },
  });
  child.exit();
  expect(await readAll(stream)).toEqual([{ type: "turn.phase", phase: "model" }]);
});
