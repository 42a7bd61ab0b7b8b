/** Behaviour that is specific to Cursor's stream, with its stand-in: its traps, and each failure with its code. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/conversation.ts";
import { cursorStandIn } from "../../stand-ins/cursor/stand-in.ts";
import type { ReinsEvent } from "../../../src/events/types.ts";
import { all, one, whole } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

type Traps = NonNullable<Parameters<typeof cursorStandIn>[0]>["traps"];

const cursor = (traps: Traps = {}, env: Record<string, string> = {}) =>
  realAgent("cursor", {
    env: { REINS_CURSOR_CHANNEL: "print", REINS_CURSOR_COMMAND: cursorStandIn({ traps }), ...env },
  });

const types = (events: readonly ReinsEvent[], type: string) => events.filter((event) => event.type === type);
const texts = (events: readonly ReinsEvent[]) =>
  events.flatMap((event) => (event.type === "message.completed" ? [event.text] : []));

test.for([
  ["a program that never exits after its result", { HANG_AFTER_RESULT: true }],
  ["a program that leaves a worker behind", { LEAVES_WORKER: true }],
  ["a program that prints every event on stderr too", { MIRROR: true }],
  ["a program with the older event shape", { OLD_SHAPE: true }],
] as const)("%s: runs two turns without doubled text or remaining processes", async ([, traps]) => {
  const real = await cursor(traps);
  const session = await real.session({ mode: "full" });
  const first = await real.turn(session, scenarioPrompt("write"));
  expect(first.result).toMatchObject({ outcome: "done", filesChanged: ["hello.txt"], toolCalls: 1 });
  expect(texts(first.events)).toHaveLength(2);
  const second = await real.turn(session, scenarioPrompt("text"));
  expect(second.result).toMatchObject({ outcome: "done", text: "Hello from the scripted model." });
  expect(texts(second.events)).toEqual(["Hello from the scripted model."]);
});

test("keeps a call id with a line break as one id", async () => {
  const real = await cursor();
  const session = await real.session({ mode: "full" });
  const { events } = await real.turn(session, scenarioPrompt("shell", "echo hi"));
  const ids = events.flatMap((event) => (event.type.startsWith("tool.") && "callId" in event ? [event.callId] : []));
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toContain("\n");
});

test("changes the mode between two turns", async () => {
  const real = await cursor();
  const session = await real.session({ mode: "read" });
  await real.turn(session, scenarioPrompt("write", "x.txt"));
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
  await session.configure({ mode: "full" });
  await real.turn(session, scenarioPrompt("write", "y.txt"));
  expect(existsSync(join(real.cwd, "y.txt"))).toBe(true);
});

test.for([
  ["fails when nobody is signed in", {}, { CURSOR_API_KEY: "" }, {}, "not_authenticated"],
  ["fails when the key is refused", { BAD_KEY: true }, {}, {}, "not_authenticated"],
  ["fails when the folder is not trusted", {}, { REINS_CURSOR_TRUST: "0" }, {}, "invalid_input"],
  ["fails for an unknown model", {}, {}, { model: "no-such-model" }, "model_unknown"],
  ["fails when the plan is used up", { USAGE_LIMIT: true }, {}, {}, "quota_exhausted"],
  ["fails for an invalid chat id", {}, {}, { resume: "cursor:1:empty:no-uuid" }, "session_not_found"],
] as const)("%s", async ([, traps, env, options, code]) => {
  const real = await cursor(traps, env);
  const session = await real.session({ mode: "read", ...options });
  const { result } = await real.turn(session, scenarioPrompt("text"));
  expect(result).toMatchObject({ outcome: "failed", error: { code } });
  expect(result.error?.help).toBeTruthy();
  expect(result.error?.resetsAt).toBe(code === "quota_exhausted" ? "2026-12-02T00:00:00.000Z" : undefined);
});

test("reports lines that are not messages in one notice per kind", async () => {
  const real = await cursor({ NOISE: true });
  const session = await real.reins.session({ agent: "cursor", cwd: real.cwd, mode: "full" });
  const { result, events } = await whole(session.prompt(scenarioPrompt("write")));
  expect(result).toMatchObject({ outcome: "done", filesChanged: ["hello.txt"], toolCalls: 1 });
  const strange = all(events, "notice").filter(({ code }) => code === "unparsed");
  expect(strange.map(({ message, count }) => [message, count])).toEqual([
    [expect.stringContaining("a line that is not JSON"), undefined],
    [expect.stringContaining("a line that is not a message"), undefined],
    [expect.stringContaining("a line that is not JSON"), 2],
  ]);
});

test("cuts a result of 60 million characters, and the turn continues", async () => {
  const real = await cursor({ READ_MILLIONS: 60 });
  writeFileSync(join(real.cwd, "hello.txt"), "hi\n");
  const session = await real.session({ mode: "full" });
  const { result, events } = await real.turn(session, scenarioPrompt("read"));
  expect(result).toMatchObject({ outcome: "done", toolCalls: 1 });
  const { output } = one(events, "tool.completed");
  expect(output).toMatchObject({ bytes: 60_000_000 });
  expect(Buffer.byteLength(output?.text ?? "")).toBeLessThan(100_000);
});

test("continues the latest conversation of the folder on request", async () => {
  const real = await cursor({}, { REINS_CURSOR_CONTINUE: "1" });
  const first = await real.session({ mode: "full" });
  await expect(real.turn(first, scenarioPrompt("text"))).resolves.toMatchObject({ result: { outcome: "failed" } });
  // There was none, and the program says so; the first conversation is created without the option.
  const plain = real.another({ env: { ...real.env, REINS_CURSOR_CONTINUE: "" } });
  const begun = await real.turn(await real.session({ mode: "full" }, plain), scenarioPrompt("echo", "remember-me"));
  const again = await real.turn(await real.session({ mode: "full" }), scenarioPrompt("text"));
  expect(again.result.state).toBe(begun.result.state);
  expect(JSON.stringify(real.model.requests.at(-1)?.body)).toContain("remember-me");
});

test("asks the policy before anything runs when all hooks fire", async () => {
  const real = await cursor({ PRINT_HOOKS: "all" });
  const session = await real.session({ mode: "full" });
  const { result, events } = await real.turn(session, scenarioPrompt("shell", "touch made.txt"));
  expect(result).toMatchObject({ outcome: "done", toolCalls: 1, filesChanged: ["made.txt"] });
  expect(types(events, "tool.started")).toHaveLength(1);
  expect(texts(events)).toHaveLength(2);
});

test("leaves the person's files untouched by hooks, and does not write the key into them", async () => {
  const real = await cursor({ PRINT_HOOKS: "all" });
  writeFileSync(join(real.home, ".profile"), "");
  const session = await real.session({ mode: "full" });
  await real.turn(session, scenarioPrompt("text"));
  await session.close();
  const found = readdirSync(real.home, { recursive: true, encoding: "utf8" }).map((name) => join(real.home, name));
  expect(found.filter((path) => path.endsWith("hooks.json"))).toEqual([]);
  for (const path of found.filter((name) => name.endsWith(".json")))
    expect(readFileSync(path, "utf8")).not.toContain(real.env["CURSOR_API_KEY"]);
});
