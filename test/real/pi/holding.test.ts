/** pi has no rules of its own: our extension holds every tool, and none gets past it. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionRequest } from "../../../src/core/api.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent, type RealAgent } from "../support/real-agent.ts";

function extension({ home }: RealAgent, name: string, text: string): void {
  const folder = join(home, ".pi/agent/extensions");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.js`), text);
}

const native = (name: string, input: object): Scenario => ({
  name: "native",
  steps: [[{ callNative: { name, input } }], [{ say: "It said: {lastResult}" }]],
});

test("refuses a program that loads no extension", async () => {
  const real = await realAgent("pi");
  const wrapper = join(real.home, "pi-without");
  // Simulates a version that accepts the argument and ignores it.
  writeFileSync(wrapper, `#!/bin/sh\nshift 4\nexec "${real.env["REINS_PI_COMMAND"]}" --mode rpc "$@"\n`);
  chmodSync(wrapper, 0o700);
  const reins = real.another({ env: { ...real.env, REINS_PI_COMMAND: wrapper } });
  await expect(real.session({ mode: "full" }, reins)).rejects.toMatchObject({
    code: "protocol_error",
    message: "pi does not let Reins control its tools.",
  });
});

test("runs only what was decided on: an extension that changes the call afterwards fails, and the tool does not run", async () => {
  const real = await realAgent("pi");
  const changes = `export default (pi) => pi.on("tool_call", (event) => { event.input.content = "changed"; });`;
  extension(real, "changes", changes);
  const asked: PermissionRequest[] = [];
  const session = await real.session({ onPermission: (request) => (asked.push(request), "allow") });
  const { events } = await real.turn(session, scenarioPrompt("write", "x.txt"));
  expect(asked).toMatchObject([{ tool: "write", diff: expect.stringContaining("+hello world") as string }]);
  expect(one(events, "tool.failed").error.message).toMatch(/read only/);
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
  // In full mode an extension may change a call.
  await session.configure({ mode: "full" });
  await real.turn(session, scenarioPrompt("write", "y.txt"));
  expect(readFileSync(join(real.cwd, "y.txt"), "utf8")).toBe("changed");
});

test("asks about tools of extensions, hidden and outside paths, but not about reading", async () => {
  const tool = `export default (pi) => pi.registerTool({ name: "launch", label: "Launch", description: "Launches.",
    parameters: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "Off it went." }], details: undefined }) });`;
  const real = await realAgent("pi", { scenarios: [native("launch", {})] });
  extension(real, "launch", tool);
  writeFileSync(join(real.cwd, "notes.txt"), "hello");
  const asked: PermissionRequest[] = [];
  const session = await real.session({ mode: "edits", onPermission: (request) => (asked.push(request), "deny") });
  await real.turn(session, scenarioPrompt("read", "notes.txt"));
  await real.turn(session, scenarioPrompt("write", "plain.txt"));
  expect(asked.splice(0)).toEqual([]);
  await real.turn(session, scenarioPrompt("native"));
  await real.turn(session, scenarioPrompt("write", ".git/hooks/post-commit"));
  await real.turn(session, scenarioPrompt("write", join(real.home, "far.txt")));
  await real.turn(session, scenarioPrompt("shell", "touch made"));
  expect(asked.map(({ title }) => title)).toHaveLength(4);
  expect(asked.map(({ tool: kind }) => kind)).toEqual(["other", "write", "write", "shell"]);
  expect(readdirSync(real.cwd).sort()).toEqual([".git", "notes.txt", "plain.txt"]);
});

test("does not take a path from home as one in the workspace", async () => {
  const real = await realAgent("pi", { scenarios: [native("write", { path: "~/far.txt", content: "x" })] });
  const asked: PermissionRequest[] = [];
  const session = await real.session({ mode: "edits", onPermission: (request) => (asked.push(request), "allow") });
  const { events } = await real.turn(session, scenarioPrompt("native"));
  expect(asked).toMatchObject([{ locations: [{ path: join(real.home, "far.txt") }] }]);
  expect(all(events, "file.changed")).toMatchObject([{ path: join(real.home, "far.txt"), op: "create" }]);
});

test("accepts tools by name, other tools for the first prompt, directories, and reading in mode read", async () => {
  const real = await realAgent("pi");
  const further = join(real.home, "further");
  mkdirSync(further);
  const asked: PermissionRequest[] = [];
  const onPermission = (request: PermissionRequest) => (asked.push(request), "deny" as const);
  const tools = { allowed: ["write"], disallowed: ["grep"], first: { disallowed: ["write"] } };
  const session = await real.session({ mode: "ask", onPermission, tools });
  const first = await real.turn(session, scenarioPrompt("write", "x.txt"));
  expect(one(first.events, "tool.failed")).toMatchObject({ reason: "denied" });
  const second = await real.turn(session, scenarioPrompt("write", "x.txt"));
  expect(second.result.filesChanged).toEqual(["x.txt"]);
  const edits = await real.session({
    mode: "edits",
    onPermission,
    directories: [further],
    tools: { disallowed: ["shell"] },
  });
  expect((await real.turn(edits, scenarioPrompt("write", join(further, "y.txt")))).result.filesChanged).toEqual([
    join(further, "y.txt"),
  ]);
  expect(asked).toEqual([]);
  const started = await real.when(edits, "session.started");
  expect(started.tools).not.toContain("bash");
  const settings = { defaultProvider: "scripted", defaultModel: "scripted" };
  writeFileSync(join(real.home, ".pi/agent/settings.json"), JSON.stringify(settings));
  const looking = await real.session({ mode: "read" });
  expect((await real.when(looking, "session.started")).tools).toEqual(expect.arrayContaining(["grep", "find", "ls"]));
  await expect(real.session({ tools: { allowed: ["shell(git *)"] } })).rejects.toMatchObject({ code: "invalid_input" });
});

test("turns dialogs of extensions into questions and their commands into turns, and leaves no files of ours", async () => {
  const real = await realAgent("pi");
  extension(
    real,
    "greet",
    `export default (pi) => pi.registerCommand("greet", { description: "Greets.", handler: async (name, ctx) => {
      const kind = await ctx.ui.select("How?", ["Warmly", "Coldly"]);
      const sure = await ctx.ui.confirm("Sure?", "Really?");
      ctx.ui.notify(\`\${kind} \${sure}, \${name}\`);
    } });`,
  );
  const session = await real.session({
    onQuestion: ({ questions: [question] }) => ({ answer: question!.options[0]!.label }),
  });
  expect((await real.when(session, "session.updated", ({ commands }) => commands !== undefined)).commands).toEqual(
    expect.arrayContaining([{ name: "greet", description: "Greets." }]),
  );
  const { result, events } = await real.turn(session, "/greet Ann");
  expect(result).toMatchObject({ outcome: "done", text: "" });
  expect(all(events, "question.resolved")).toHaveLength(2);
  expect(all(events, "notice").map(({ message }) => message)).toContain("Warmly true, Ann");
  expect(real.model.requests).toEqual([]);
  const ours = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`reins-pi-${process.pid}-`));
  expect(ours()).toHaveLength(1);
  await session.close();
  expect(ours()).toEqual([]);
});
