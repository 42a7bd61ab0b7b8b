/** Details of each wire format's stream. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { google, type GoogleAnswer } from "../../../test/support/wires/google.ts";
import { openaiChat, type ChatChunk } from "../../../test/support/wires/openai-chat.ts";
import { openaiResponses, type ResponsesEvent } from "../../../test/support/wires/openai-responses.ts";
import { wires } from "../../../test/support/wires/index.ts";
import { ask, eventsIn, type JsonObject } from "../../../test/support/wires/wire.ts";
import { startScriptedModel, type ScriptedModel } from "../server.ts";

const patch = "*** Begin Patch\n*** End Patch\n";
const own = [
  {
    name: "calls",
    steps: [
      [
        { think: "Hm." },
        { say: "Both." },
        { callNative: { name: "one", input: { a: "é" } } },
        { callNative: { name: "two", input: {}, namespace: "mcp__x" } },
        { callNative: { name: "patch", input: patch } },
      ],
    ],
  },
  ...(["end", "call", "max_tokens", "refusal", "stop_sequence", "context"] as const).map((stop) => ({
    name: stop.replaceAll("_", "-"),
    steps: [[{ say: "x" }, { stop }]],
  })),
];

let model: ScriptedModel;
beforeEach(async () => {
  model = await startScriptedModel({ scenarios: own });
});
afterEach(() => model.close());

const bodyOf = async (wire: JsonObject, name: string, stream = true, more: object = {}) =>
  (await ask(model, wire.request([{ user: `scenario:${name}` }], stream), more)).text();

describe("OpenAI Responses", () => {
  test("numbers its events, opens and closes its items, and repeats them at the end", async () => {
    const body = await bodyOf(openaiResponses, "calls");
    const events = eventsIn<ResponsesEvent>(body);
    expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()]);
    expect(body.match(/^event: .*/gm)).toEqual(events.map(({ type }) => `event: ${type}`));
    const types = events.map(({ type }) => type).filter((type) => !type.endsWith(".delta"));
    expect(types).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
      "response.output_item.done",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      ...[1, 2].flatMap(() => [
        "response.output_item.added",
        "response.function_call_arguments.done",
        "response.output_item.done",
      ]),
      "response.output_item.added",
      "response.custom_tool_call_input.done",
      "response.output_item.done",
      "response.completed",
    ]);
    const done = events.filter(({ type }) => type === "response.output_item.done");
    expect(done.map((event) => event.output_index)).toEqual([0, 1, 2, 3, 4]);
    expect(events.at(-1)?.response?.output).toEqual(done.map(({ item }) => item));
    const added = events.filter(({ type }) => type === "response.output_item.added").map(({ item }) => item?.id);
    expect(done.map(({ item }) => item?.id)).toEqual(added);
    for (const event of events)
      if (event.item_id !== undefined) expect(added[event.output_index ?? -1]).toBe(event.item_id);
  });

  test("supports tools in namespaces, and freeform tools whose input is text", async () => {
    const calls = [
      { name: "one", input: { a: "é" } },
      { name: "two", input: {}, namespace: "mcp__x" },
      { name: "patch", input: patch },
    ];
    expect(openaiResponses.streamed(await bodyOf(openaiResponses, "calls")).calls).toEqual(calls);
    expect(openaiResponses.whole(await bodyOf(openaiResponses, "calls", false)).calls).toEqual(calls);
  });

  test("refuses a WebSocket, so that the agent sends a POST", async () => {
    const response = await fetch(`${model.url}/v1/responses`);
    expect(response.status).toBe(404);
    await response.text();
    // Not with fetch, which cannot upgrade a connection.
    const { get } = await import("node:http");
    const upgrade = { connection: "Upgrade", upgrade: "websocket" };
    const status = await new Promise((resolve) =>
      get(`${model.url}/v1/responses`, { headers: upgrade }, (answer) => resolve(answer.resume().statusCode)),
    );
    expect(status).toBe(426);
    expect(model.requests.map(({ kind }) => kind)).toEqual(["refused", "hello"]);
  });
});

describe("Chat Completions", () => {
  test("numbers the calls of one answer, and ends with [DONE]", async () => {
    const body = await bodyOf(openaiChat, "calls");
    const chunks = eventsIn<ChatChunk>(body);
    expect(body.endsWith("data: [DONE]\n\n")).toBe(true);
    const parts = chunks.flatMap((chunk) => chunk.choices?.[0]?.delta.tool_calls ?? []);
    expect(parts.filter(({ id }) => id !== undefined).map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(new Set(parts.flatMap(({ id }) => id ?? [])).size).toBe(3);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 100, total_tokens: 120 } });
  });

  test("sends the usage of a stream only if requested", async () => {
    expect(await bodyOf(openaiChat, "text", true, { stream_options: undefined })).not.toContain("usage");
    expect(openaiChat.whole(await bodyOf(openaiChat, "text", false)).usage).toMatchObject({ input: 100, output: 20 });
  });
});

describe("Google", () => {
  test("signs its calls and marks its thoughts", async () => {
    const answers = eventsIn<GoogleAnswer>(await bodyOf(google, "calls"));
    const parts = answers.flatMap(({ candidates }) => candidates[0]?.content.parts ?? []);
    expect(parts[0]).toEqual({ text: "Hm.", thought: true });
    expect(parts.filter((part) => part.functionCall)).toMatchObject([
      { functionCall: { name: "one", args: { a: "é" } }, thoughtSignature: expect.any(String) },
      { functionCall: { name: "two", args: {} } },
      { functionCall: { name: "patch", args: { input: patch } } },
    ]);
  });

  test("sends an error as a chunk of its own, which is no event", async () => {
    const body = await bodyOf(google, "mid-error");
    expect(body.split("\r\n\r\n").at(-1)).toMatch(/^\{"error":\{"code":503,.*"status":"UNAVAILABLE"\}\}$/);
  });
});

const stops = {
  anthropic: ["end_turn", "tool_use", "max_tokens", "refusal", "stop_sequence", "model_context_window_exceeded"],
  "openai-responses": [
    "completed",
    "completed",
    "max_output_tokens",
    "content_filter",
    "completed",
    "context_length_exceeded",
  ],
  "openai-chat": ["stop", "tool_calls", "length", "content_filter", "stop", "length"],
  gemini: ["STOP", "STOP", "MAX_TOKENS", "SAFETY", "STOP", "MAX_TOKENS"],
};

test.each(wires)("$speaks has its own word for every stop reason", async (wire) => {
  for (const [index, name] of ["end", "call", "max-tokens", "refusal", "stop-sequence", "context"].entries()) {
    expect(wire.streamed(await bodyOf(wire, name)).stop).toBe(stops[wire.speaks][index]);
    expect(wire.whole(await bodyOf(wire, name, false)).stop).toBe(stops[wire.speaks][index]);
  }
});

test.each(wires)("$speaks reports usage in its own format", async (wire) => {
  const told = {
    anthropic: { input: 1_000, output: 200, cacheRead: 5_000 },
    "openai-responses": { input: 1_000, output: 200, cacheRead: 5_000, thought: 50 },
    "openai-chat": { input: 1_000, output: 200, cacheRead: 5_000, thought: 50 },
    // Google does not report cache writes separately.
    gemini: { input: 1_300, output: 200, cacheRead: 5_000, thought: 50 },
  }[wire.speaks];
  expect(wire.streamed(await bodyOf(wire, "usage")).usage).toEqual(told);
  expect(wire.whole(await bodyOf(wire, "usage", false)).usage).toEqual(told);
});
