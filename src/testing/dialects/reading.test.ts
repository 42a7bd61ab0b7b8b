/** How the scripted model reads the requests of each wire format. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { wires } from "../../../test/support/wires/index.ts";
import { ask, type Entry, type JsonObject } from "../../../test/support/wires/wire.ts";
import type { Item } from "../conversation.ts";
import { startScriptedModel, type ScriptedModel } from "../server.ts";

let model: ScriptedModel;
beforeEach(async () => {
  const proof = { toolCall: () => ({ name: "t", input: {} }), asides: ["keeper of memories"] };
  model = await startScriptedModel({ proof });
});
afterEach(() => model.close());

const post = async (path: string, body: object, headers: Record<string, string> = {}): Promise<string> =>
  (await fetch(model.url + path, { method: "POST", headers, body: JSON.stringify(body) })).text();

async function said(wire: JsonObject, talk: readonly Entry[]): Promise<string> {
  const response = await ask(model, wire.request(talk, true));
  return wire.streamed(await response.text()).text;
}

describe.each(wires)("$speaks", (wire) => {
  test("counts the results of one answer once, and reads the last result", async () => {
    const talk = [{ user: "scenario:two-tools" }, { results: ["a", "b"] }];
    expect(await said(wire, talk)).toBe("I got 2 results.");
    expect(await said(wire, [...talk, { results: ["c"] }])).toBe("Done.");
    expect(await said(wire, [{ user: "scenario:read" }, { results: ["a", "b"] }])).toBe("It says: b");
    expect(model.requests.map(({ step }) => step)).toEqual([1, 2, 1]);
  });

  test("restarts at a newer marker, and ignores markers in answers and results", async () => {
    const talk = [{ user: "scenario:read" }, { results: ["scenario:empty"] }, { model: "scenario:empty" }];
    expect(await said(wire, [...talk, { user: "now scenario:image", images: 2 }])).toBe("I see 2 image(s).");
    expect(await said(wire, [...talk.slice(0, 2)])).toBe("It says: scenario:empty");
  });

  test("counts a retry that includes the cut-off answer as a retry", async () => {
    const talk = [{ user: "scenario:cut-once" }];
    await expect(said(wire, talk)).rejects.toThrow("terminated");
    expect(await said(wire, [...talk, { model: "A whole ans" }, { user: "Go on." }])).toBe("A whole answer.");
    expect(await said(wire, [...talk, { model: "A whole answer." }, { user: "Again: scenario:error-500-once" }])).toBe(
      "",
    );
    expect(model.requests.map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
  });

  test("refuses an invalid body in the service's format", async () => {
    const response = await ask(model, { ...wire.request([], true), body: {} });
    expect(response.status).toBe(400);
    expect(wire.problem(await response.text())).toMatch(/^The request has no list of \w+\.$/);
    expect(model.requests[0]).toMatchObject({ kind: "refused", status: 400 });
  });

  test("answers an aside of the proof with plain words, whatever the conversation says", async () => {
    const { path, body } = wire.request([{ user: "scenario:write" }], false);
    const instructions = "You are the keeper of memories.";
    const told = {
      anthropic: { system: [{ type: "text", text: instructions }] },
      "openai-responses": { instructions, tools: [{}] },
      "openai-chat": {
        messages: [{ role: "system", content: instructions }, ...((body["messages"] as []) ?? [])],
        tools: [{}],
      },
      gemini: { systemInstruction: { parts: [{ text: instructions }] }, tools: [{}] },
    }[wire.speaks];
    expect(wire.whole(await post(path, { ...body, ...told })).text).toBe("A scripted answer");
    const last = [{ user: "scenario:write" }, { model: "Done." }, { user: "Now be the keeper of memories." }];
    expect(await said(wire, last)).toBe("A scripted answer");
    expect(await said(wire, [...last, { model: "I was." }, { user: "scenario:text" }])).toMatch(/^Hello/);
    expect(model.requests.map(({ kind }) => kind)).toEqual(["side", "side", "answer"]);
  });
});

const items = async (
  path: string,
  body: object,
  headers?: Record<string, string>,
): Promise<readonly Item[] | undefined> => {
  await post(path, body, headers);
  return model.requests.at(-1)?.items;
};

test("OpenAI Responses: reads a plain string, developer messages, freeform results and images in results", async () => {
  expect(await items("/v1/responses", { input: "hello" })).toEqual([{ from: "user", text: "hello" }]);
  const image = { type: "input_image", image_url: "data:" };
  const input = [
    { type: "additional_tools", role: "developer", tools: [] },
    { type: "message", role: "developer", content: [{ type: "input_text", text: "scenario:empty" }] },
    { role: "user", content: "scenario:text" },
    { type: "custom_tool_call", call_id: "a", name: "patch", input: "x" },
    { type: "custom_tool_call_output", call_id: "a", output: [{ type: "input_text", text: "ok" }, image] },
  ];
  expect(await items("/v1/responses", { input })).toEqual([
    { from: "user", text: "scenario:text" },
    { from: "model" },
    { from: "tool", text: "ok", failed: false },
    { from: "image" },
  ]);
});

test("Chat Completions: reads results in parts, images, and the session id", async () => {
  const messages = [
    { role: "user", content: "scenario:error-500-once" },
    {
      role: "tool",
      content: [
        { type: "text", text: "ok" },
        { type: "image_url", image_url: {} },
      ],
    },
  ];
  const of = (id: string) => items("/v1/chat/completions", { messages }, { "x-session-id": id });
  expect(await of("a")).toEqual([
    { from: "user", text: "scenario:error-500-once" },
    { from: "tool", text: "ok", failed: false },
    { from: "image" },
  ]);
  await of("b");
  await of("b");
  expect(model.requests.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
});

test("Google: reads failed results, results of any shape, and images in results", async () => {
  const result = (functionResponse: object) => ({ role: "user", parts: [{ functionResponse }] });
  const contents = [
    result({ response: { error: "no" } }),
    result({ response: { some: 1 }, parts: [{ inlineData: {} }] }),
    { role: "user", parts: [{ fileData: {} }, { thoughtSignature: "x" }] },
  ];
  expect(await items("/v1beta/models/m:generateContent", { contents })).toEqual([
    { from: "tool", text: "no", failed: true },
    { from: "tool", text: '{"some":1}', failed: false },
    { from: "image" },
    { from: "image" },
  ]);
});

describe("side requests of the agent", () => {
  const schema = {
    type: "OBJECT",
    properties: { score: { type: "INTEGER", minimum: 1 }, why: { type: "STRING" } },
  };
  const user = [{ role: "user", content: "scenario:write" }];
  const contents = [{ role: "user", parts: [{ text: "scenario:write" }] }];
  const json_schema = { schema };

  test.each([
    ["OpenAI Responses", "/v1/responses", { input: user, text: { format: { type: "json_schema", schema } } }],
    [
      "Chat Completions",
      "/v1/chat/completions",
      { messages: user, response_format: { type: "json_schema", json_schema } },
    ],
    ["Google", "/v1beta/models/m:generateContent", { contents, generationConfig: { responseJsonSchema: schema } }],
    ["Google, older", "/v1beta/models/m:generateContent", { contents, generationConfig: { responseSchema: schema } }],
  ])("%s: answers with JSON of the requested schema", async (_name, path, body) => {
    expect(await post(path, body)).toContain(JSON.stringify(JSON.stringify({ score: 1, why: "scripted why" })));
    expect(model.requests[0]).toMatchObject({ kind: "side" });
  });

  test("OpenAI Responses: a request with tools and a schema is no side request", async () => {
    const text = { format: { type: "json_schema", schema } };
    const input = [{ type: "additional_tools", tools: [] }, ...user];
    await post("/v1/responses", { input, text });
    await post("/v1/responses", { input: user, text, tools: [{ type: "function", name: "t" }] });
    expect(model.requests.map(({ kind }) => kind)).toEqual(["answer", "answer"]);
  });

  test("answers with any JSON, or with words for instructions without tools", async () => {
    const system = { role: "system", content: "Make a title." };
    const path = "/v1/chat/completions";
    expect(await post(path, { messages: user, response_format: { type: "json_object" } })).toContain('"{}"');
    expect(await post(path, { messages: [system, ...user] })).toContain("A scripted answer");
    expect(await post("/v1beta/models/m:generateContent", { contents, systemInstruction: {} })).toContain(
      "A scripted answer",
    );
    expect(model.requests.map(({ kind }) => kind)).toEqual(["side", "side", "side"]);
  });
});

test("lists models and counts tokens as each service does", async () => {
  const get = async (path: string, headers = {}) => (await fetch(model.url + path, { headers })).json();
  expect(await get("/v1/models")).toMatchObject({ object: "list", data: [{ id: "scripted", object: "model" }] });
  expect(await get("/v1/models/other")).toMatchObject({ id: "other", object: "model" });
  expect(await get("/v1/models", { "anthropic-version": "2023-06-01" })).toMatchObject({ data: [{ type: "model" }] });
  expect(await get("/v1beta/models")).toMatchObject({ models: [{ name: "models/scripted" }] });
  expect(await get("/v1beta/models/other")).toMatchObject({ name: "models/other" });
  expect(JSON.parse(await post("/v1beta/models/m:countTokens", { contents: [] }))).toEqual({ totalTokens: 4 });
  expect(model.requests.map(({ kind }) => kind)).toEqual([...Array<string>(5).fill("models"), "count"]);
  expect((await fetch(`${model.url}/v1beta/models/m:embedContent`, { method: "POST" })).status).toBe(404);
});
