/** The toy agent through all of Reins: the events of a turn. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { everything, turn, typesOf, withToy } from "../support/toy.ts";

test("streams text and thoughts as separate messages and returns the turn's text", async () => {
  const { session } = await withToy();
  const toy = await session();
  const events = await turn(toy, "echo say a b; think let me see; say one two; think more; say three");
  const said = events.flatMap((event) =>
    event.type === "message.completed" || event.type === "thought.completed" ? [[event.type, event.text]] : [],
  );
  expect(said).toEqual([
    ["thought.completed", "let me see"],
    ["message.completed", "one two"],
    ["thought.completed", "more"],
    ["message.completed", "three"],
  ]);
  expect(events.filter(({ type }) => type === "message.delta")).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({ type: "turn.completed", outcome: "done", text: "three", toolCalls: 0 });
  await everything(toy);
});

test("starts a session with its mode, model, version and commands", async () => {
  const { session, cwd } = await withToy();
  const toy = await session();
  await turn(toy, "say hello");
  const [started, commands] = await everything(toy);
  expect(started).toMatchObject({
    type: "session.started",
    agent: "toy",
    cwd,
    mode: "ask",
    nativeMode: "careful",
    model: "small",
    resumed: false,
    agentVersion: "1.2.3",
  });
  expect(commands).toMatchObject({ type: "session.updated", commands: [{ name: "dance" }] });
});

test("reports start, progress and end of a tool that needs no permission", async () => {
  const { session } = await withToy();
  const toy = await session();
  const events = await turn(toy, "say I read; read notes.txt; say done");
  expect(typesOf(events)).toEqual([
    ...["turn.started", "message.delta", "message.delta", "message.completed"],
    ...["session.updated", "tool.started", "tool.progress", "tool.completed"],
    ...["message.delta", "message.completed", "turn.completed"],
  ]);
  expect(events.find(({ type }) => type === "tool.started")).toMatchObject({
    tool: "read",
    nativeName: "read_file",
    kind: "read",
    title: "Read notes.txt",
    input: { path: "notes.txt" },
  });
  expect(events.find(({ type }) => type === "tool.completed")).toMatchObject({ output: { text: "first second" } });
  await everything(toy);
});

test("reports the message and the exit code of a failed tool", async () => {
  const { session } = await withToy();
  const toy = await session();
  const events = await turn(toy, "break");
  expect(events.find(({ type }) => type === "tool.failed")).toMatchObject({
    reason: "error",
    error: { message: "It broke.", exitCode: 3 },
  });
  await everything(toy);
});

test("reports a plan with its steps", async () => {
  const { session } = await withToy();
  const toy = await session();
  const events = await turn(toy, "plan");
  expect(events.find(({ type }) => type === "plan.updated")).toMatchObject({
    entries: [
      { text: "one", status: "completed", priority: "high" },
      { text: "two", status: "pending" },
    ],
  });
  await everything(toy);
});

test("turns a form into a question, which is answered or skipped when nobody is there", async () => {
  const { session } = await withToy();
  const attended = await session({ onQuestion: ({ questions }) => ({ [questions[0]!.id]: "blue" }) });
  const events = await turn(attended, "question");
  expect(events.find(({ type }) => type === "question.requested")).toMatchObject({
    questions: [{ id: "color", header: "Color", options: [{ label: "red" }, { label: "blue" }], multiple: false }],
  });
  expect(events.at(-1)).toMatchObject({ text: 'answered {"action":"accept","content":{"color":"blue"}}' });
  await everything(attended);
  const alone = await session();
  expect((await turn(alone, "question")).at(-1)).toMatchObject({ text: 'answered {"action":"decline"}' });
  await everything(alone);
});

test("answers unknown requests with an error and reports unknown messages as notices", async () => {
  const { session } = await withToy();
  const toy = await session();
  const events = await turn(toy, "extend");
  expect(events.at(-1)).toMatchObject({ outcome: "done", text: "-32601 -32601" });
  const notices = events.flatMap((event) =>
    event.type === "notice" ? [[event.code, event.message, event.count]] : [],
  );
  expect(notices).toEqual([
    ["unparsed", "Toy sent an update weather_update, which Reins does not know; it was ignored.", undefined],
    ["unparsed", "Toy sent _toy/news, which Reins does not know; it was ignored.", undefined],
    ["divergence", "Toy asked for _toy/ask, which Reins does not support.", undefined],
    ["divergence", "Toy asked for fs/read_text_file, which Reins does not support.", undefined],
    ["unparsed", "Toy sent an update weather_update, which Reins does not know; it was ignored.", 2],
  ]);
  await everything(toy);
});

test("reports updates between turns as notices without opening a turn", async () => {
  const { session } = await withToy();
  const toy = await session();
  await turn(toy, "say now; late");
  expect((await turn(toy, "say then")).at(-1)).toMatchObject({ text: "then" });
  const events = await everything(toy);
  expect(events.filter(({ type }) => type === "turn.started")).toHaveLength(2);
  expect(events.filter((event) => event.type === "notice" && event.code === "late")).not.toEqual([]);
});

test("keeps the native message when raw is set", async () => {
  const { session } = await withToy();
  const toy = await session({ raw: true });
  const delta = (await turn(toy, "say hi")).find(({ type }) => type === "message.delta");
  expect(delta?.raw).toMatchObject({ method: "session/update", params: { update: { content: { text: "hi" } } } });
  await everything(toy);
});

test("counts tokens only when the quirks say what they count, and adds up the cost", async () => {
  const { session } = await withToy();
  const toy = await session();
  const first = (await turn(toy, "spend")).at(-1);
  expect(first).toMatchObject({ costUsd: 0.5 });
  expect(first).not.toHaveProperty("usage.input");
  expect((await turn(toy, "say a; spend")).at(-1)).toMatchObject({ costUsd: 0.5 });
  await everything(toy);
  const knowing = await withToy([], { quirks: { usage: { counts: "turn" } } });
  const told = await knowing.session();
  await turn(told, "spend");
  const events = await turn(told, "spend");
  expect(events.at(-1)).toMatchObject({ usage: { input: 10, output: 5 }, costUsd: 0.5 });
  expect(events.filter(({ type }) => type === "usage.updated")).toMatchObject([
    { scope: "turn", tokens: { input: 10, output: 5 }, costUsd: 0.5, context: { used: 10, size: 100 } },
    { scope: "session", tokens: { input: 20, output: 10 }, costUsd: 1 },
  ]);
  await everything(told);
});

test("links an attached file, and sends an image only to an agent that takes images", async () => {
  const png = { kind: "image", mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
  const { session, cwd } = await withToy();
  await writeFile(join(cwd, "a.txt"), "a");
  const toy = await session();
  const prompt = (attachments: readonly object[]) =>
    toy.prompt({ text: "recall", attachments: attachments as [] }).result;
  expect(await prompt([{ kind: "file", path: "a.txt" }])).toMatchObject({ outcome: "done" });
  expect(await prompt([png])).toMatchObject({
    outcome: "failed",
    error: { code: "unsupported", message: "Toy does not accept images." },
  });
  expect(await prompt([{ kind: "file", path: "gone.txt" }])).toMatchObject({ error: { code: "invalid_input" } });
  await everything(toy);
  const seeing = await (await withToy(["--images"])).session();
  expect(await seeing.prompt({ text: "recall", attachments: [png] }).result).toMatchObject({ outcome: "done" });
  await everything(seeing);
});

test("reports the MCP servers and directories that the agent does not take", async () => {
  const { session, cwd } = await withToy();
  const toy = await session({
    mcpServers: { mine: { command: "node", env: { A: "b" } }, far: { type: "http", url: "http://x" } },
    directories: [cwd],
  });
  await turn(toy, "say hi");
  const events = await everything(toy);
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.message] : []));
  expect(notices).toEqual([
    "Toy does not support MCP servers over http, so far is left out.",
    "Toy does not support additional directories, so this option is ignored.",
  ]);
  const update = events.find((event) => event.type === "session.updated" && event.commands !== undefined);
  const description = update?.type === "session.updated" ? update.commands?.[0]?.description : undefined;
  expect(JSON.parse(description ?? "")).toEqual({
    cwd,
    mcpServers: [{ name: "mine", command: "node", args: [], env: [{ name: "A", value: "b" }] }],
  });
});

test("uses the same process for a second prompt and leaves no process after close", async () => {
  const { session, cwd } = await withToy();
  const toy = await session();
  await turn(toy, "say a");
  expect((await turn(toy, "recall")).at(-1)).toMatchObject({ text: "2 prompts" });
  await everything(toy);
  expect(existsSync(cwd)).toBe(true);
});
