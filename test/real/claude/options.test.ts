/** Session options, and what the model sees of them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { asked } from "./support/requests.ts";

test("appends a system prompt", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ systemPrompt: { text: "Speak like a pirate.", how: "append" } });
  await real.turn(session, scenarioPrompt("text"));
  const { system } = asked(real.model)[0]!;
  expect(system).toContain("Speak like a pirate.");
  expect(system.length).toBeGreaterThan(5_000);
});

test("replaces the system prompt, also in a resumed conversation", async () => {
  const real = await realAgent("claude");
  const first = await real.session({ systemPrompt: { text: "You are a poet.", how: "replace" } });
  const { state } = (await real.turn(first, scenarioPrompt("text"))).result;
  expect(asked(real.model)[0]!.system).toContain("You are a poet.");
  expect(asked(real.model)[0]!.system).not.toMatch(/software engineering tasks/i);
  await first.close();
  const second = await real.session({ resume: state, systemPrompt: { text: "You are a cook.", how: "replace" } });
  await real.turn(second, scenarioPrompt("text"));
  expect(asked(real.model).at(-1)!.system).toContain("You are a cook.");
  expect(asked(real.model).at(-1)!.system).not.toContain("You are a poet.");
});

test("adds directories", async () => {
  const real = await realAgent("claude");
  const folder = join(real.home, "further");
  mkdirSync(folder);
  const session = await real.session({ mode: "edits", directories: [folder] });
  const { events } = await real.turn(session, scenarioPrompt("write", join(folder, "a.txt")));
  expect(all(events, "permission.requested")).toEqual([]);
  expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("hello world\n");
});

test("limits the number of model turns", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full", maxTurns: 2 });
  const { result } = await real.turn(session, scenarioPrompt("loop"));
  expect(result.outcome).toBe("max_turns");
  expect(result.error).toBeUndefined();
  expect(asked(real.model)).toHaveLength(2);
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test("limits the cost", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full", maxBudgetUsd: 0.0001 });
  const { result } = await real.turn(session, scenarioPrompt("loop"));
  expect(result).toMatchObject({ outcome: "budget", error: { code: "budget_exceeded" } });
});

test("passes further arguments", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ extraArgs: ["--tools", "Read,Bash"] });
  await real.turn(session, scenarioPrompt("text"));
  expect(asked(real.model)[0]!.tools).toEqual(expect.arrayContaining(["Bash", "Read"]));
  expect(asked(real.model)[0]!.tools).not.toContain("Write");
  expect(one(real.said(session), "session.started").tools).not.toContain("Write");
});

test("reports an unknown argument in the program's own words, without a model request", async () => {
  const real = await realAgent("claude");
  const opening = real.session({ extraArgs: ["--no-such-flag"] });
  await expect(opening).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("--no-such-flag"),
  });
  expect(real.model.requests).toEqual([]);
});

test("sets further environment variables", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full", env: { MY_OWN: "is here" } });
  const { result } = await real.turn(session, scenarioPrompt("shell", "echo it $MY_OWN"));
  expect(result.text).toContain("it is here");
});

test("runs allowed tools without asking, and disallowed tools never", async () => {
  const real = await realAgent("claude");
  const tools = { allowed: ["shell(touch yes*)"], disallowed: ["write", "shell(touch no*)"] };
  const session = await real.session({ tools, onPermission: () => "allow" });
  const yes = await real.turn(session, scenarioPrompt("shell", "touch yes.txt"));
  expect(all(yes.events, "permission.requested")).toEqual([]);
  expect(all(yes.events, "tool.failed")).toEqual([]);
  for (const prompt of [scenarioPrompt("shell", "touch no.txt"), scenarioPrompt("write", "no.txt")]) {
    const { events } = await real.turn(session, prompt);
    expect(all(events, "tool.failed")).toHaveLength(1);
  }
  const other = await real.turn(session, scenarioPrompt("shell", "touch other.txt"));
  expect(one(other.events, "permission.resolved").outcome).toBe("allowed");
  expect(["yes.txt", "no.txt", "other.txt"].map((name) => existsSync(join(real.cwd, name)))).toEqual([
    true,
    false,
    true,
  ]);
});

test("disallows tools in mode full too", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full", tools: { disallowed: ["shell(touch no*)"] } });
  const { events } = await real.turn(session, scenarioPrompt("shell", "touch no.txt"));
  expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(existsSync(join(real.cwd, "no.txt"))).toBe(false);
});

test("gives the first prompt other tools", async () => {
  const real = await realAgent("claude");
  const first = { allowed: ["shell(touch *)"], disallowed: ["write"] };
  const session = await real.session({ tools: { allowed: ["write"], disallowed: ["shell(touch *)"], first } });
  const touch = (name: string) => scenarioPrompt("shell", `touch ${name}`);
  expect((await real.turn(session, touch("first.txt"))).result.filesChanged).toEqual(["first.txt"]);
  expect((await real.turn(session, touch("second.txt"))).result.filesChanged).toEqual([]);
  expect((await real.turn(session, scenarioPrompt("write", "second.txt"))).result.filesChanged).toEqual(["second.txt"]);
});

test("disallows a tool for the first prompt only", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ tools: { allowed: ["write"], first: { disallowed: ["write"] } } });
  expect((await real.turn(session, scenarioPrompt("write", "first.txt"))).result.filesChanged).toEqual([]);
  expect((await real.turn(session, scenarioPrompt("write", "second.txt"))).result.filesChanged).toEqual(["second.txt"]);
});

test("includes the native messages on request", async () => {
  const real = await realAgent("claude");
  const { events } = await real.turn(await real.session({ raw: true }), scenarioPrompt("write"));
  expect(one(events, "tool.started").raw).toMatchObject({
    type: "assistant",
    message: { content: [{ type: "tool_use" }] },
  });
  expect(one(events, "permission.requested").raw).toMatchObject({ subtype: "can_use_tool", tool_name: "Write" });
  expect(one(events, "session.started").raw).toMatchObject({ type: "system", subtype: "init" });
  const plain = await real.turn(await real.session(), scenarioPrompt("text"));
  expect(plain.events.filter((event) => event.raw !== undefined)).toEqual([]);
});

test("reads the workspace's own instructions", async () => {
  const real = await realAgent("claude");
  writeFileSync(join(real.cwd, "CLAUDE.md"), "Always mention the weather.\n");
  await real.turn(await real.session(), scenarioPrompt("text"));
  expect(asked(real.model)[0]!.messages).toContain("Always mention the weather.");
});
