/** Every tool call has one start and one end in canonical terms; its changes are reported after they happened. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

const mcpServer = fileURLToPath(new URL("../support/mcp-server.ts", import.meta.url));

test("reads a file", async () => {
  const real = await realAgent("claude");
  writeFileSync(join(real.cwd, "hello.txt"), "hello there\n");
  const { result, events } = await real.turn(await real.session(), scenarioPrompt("read"));
  const started = one(events, "tool.started");
  expect(started).toMatchObject({
    tool: "read",
    nativeName: "Read",
    kind: "read",
    title: "Read hello.txt",
    locations: [{ path: "hello.txt" }],
  });
  expect(one(events, "tool.completed")).toMatchObject({
    callId: started.callId,
    output: { text: expect.stringContaining("hello there") },
  });
  expect(result).toMatchObject({ outcome: "done", toolCalls: 1, filesChanged: [] });
  expect(all(events, "file.changed")).toEqual([]);
});

test("writes a new file", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session({ mode: "edits" }), scenarioPrompt("write"));
  const started = one(events, "tool.started");
  expect(started).toMatchObject({ tool: "write", kind: "edit", title: "Write hello.txt" });
  const changed = one(events, "file.changed");
  expect(changed).toMatchObject({ path: "hello.txt", op: "create", added: 1, removed: 0, callId: started.callId });
  expect(changed.diff).toContain("+hello world");
  expect(changed.synthetic).toBeUndefined();
  expect(result.filesChanged).toEqual(["hello.txt"]);
});

test("edits a file", async () => {
  const real = await realAgent("claude");
  writeFileSync(join(real.cwd, "hello.txt"), "one\nhello there\nthree\n");
  const { result, events } = await real.turn(await real.session({ mode: "edits" }), scenarioPrompt("edit"));
  expect(all(events, "tool.started").map((event) => event.title)).toEqual(["Read hello.txt", "Edit hello.txt"]);
  const changed = one(events, "file.changed");
  expect(changed).toMatchObject({ path: "hello.txt", op: "modify", added: 1, removed: 1 });
  expect(changed.diff).toContain("-hello there\n+goodbye there\n");
  expect(readFileSync(join(real.cwd, "hello.txt"), "utf8")).toBe("one\ngoodbye there\nthree\n");
  expect(result).toMatchObject({ toolCalls: 2, filesChanged: ["hello.txt"] });
});

test("reports the output of a shell command and the file it created", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full" });
  const { result, events } = await real.turn(session, scenarioPrompt("shell", "echo made > made.txt && cat made.txt"));
  expect(one(events, "tool.started")).toMatchObject({
    tool: "shell",
    kind: "execute",
    title: expect.stringMatching(/^Run echo made/),
  });
  expect(one(events, "tool.completed").output).toEqual({ text: "made", bytes: 4, kept: 4 });
  expect(one(events, "file.changed")).toMatchObject({ path: "made.txt", op: "create", synthetic: true });
  expect(result.filesChanged).toEqual(["made.txt"]);
});

test("reports a failed shell command", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session({ mode: "full" }), scenarioPrompt("failing-tool"));
  expect(one(events, "tool.failed")).toMatchObject({
    reason: "error",
    error: { message: expect.stringContaining("No such file"), exitCode: 1 },
  });
  expect(result).toMatchObject({ outcome: "done", text: expect.stringMatching(/^It failed:/) });
});

test("reports a tool that does not exist", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session(), scenarioPrompt("unknown-tool"));
  expect(one(events, "tool.started")).toMatchObject({ tool: "other", nativeName: "NoSuchTool" });
  expect(one(events, "tool.failed")).toMatchObject({
    reason: "error",
    error: { message: expect.stringContaining("NoSuchTool") },
  });
  expect(result.outcome).toBe("done");
});

test("reports a tool call without its required input", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session(), scenarioPrompt("bad-input"));
  expect(one(events, "tool.failed")).toMatchObject({
    reason: "error",
    error: { message: expect.stringContaining("file_path") },
  });
  expect(result.outcome).toBe("done");
});

test("runs two tools of one answer", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(await real.session({ mode: "edits" }), scenarioPrompt("two-tools"));
  const ids = all(events, "tool.started").map((event) => event.callId);
  expect(new Set(ids).size).toBe(2);
  expect(
    all(events, "tool.completed")
      .map((event) => event.callId)
      .sort(),
  ).toEqual(ids.toSorted());
  expect(result).toMatchObject({ text: "I got 2 results.", toolCalls: 2, filesChanged: ["one.txt", "two.txt"] });
});

test("runs a tool of an MCP server", async () => {
  const real = await realAgent("claude");
  const server = { command: process.execPath, args: [mcpServer] };
  const session = await real.session({ mcpServers: { scripted: server }, onPermission: () => "allow" });
  const { result, events } = await real.turn(session, scenarioPrompt("mcp"));
  expect(one(events, "tool.started")).toMatchObject({
    tool: "mcp",
    nativeName: "mcp__scripted__add",
    input: { a: 2, b: 3 },
  });
  expect(one(events, "permission.requested")).toMatchObject({ tool: "mcp", mcp: { server: "scripted", tool: "add" } });
  expect(one(events, "tool.completed").output.text).toBe("The sum is 5.");
  expect(result.text).toBe("The server said: The sum is 5.");
});

test("cuts an output of a megabyte and says so", async () => {
  const real = await realAgent("claude");
  const { result, events } = await real.turn(
    await real.session({ mode: "full" }),
    scenarioPrompt("shell-output", "1000000"),
  );
  expect(result.outcome).toBe("done");
  const { output } = one(events, "tool.completed");
  expect(output.bytes).toBe(1_000_000);
  expect(output.kept).toBe(output.text.length);
  expect(output.text).toMatch(/^x+$/);
  expect(output.text.length).toBeLessThanOrEqual(50 * 1024);
});
