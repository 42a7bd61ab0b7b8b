/** The caller receives everything the model sends, in order and exactly once. */
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, messages, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { asked } from "./support/requests.ts";

test("delivers a text once, and its deltas add up to it", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const { result, events } = await real.turn(session, scenarioPrompt("deltas"));
  const said = "One two three four five six seven eight nine ten eleven twelve.";
  const pieces = all(events, "message.delta");
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.map((piece) => piece.text).join("")).toBe(said);
  expect(messages(events)).toEqual([said]);
  expect(result).toMatchObject({ outcome: "done", text: said, toolCalls: 0, filesChanged: [] });
  expect(one(real.said(session), "session.started")).toMatchObject({
    mode: "ask",
    cwd: real.cwd,
    resumed: false,
    agentVersion: "2.1.325",
    state: session.state,
  });
});

test("delivers a thought before its text, as a thought", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session(), scenarioPrompt("thinking"));
  const thought = one(events, "thought.completed");
  expect(thought.text).toBe("Let me think about it. It is simple.");
  expect(
    all(events, "thought.delta")
      .map((piece) => piece.text)
      .join(""),
  ).toBe(thought.text);
  expect(thought.seq).toBeLessThan(all(events, "message.delta")[0]!.seq);
  expect(messages(events)).toEqual(["I thought about it: 42."]);
  expect(result.text).toBe("I thought about it: 42.");
});

test("delivers every character", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const { result } = await real.turn(session, scenarioPrompt("unicode"));
  for (const part of [
    "世界",
    "👩‍👩‍👧‍👦",
    "עברית",
    "e\u0301",
    "line\u2028separator",
    "paragraph\u2029separator",
    "tab\t",
    '" and \\',
  ])
    expect(result.text).toContain(part);
  const words = "שלום \u2028 🎉 \u202Eend";
  expect((await real.turn(session, scenarioPrompt("echo", words))).result.text).toBe(words);
});

test("cuts an answer of three megabytes and says so", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session(), scenarioPrompt("huge"));
  expect(result.outcome).toBe("done");
  const message = one(events, "message.completed");
  expect(message.bytes).toBe(3_000_000);
  expect(message.kept).toBe(message.text.length);
  expect(message.text.length).toBeLessThanOrEqual(50 * 1024);
  expect(all(events, "notice").map((notice) => notice.code)).toContain("truncated");
});

test("accepts an empty answer", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const { result, events } = await real.turn(session, scenarioPrompt("empty"));
  expect(result).toMatchObject({ outcome: "done", text: "" });
  expect(messages(events)).toEqual([]);
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test("reports that an answer hit the model's limit", async () => {
  const real = await realAgent("claude");
  const { result } = await real.turn(await real.session(), scenarioPrompt("max-tokens"));
  expect(result.outcome).toBe("max_tokens");
  expect(result.error).toBeUndefined();
});

test("reports a refusal as refused, not as a failure", async () => {
  const real = await realAgent("claude");
  const { result } = await real.turn(await real.session(), scenarioPrompt("refusal"));
  expect(result.outcome).toBe("refused");
  expect(result.error).toMatchObject({ code: "refused", agent: "claude", retryable: false });
});

test("accepts a prompt that looks like an option, a command or a mention", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  for (const prompt of [
    "--help me",
    "-p",
    "/no-such-command at all",
    "/etc/passwd is a file",
    "@nobody",
    "!ls",
    "#note",
  ]) {
    const { result } = await real.turn(session, `${prompt}\n${scenarioPrompt("echo", "heard")}`);
    expect({ prompt, outcome: result.outcome, text: result.text }).toEqual({ prompt, outcome: "done", text: "heard" });
    expect(asked(real.model).at(-1)?.messages).toContain(prompt);
  }
});
