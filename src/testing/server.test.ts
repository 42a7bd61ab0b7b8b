import { afterEach, describe, expect, test } from "vitest";
import { assistant, events, post, result, stream, textOf, user } from "../../test/support/messages-client.ts";
import { scenarioPrompt } from "./conversation.ts";
import type { Scenario } from "./scenario.ts";
import { startScriptedModel, type ScriptedModel, type ScriptedModelOptions } from "./server.ts";

let model: ScriptedModel;
afterEach(() => model.close());

const start = async (options: ScriptedModelOptions = {}) =>
  (model = await startScriptedModel({ cwd: "/work space", ...options }));

describe("a streamed answer", () => {
  test("is a valid sequence of events", async () => {
    await start();
    const list = await stream(model, "scenario:thinking please");
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

  test("has the requested number of pieces, and never cuts a character", async () => {
    await start();
    const list = await stream(model, "scenario:unicode");
    const pieces = list.flatMap((event) => event.delta?.["text"] ?? []);
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    expect(pieces.join("")).toContain("👩‍👩‍👧‍👦");
  });

  test("has usage, stop reason and limits", async () => {
    await start();
    const list = await stream(model, "scenario:usage");
    expect(list[0]?.message?.usage).toMatchObject({ input_tokens: 1000, cache_read_input_tokens: 5000 });
    expect(list.at(-2)?.usage).toMatchObject({ output_tokens: 200, cache_creation_input_tokens: 300 });
    expect((await stream(model, "scenario:max-tokens")).at(-2)?.delta).toMatchObject({ stop_reason: "max_tokens" });
    const warned = await post(model, [user("scenario:limit-warning")], { stream: true });
    expect(warned.headers.get("anthropic-ratelimit-unified-5h-utilization")).toBe("0.93");
    await warned.text();
  });

  test("waits at a gate after sending the text before it", async () => {
    await start();
    const response = await post(model, [user("scenario:slow-text")], { stream: true });
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

  test("is logged as aborted when the client disconnects", async () => {
    await start();
    const leave = new AbortController();
    await post(model, [user("scenario:slow-text")], { stream: true }, { signal: leave.signal });
    await model.reached("slow");
    leave.abort();
    const entry = await model.waitFor((request) => request.ended === "aborted");
    expect(entry).toMatchObject({ scenario: "slow-text", step: 0 });
  });

  test("can have megabytes", async () => {
    await start();
    expect(textOf(await stream(model, "scenario:huge:1000000"))).toHaveLength(1_000_000);
  });
});

test("an unstreamed answer has the same content", async () => {
  await start();
  const answer = (await (await post(model, [user("scenario:thinking")])).json()) as Record<string, unknown>;
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
    const answer = (await (await post(model, messages)).json()) as {
      content: { text?: string }[];
      stop_reason: string;
    };
    return { ...answer, text: answer.content.map((block) => block.text ?? "").join("") };
  };

  test("translate a canonical call with the proof, with an absolute path", async () => {
    await start({ proof });
    const { content: blocks, stop_reason: stop } = await content([user(scenarioPrompt("write", "it's a file.txt"))]);
    expect(blocks.at(-1)).toMatchObject({
      name: "Mywrite",
      input: { path: "/work space/it's a file.txt", text: "hello world\n" },
    });
    expect(stop).toBe("tool_use");
  });

  test("send the text of a call that is no tool call for the agent", async () => {
    await start({ proof: { toolCall: ({ plan }) => ({ name: "plan", input: {}, say: `PLAN: ${plan}` }) } });
    const answer = await content([user(scenarioPrompt("plan"))]);
    expect(answer.text).toContain("PLAN: # Plan");
    expect(answer.stop_reason).toBe("end_turn");
  });

  test("advance with tool results, and count two results of one answer once", async () => {
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

  test("see the last result and images, and ignore markers in results, answers and system messages", async () => {
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

  test("play a conditional step when the newest text contains its words", async () => {
    await start();
    const asked = [user("scenario:background-subagent"), assistant, user([result("started")])];
    expect((await content(asked)).text).toBe("It runs in the background.");
    const told = [...asked, assistant, user("<task-notification>done</task-notification>")];
    expect((await content(told)).text).toBe("The subagent has reported.");
  });

  test("custom scenarios replace standard ones, fill parameters, and can be the fallback", async () => {
    const own: Scenario = { name: "text", steps: [[{ say: "{who|nobody} in {cwd}, {unknown}" }]] };
    await start({ scenarios: [own], params: { who: "Ada" } });
    expect((await content([user("hi")])).text).toBe("Ada in /work space, {unknown}");
  });

  test("refuse a call that the proof cannot translate", async () => {
    await start({ proof });
    const response = await post(model, [user("scenario:shell")]);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: "The agent's proof cannot spell a call of shell." },
    });
  });
});
