/** Features that only Claude Code has: to-do lists, notebooks, timeouts, hooks. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt, type Act, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { asked, toldResults } from "./support/requests.ts";
import { writeSettings } from "./support/settings.ts";

const call = (name: string, input: object): Act => ({ callNative: { name, input } });
const scenario = (...calls: readonly Act[]): Scenario => ({
  name: "native",
  steps: [...calls.map((one) => [one]), [{ say: "I was told: {lastResult}" }]],
});
const prompt = scenarioPrompt("native");

test("reports its to-do list as the plan", async () => {
  const scenarios = [
    scenario(
      call("TaskCreate", { subject: "first", description: "Do the first." }),
      call("TaskCreate", { subject: "second", description: "Do the second." }),
      call("TaskUpdate", { taskId: "1", status: "completed" }),
    ),
  ];
  const env = { CLAUDE_CODE_ENABLE_TODO_TOOLS: "1", CLAUDE_CODE_ENABLE_TASKS: "1" };
  const real = await realAgent("claude", { scenarios, env });
  const { events } = await real.turn(await real.session({ mode: "read" }), prompt);
  expect(
    all(events, "plan.updated").map((event) => event.entries.map(({ text, status }) => `${text} ${status}`)),
  ).toEqual([["first pending"], ["first pending", "second pending"], ["first completed", "second pending"]]);
});

test("edits a notebook", async () => {
  const cell = { id: "c1", cell_type: "code", source: "print(1)", metadata: {}, outputs: [], execution_count: null };
  const notebook = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
  const edit = { notebook_path: "{cwd}/n.ipynb", cell_id: "c1", new_source: "print(2)" };
  const scenarios = [scenario(call("Read", { file_path: "{cwd}/n.ipynb" }), call("NotebookEdit", edit))];
  const real = await realAgent("claude", { scenarios });
  writeFileSync(join(real.cwd, "n.ipynb"), JSON.stringify(notebook));
  const { events } = await real.turn(await real.session({ mode: "edits" }), prompt);
  expect(all(events, "tool.started").map((event) => event.tool)).toEqual(["read", "notebook"]);
  expect(one(events, "file.changed")).toMatchObject({ path: "n.ipynb", op: "modify" });
  expect(readFileSync(join(real.cwd, "n.ipynb"), "utf8")).toContain("print(2)");
});

test("overwrites a file", async () => {
  const path = "{cwd}/old.txt";
  const scenarios = [scenario(call("Read", { file_path: path }), call("Write", { file_path: path, content: "new\n" }))];
  const real = await realAgent("claude", { scenarios });
  writeFileSync(join(real.cwd, "old.txt"), "old\n");
  const { events } = await real.turn(await real.session({ mode: "edits" }), prompt);
  const changed = one(events, "file.changed");
  expect(changed).toMatchObject({ path: "old.txt", op: "modify", added: 1, removed: 1 });
  expect(changed.diff).toContain("-old\n+new\n");
});

test("reads an image", async () => {
  const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
  const real = await realAgent("claude");
  writeFileSync(join(real.cwd, "red.png"), Buffer.from(png, "base64"));
  const { events } = await real.turn(await real.session({ mode: "read" }), scenarioPrompt("read", "red.png"));
  expect(one(events, "tool.completed").output.content).toMatchObject([{ type: "image", mediaType: "image/png" }]);
  expect(asked(real.model).at(-1)!.items).toContainEqual({ from: "image" });
});

test("moves a slow command to the background and ends it with the session", async () => {
  const scenarios = [scenario(call("Bash", { command: "tail -f /dev/null", description: "Wait", timeout: 1_000 }))];
  const real = await realAgent("claude", { scenarios });
  const { result, events } = await real.turn(await real.session({ mode: "full" }), prompt);
  const task = one(events, "task.started");
  expect(task).toMatchObject({ kind: "shell", callId: one(events, "tool.started").callId });
  expect(result).toMatchObject({ outcome: "done", background: [task.taskId] });
});

test("runs the person's own hooks in every mode", async () => {
  const real = await realAgent("claude");
  const block = { type: "command", command: "echo 'Blocked by my hook.' >&2; exit 2" };
  const remember = { type: "command", command: "echo Remember the milk." };
  writeSettings(real.home, {
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [block] }], SessionStart: [{ hooks: [remember] }] },
  });
  const { result, events } = await real.turn(await real.session({ mode: "full" }), scenarioPrompt("shell", "echo hi"));
  expect(one(events, "tool.failed").error.message).toContain("Blocked by my hook.");
  expect(toldResults(real.model).at(-1)).toContain("Blocked by my hook.");
  expect(asked(real.model)[0]!.messages).toContain("Remember the milk.");
  expect(result.outcome).toBe("done");
  expect(all(events, "notice")).toEqual([]);
});

test("continues when an MCP server does not start", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mcpServers: { broken: { command: "/no/such/program" } } });
  expect((await real.turn(session, scenarioPrompt("text"))).result.outcome).toBe("done");
});

test("returns an answer in a given JSON schema", async () => {
  const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
  const real = await realAgent("claude", { scenarios: [scenario(call("StructuredOutput", { name: "Ada" }))] });
  const session = await real.session({ extraArgs: ["--json-schema", JSON.stringify(schema)] });
  const { result } = await real.turn(session, prompt);
  expect(JSON.parse(result.text)).toEqual({ name: "Ada" });
});
