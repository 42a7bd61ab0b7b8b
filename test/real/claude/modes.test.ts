/** Modes hold whatever the person's own settings or the model say. The tests run as root, as containers do. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionReply, PermissionRequest } from "../../../src/core/api.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one, whole } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { toldResults } from "./support/requests.ts";
import { writeSettings } from "./support/settings.ts";

const everythingAllowed = { permissions: { allow: ["Bash", "Write", "Edit", "Agent"], defaultMode: "acceptEdits" } };

const prompts = {
  shell: scenarioPrompt("shell", "touch made.txt"),
  harmless: scenarioPrompt("shell", "echo harmless"),
  write: scenarioPrompt("write", "made.txt"),
};

test.each(Object.entries(prompts))("read denies %s although the settings allow it", async (_, prompt) => {
  const real = await realAgent("claude");
  writeSettings(real.home, everythingAllowed);
  const session = await real.session({ mode: "read", onPermission: () => "allow" });
  const { result, events } = await real.turn(session, prompt);
  expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "policy" });
  expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(toldResults(real.model).at(-1)).toContain("mode read");
  expect(result.outcome).toBe("done");
  expect(existsSync(join(real.cwd, "made.txt"))).toBe(false);
});

test("read holds although the settings ask for the bare mode, which holds nothing", async () => {
  const real = await realAgent("claude");
  writeSettings(real.home, { ...everythingAllowed, env: { CLAUDE_CODE_SIMPLE: "1" } });
  const { events } = await real.turn(await real.session({ mode: "read" }), prompts.shell);
  expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "policy" });
  expect(existsSync(join(real.cwd, "made.txt"))).toBe(false);
});

test("read holds a subagent's tools too", async () => {
  const real = await realAgent("claude");
  writeSettings(real.home, everythingAllowed);
  const { result, events } = await real.turn(
    await real.session({ mode: "read" }),
    scenarioPrompt("subagent-permission"),
  );
  const task = all(events, "tool.started").find((event) => event.tool === "task")!;
  expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "policy", parent: task.callId });
  expect(result.outcome).toBe("done");
  expect(existsSync(join(real.cwd, "sub.txt"))).toBe(false);
});

test("read can read", async () => {
  const real = await realAgent("claude");
  writeFileSync(join(real.cwd, "hello.txt"), "hello there\n");
  const { result, events } = await real.turn(await real.session({ mode: "read" }), scenarioPrompt("read"));
  expect(all(events, "permission.requested")).toEqual([]);
  expect(result.text).toContain("hello there");
});

test("plan denies edits and commands", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "plan", onPermission: () => "allow" });
  for (const prompt of [prompts.write, prompts.shell]) {
    const { result, events } = await real.turn(session, prompt);
    expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
    expect(result).toMatchObject({ outcome: "done", filesChanged: [] });
  }
  expect(existsSync(join(real.cwd, "made.txt"))).toBe(false);
});

test("plan denies them although the settings allow them", async () => {
  const real = await realAgent("claude");
  writeSettings(real.home, everythingAllowed);
  const session = await real.session({ mode: "plan", onPermission: () => "allow" });
  for (const prompt of [prompts.write, prompts.shell]) {
    const { events } = await real.turn(session, prompt);
    expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  }
  expect(existsSync(join(real.cwd, "made.txt"))).toBe(false);
});

test("ask respects the person's own rules: allowed calls are not asked, denied ones do not run", async () => {
  const real = await realAgent("claude");
  writeSettings(real.home, { permissions: { allow: ["Bash(touch allowed*)"], deny: ["Bash(touch denied*)"] } });
  const session = await real.session({ onPermission: () => "allow" });
  const allowed = await real.turn(session, scenarioPrompt("shell", "touch allowed.txt"));
  expect(all(allowed.events, "permission.requested")).toEqual([]);
  expect(existsSync(join(real.cwd, "allowed.txt"))).toBe(true);
  const denied = await real.turn(session, scenarioPrompt("shell", "touch denied.txt"));
  expect(one(denied.events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(existsSync(join(real.cwd, "denied.txt"))).toBe(false);
  const other = await real.turn(session, scenarioPrompt("shell", "touch other.txt"));
  expect(one(other.events, "permission.resolved").outcome).toBe("allowed");
});

test("edits writes inside the workspace without asking, and asks outside and for commands", async () => {
  const real = await realAgent("claude");
  const asked: string[] = [];
  const onPermission = ({ tool }: PermissionRequest): PermissionReply => {
    asked.push(tool);
    return "deny";
  };
  const session = await real.session({ mode: "edits", onPermission });
  await real.turn(session, scenarioPrompt("write", "inside.txt"));
  expect(asked).toEqual([]);
  expect(existsSync(join(real.cwd, "inside.txt"))).toBe(true);
  const outside = join(real.home, "outside.txt");
  await real.turn(session, scenarioPrompt("write", outside));
  expect(asked).toEqual(["write"]);
  expect(existsSync(outside)).toBe(false);
  await real.turn(session, scenarioPrompt("shell", "mkfifo made"));
  expect(asked).toEqual(["write", "shell"]);
});

test.each([".git/hooks/pre-commit", ".claude/settings.json", ".mcp.json", ".bashrc"])(
  "edits asks about %s, which could make code run",
  async (path) => {
    const real = await realAgent("claude");
    const { events } = await real.turn(await real.session({ mode: "edits" }), scenarioPrompt("write", path));
    expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "deadline" });
    expect(existsSync(join(real.cwd, path))).toBe(false);
  },
);

test("edits respects the person's own ask rules", async () => {
  const real = await realAgent("claude");
  writeSettings(real.home, { permissions: { ask: ["Edit(kept/**)", "Write(kept/**)"] } });
  const { events } = await real.turn(await real.session({ mode: "edits" }), scenarioPrompt("write", "kept/a.txt"));
  expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "deadline" });
});

test("full runs everything without asking, also as root and outside the workspace", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full" });
  expect(process.getuid?.()).toBe(0);
  const outside = join(real.home, "outside.txt");
  for (const prompt of [prompts.shell, scenarioPrompt("write", outside), scenarioPrompt("subagent-permission")]) {
    const { result, events } = await real.turn(session, prompt);
    expect(result.outcome).toBe("done");
    expect(all(events, "permission.requested")).toEqual([]);
    expect(all(events, "tool.failed")).toEqual([]);
  }
  expect([join(real.cwd, "made.txt"), outside, join(real.cwd, "sub.txt")].map((path) => existsSync(path))).toEqual([
    true,
    true,
    true,
  ]);
});

test("full does not override the person's own deny rules", async () => {
  const real = await realAgent("claude");
  writeSettings(real.home, { permissions: { deny: ["Bash(touch denied*)"] } });
  const { events } = await real.turn(await real.session({ mode: "full" }), scenarioPrompt("shell", "touch denied.txt"));
  expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(existsSync(join(real.cwd, "denied.txt"))).toBe(false);
});

test("applies a wider or narrower mode from the next tool on", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "ask" });
  const write = async (file: string) => {
    await real.turn(session, scenarioPrompt("write", file));
    return existsSync(join(real.cwd, file));
  };
  expect(await write("ask.txt")).toBe(false);
  await session.configure({ mode: "edits" });
  expect(await write("edits.txt")).toBe(true);
  await session.configure({ mode: "read" });
  expect(await write("read.txt")).toBe(false);
  await session.configure({ mode: "full" });
  expect(await write("full.txt")).toBe(true);
  await session.configure({ mode: "plan" });
  expect(await write("plan.txt")).toBe(false);
  const said = all(real.said(session), "session.updated").filter((event) => event.by === "person");
  expect(said.map((event) => event.mode)).toEqual(["edits", "read", "full", "plan"]);
});

test("applies a mode change during a turn", async () => {
  const steps = [
    [{ say: "Soon." }, { gate: "soon" }, { call: { tool: "write" as const, path: "made.txt", text: "x" } }],
    [{ say: "I was told: {lastResult}" }],
  ];
  const real = await realAgent("claude", { scenarios: [{ name: "soon-write", steps }] });
  const session = await real.session({ mode: "full" });
  const turn = session.prompt(scenarioPrompt("soon-write"));
  await real.model.reached("soon");
  await session.configure({ mode: "read" });
  real.model.release("soon");
  const { result, events } = await whole(turn);
  expect(result.outcome).toBe("done");
  expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(existsSync(join(real.cwd, "made.txt"))).toBe(false);
});
