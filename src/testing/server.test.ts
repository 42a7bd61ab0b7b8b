import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { scenarioPrompt } from "./conversation.ts";
import type { Scenario } from "./scenario.ts";
import { startScriptedModel, type ScriptedModel, type ScriptedModelOptions } from "./server.ts";

let model: ScriptedModel;
afterEach(() => model.close());

const start = async (options: ScriptedModelOptions = {}) =>
  (model = await startScriptedModel({ cwd: "/work space", ...options }));

const user = (content: unknown) => ({ role: "user", content });
const assistant = { role: "assistant", content: [{ type: "text", text: "..." }] };
const result = (content: unknown, is_error = false) => ({ type: "tool_result", tool_use_id: "t", content, is_error });

function post(messages: unknown[], more: object = {}, init: RequestInit = {}): Promise<Response> {
  const body = JSON.stringify({ model: "m", max_tokens: 10, messages, ...more });
  const headers = { "content-type": "application/json", "x-api-key": "sk-very-secret" };
  return fetch(`${model.url}/v1/messages?beta=true`, { method: "POST", headers, body, ...init });
}

interface Sse {
  type: string;
  index?: number;
  delta?: Record<string, string>;
  content_block?: { type: string; name?: string };
  message?: { usage: Record<string, number> };
  usage?: Record<string, number>;
  error?: { type: string };
}

const events = (text: string): Sse[] =>
  text
    .split("\n\n")
    .filter((part) => part !== "")
    .map((part) => JSON.parse(part.split("\ndata: ")[1] ?? "{}") as Sse);

const stream = async (prompt: string) => events(await (await post([user(prompt)], { stream: true })).text());
const textOf = (list: Sse[]) => list.map((event) => event.delta?.["text"] ?? "").join("");

describe("a streamed answer", () => {
  test("is a lawful sequence of events", async () => {
    await start();
    const list = await stream("scenario:thinking please");
    expect(list.map((event) => event.type).filter((type) => type !== "content_block_delta")).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_stop",
      "content_block_start",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(textOf(list)).toBe("I thought about it: 42.");
    expect(list.map((event) => event.delta?.["thinking"] ?? "").join("")).toBe("Let me think about it. It is simple.");
    expect(list.some((event) => event.delta?.["type"] === "signature_delta")).toBe(true);
    expect(list.at(-2)?.delta).toMatchObject({ stop_reason: "end_turn" });
  });

  test("comes in as many pieces as asked, and never cuts a character", async () => {
    await start();
    const list = await stream("scenario:unicode");
    const pieces = list.flatMap((event) => event.delta?.["text"] ?? []);
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect(pieces.join("")).toContain("👩‍👩‍👧‍👦");
  });

  test("carries usage, stop reason and limits", async () => {
    await start();
    const list = await stream("scenario:usage");
    expect(list[0]?.message?.usage).toMatchObject({ input_tokens: 1000, cache_read_input_tokens: 5000 });
    expect(list.at(-2)?.usage).toMatchObject({ output_tokens: 200, cache_creation_input_tokens: 300 });
    expect((await stream("scenario:max-tokens")).at(-2)?.delta).toMatchObject({ stop_reason: "max_tokens" });
    const warned = await post([user("scenario:limit-warning")], { stream: true });
    expect(warned.headers.get("anthropic-ratelimit-unified-5h-utilization")).toBe("0.93");
    await warned.text();
  });

  test("waits at a gate with what was said before it", async () => {
    await start();
    const response = await post([user("scenario:slow-text")], { stream: true });
    await model.reached("slow");
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let early = "";
    while (!early.includes("half, ")) early += (await reader?.read())?.value ?? "";
    expect(early).not.toContain("second");
    model.release("slow");
    let late = "";
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) late += part.value;
    expect(textOf(events(early + late))).toBe("The first half, and the second.");
    expect(events(early + late).filter((event) => event.type === "content_block_start")).toHaveLength(1);
  });

  test("is marked aborted when the client leaves, and its gate stays shut", async () => {
    await start();
    const leave = new AbortController();
    await post([user("scenario:slow-text")], { stream: true }, { signal: leave.signal });
    await model.reached("slow");
    leave.abort();
    const entry = await model.waitFor((request) => request.ended === "aborted");
    expect(entry).toMatchObject({ scenario: "slow-text", step: 0 });
  });

  test("can be megabytes", async () => {
    await start();
    expect(textOf(await stream("scenario:huge:1000000"))).toHaveLength(1_000_000);
  });
});

test("a whole answer has the same content", async () => {
  await start();
  const answer = (await (await post([user("scenario:thinking")])).json()) as Record<string, unknown>;
  expect(answer).toMatchObject({
    type: "message",
    role: "assistant",
    model: "m",
    stop_reason: "end_turn",
    content: [{ type: "thinking" }, { type: "text", text: "I thought about it: 42." }],
  });
});

describe("steps", () => {
  const proof: ScriptedModelOptions["proof"] = {
    toolCall: ({ tool, ...input }) => (tool === "write" || tool === "read" ? { name: `My${tool}`, input } : undefined),
  };
  const content = async (messages: unknown[]) => {
    const answer = (await (await post(messages)).json()) as { content: { text?: string }[]; stop_reason: string };
    return { ...answer, text: answer.content.map((block) => block.text ?? "").join("") };
  };

  test("a canonical call is spelled by the proof, with an absolute path", async () => {
    await start({ proof });
    const { content: blocks, stop_reason: stop } = await content([user(scenarioPrompt("write", "it's a file.txt"))]);
    expect(blocks.at(-1)).toMatchObject({
      name: "Mywrite",
      input: { path: "/work space/it's a file.txt", text: "hello world\n" },
    });
    expect(stop).toBe("tool_use");
  });

  test("advance with tool results, and two results of one answer count once", async () => {
    await start({ proof });
    const after = [user("scenario:two-tools"), assistant, user([result("a"), result("b")])];
    expect((await content(after)).text).toBe("I got 2 results.");
    expect((await content([...after, assistant, user([result("c")])])).text).toBe("Done.");
    expect(model.requests.map((request) => request.step)).toEqual([1, 2]);
  });

  test("restart at a newer marker inside a merged message", async () => {
    await start({ proof });
    const merged = user([
      result("cancelled", true),
      { type: "text", text: "[interrupted]" },
      { type: "text", text: "now scenario:text" },
    ]);
    expect((await content([user("scenario:read"), assistant, merged])).text).toBe("Hello from the scripted model.");
    expect(model.requests[0]).toMatchObject({ scenario: "text", step: 0 });
  });

  test("see the last result and the images; markers in results, answers and system messages do not count", async () => {
    await start({ proof });
    const sneaky = { role: "assistant", content: [{ type: "text", text: "scenario:empty" }] };
    const image = { type: "image", source: {} };
    const asked = [
      user([{ type: "text", text: "scenario:read" }, image]),
      sneaky,
      user([result([{ type: "text", text: "scenario:empty" }, image])]),
      { role: "system", content: "scenario:empty" },
    ];
    expect((await content(asked)).text).toBe("It says: scenario:empty");
    expect((await content([user([image, image, { type: "text", text: "scenario:image" }])])).text).toBe(
      "I see 2 image(s).",
    );
  });

  test("a conditional step is taken when the newest words have its words", async () => {
    await start();
    const asked = [user("scenario:background-subagent"), assistant, user([result("started")])];
    expect((await content(asked)).text).toBe("It runs in the background.");
    const told = [...asked, assistant, user("<task-notification>done</task-notification>")];
    expect((await content(told)).text).toBe("The subagent has reported.");
  });

  test("scenarios of one's own, with parameters, replace standard ones; no marker means the fallback", async () => {
    const own: Scenario = { name: "text", steps: [[{ say: "{who|nobody} in {cwd}, {unknown}" }]] };
    await start({ scenarios: [own], params: { who: "Ada" } });
    expect((await content([user("hi")])).text).toBe("Ada in /work space, {unknown}");
  });

  test("a call nobody can spell is refused with a sentence", async () => {
    await start({ proof });
    const response = await post([user("scenario:shell")]);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: "The agent's proof cannot spell a call of shell." },
    });
  });
});

describe("trouble", () => {
  test("errors have status, body and headers of the service", async () => {
    await start();
    const response = await post([user("scenario:quota")], { stream: true });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("3600");
    expect(response.headers.get("anthropic-ratelimit-unified-status")).toBe("rejected");
    expect(await response.json()).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
    expect(model.requests[0]).toMatchObject({ ended: "error", status: 429 });
  });

  test("happens as often as it says, per conversation", async () => {
    await start();
    const statuses = async (id: string) => {
      const seen: number[] = [];
      for (let n = 0; n < 3; n++)
        seen.push((await post([user("scenario:error-500-twice")], { metadata: { user_id: id } })).status);
      return seen;
    };
    expect(await statuses("a")).toEqual([500, 500, 200]);
    expect(await statuses("b")).toEqual([500, 500, 200]);
    expect(model.requests.map((request) => request.attempt)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test("a cut kills the connection in the middle of a block", async () => {
    await start();
    const response = await post([user("scenario:cut")], { stream: true });
    const heard: string[] = [];
    const listen = async () => {
      for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) heard.push(part);
    };
    await expect(listen()).rejects.toThrow("terminated");
    expect(textOf(events(heard.join("")))).toBe("Half an ans");
    expect(await model.waitFor((request) => request.ended === "cut")).toMatchObject({ scenario: "cut" });
  });

  test("an error inside a stream ends it; a whole answer has none", async () => {
    await start();
    const list = await stream("scenario:mid-error");
    expect(list.at(-1)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
    expect((await post([user("scenario:mid-error")])).status).toBe(200);
  });

  test("a hanging answer is logged, and closing the model ends it", async () => {
    await start();
    const hanging = post([user("scenario:hang")], { stream: true });
    await model.waitFor((request) => request.ended === "hung");
    await Promise.all([expect(hanging).rejects.toThrow("fetch failed"), model.close()]);
  });

  test("an unknown scenario is a 400 that names those there are, and is logged", async () => {
    await start();
    const response = await post([user("scenario:nonsense")]);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(/no scenario "nonsense"; there are text, /) },
    });
    expect(model.requests[0]).toMatchObject({
      kind: "refused",
      status: 400,
      problem: expect.stringContaining("nonsense"),
    });
  });

  test.each([
    ["no JSON", "{"],
    ["no messages", "{}"],
    ["a list", "[]"],
  ])("a body with %s is a 400", async (_what, body) => {
    await start();
    expect((await post([], {}, { body })).status).toBe(400);
    expect(model.requests[0]?.kind).toBe("refused");
  });

  test("a client that leaves while it sends harms nobody", async () => {
    await start();
    const socket = connect(model.port, "127.0.0.1");
    await once(socket, "connect");
    socket.end("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{");
    socket.resume();
    await once(socket, "close");
    expect((await post([user("scenario:text")])).status).toBe(200);
  });
});

describe("the rest of the service", () => {
  test("greets, lists models, counts tokens, and knows nothing else", async () => {
    await start();
    expect((await fetch(model.url, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${model.url}/api/hello`)).status).toBe(200);
    expect(await (await fetch(`${model.url}/v1/models`)).json()).toMatchObject({ data: [{ type: "model" }] });
    const counted = await fetch(`${model.url}/v1/messages/count_tokens`, { method: "POST", body: "x".repeat(40) });
    expect(await counted.json()).toEqual({ input_tokens: 10 });
    expect((await fetch(`${model.url}/v2/nothing`)).status).toBe(404);
    expect(model.requests.map((request) => request.kind)).toEqual(["hello", "hello", "models", "count", "refused"]);
  });

  test("answers an agent's own requests with a dummy of the wanted shape", async () => {
    await start();
    const schema = {
      type: "object",
      properties: { title: { type: "string" }, urgent: { type: "boolean" }, kind: { enum: ["a", "b"] } },
    };
    const response = await post([user("scenario:write")], {
      output_config: { format: { type: "json_schema", schema } },
    });
    const { content } = (await response.json()) as { content: { text: string }[] };
    expect(JSON.parse(content[0]?.text ?? "")).toEqual({ title: "scripted title", urgent: false, kind: "a" });
    expect(model.requests[0]?.kind).toBe("side");
  });

  test("logs requests without their secrets", async () => {
    await start();
    await post([user("scenario:text")]);
    expect(model.requests[0]).toMatchObject({
      method: "POST",
      path: "/v1/messages?beta=true",
      headers: { "x-api-key": "[redacted]" },
    });
    expect(JSON.stringify(model.requests)).not.toContain("very-secret");
  });

  test("is steered from another process through /_script", async () => {
    await start();
    const answer = post([user("scenario:late-text")]);
    await model.reached("late");
    const running = (await (await fetch(`${model.url}/_script/requests`)).json()) as unknown[];
    expect(running).toMatchObject([{ scenario: "late-text" }]);
    await fetch(`${model.url}/_script/release/late`, { method: "POST" });
    expect((await answer).status).toBe(200);
    expect(await (await fetch(`${model.url}/_script/scenarios`)).json()).toContainEqual(
      expect.objectContaining({ name: "late-text" }),
    );
    expect((await fetch(`${model.url}/_script/nothing`)).status).toBe(404);
  });

  test("tells what came when a request does not", async () => {
    await start();
    await post([user("scenario:text")]);
    await expect(model.waitFor((request) => request.kind === "side", 1)).rejects.toThrow(
      /within 1 ms.*\nPOST .*text 0 1 200 answered/s,
    );
  });
});
