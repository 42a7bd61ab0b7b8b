import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDemo } from "../../../test/support/demo.ts";
import { only } from "../../../test/support/drive.ts";
import { defaultLimits } from "../../events/limits.ts";

describe("reading", () => {
  test("list names files and folders", async () => {
    const { drive, cwd } = await openDemo();
    await mkdir(join(cwd, "src"));
    await writeFile(join(cwd, "a.txt"), "");
    const said = await drive.turn("list");
    expect(only(said, "tool.started")).toMatchObject([
      { tool: "list", nativeName: "list", kind: "search", title: "List ." },
    ]);
    expect(only(said, "tool.completed")).toMatchObject([{ output: { text: "a.txt\nsrc/", bytes: 10, kept: 10 } }]);
    expect(only(said, "message.completed")).toMatchObject([{ text: "Listed 2 entries." }]);
  });

  test("read returns a file", async () => {
    const { drive, cwd } = await openDemo();
    await writeFile(join(cwd, "a b.txt"), "grüße\n");
    const said = await drive.turn('read "a b.txt"');
    expect(only(said, "tool.started")).toMatchObject([
      { tool: "read", title: "Read a b.txt", input: { path: "a b.txt" } },
    ]);
    expect(only(said, "tool.held")).toMatchObject([{ locations: [{ path: "a b.txt" }] }]);
    expect(only(said, "tool.completed")).toMatchObject([{ output: { text: "grüße\n", bytes: 8, kept: 8 } }]);
  });

  test("read returns the beginning of a long file, cut between characters", async () => {
    const { drive, cwd } = await openDemo();
    await writeFile(join(cwd, "long"), `x${"ü".repeat(defaultLimits.inlineBytes)}`);
    const [read] = only(await drive.turn("read long"), "tool.completed");
    expect(read?.output).toMatchObject({
      bytes: 1 + 2 * defaultLimits.inlineBytes,
      kept: defaultLimits.inlineBytes - 1,
    });
    expect(read?.output.text).toMatch(/^xü+$/);
  });

  test.each([
    ["read nothing", "ENOENT"],
    ["read src", "EISDIR"],
  ])("%s fails, and the turn continues", async (step, code) => {
    const { drive, cwd } = await openDemo();
    await mkdir(join(cwd, "src"));
    const said = await drive.turn(`${step}; list`);
    expect(only(said, "tool.failed")).toMatchObject([{ reason: "error", error: { code } }]);
    expect(only(said, "tool.completed")).toHaveLength(1);
    expect(said.at(-1)).toMatchObject({ type: "turn.ended", outcome: "done" });
  });

  test("read outside the workspace fails before anybody is asked", async () => {
    const { drive } = await openDemo({ mode: "full" });
    const said = await drive.turn("read ../secret");
    expect(only(said, "tool.held")).toEqual([]);
    expect(only(said, "tool.failed")).toMatchObject([{ error: { message: "../secret is outside the workspace." } }]);
  });
});

describe("changing", () => {
  test("write creates a file and its folders, and reports it afterwards", async () => {
    const { drive, cwd } = await openDemo({ mode: "full" });
    const said = await drive.turn("write src/a.txt hello");
    const [call] = only(said, "tool.started");
    expect(only(said, "file.changed")).toEqual([
      {
        type: "file.changed",
        path: "src/a.txt",
        op: "create",
        diff: "--- /dev/null\n+++ b/src/a.txt\n@@ -0,0 +1,1 @@\n+hello\n\\ No newline at end of file\n",
        added: 1,
        removed: 0,
        callId: call?.callId,
      },
    ]);
    expect(await readFile(join(cwd, "src/a.txt"), "utf8")).toBe("hello");
    expect(said.map((event) => event.type).indexOf("file.changed")).toBeLessThan(
      said.map((event) => event.type).indexOf("tool.completed"),
    );
  });

  test("write overwrites, and leaves out a diff that is too long", async () => {
    const { drive, cwd } = await openDemo({ mode: "full" });
    await writeFile(join(cwd, "a"), "x\n".repeat(defaultLimits.inlineBytes));
    const [changed] = only(await drive.turn("write a y"), "file.changed");
    expect(changed).toMatchObject({ op: "modify", added: 1, removed: defaultLimits.inlineBytes });
    expect(changed).not.toHaveProperty("diff");
  });

  test("edit replaces the first occurrence, literally", async () => {
    const { drive, cwd } = await openDemo({ mode: "edits" });
    await writeFile(join(cwd, "a"), "one one\n");
    await drive.turn("edit a one -> $& two");
    expect(await readFile(join(cwd, "a"), "utf8")).toBe("$& two one\n");
  });

  test.each([
    ["edit a three -> two", "a does not contain “three”."],
    ["edit b one -> two", "There is no file b."],
  ])("%s fails", async (step, message) => {
    const { drive, cwd } = await openDemo();
    await writeFile(join(cwd, "a"), "one");
    const said = await drive.turn(step, { permission: { decision: "allow" } });
    expect(only(said, "tool.failed")).toMatchObject([{ reason: "error", error: { message } }]);
    expect(only(said, "permission.requested")).toEqual([]);
  });

  test("edit reads the file again after the permission", async () => {
    const { drive, cwd } = await openDemo();
    await writeFile(join(cwd, "a"), "one");
    await drive.session.prompt({ text: "edit a one -> two" });
    const asked = (await drive.until((event) => event.type === "permission.requested")).at(-1) as { requestId: string };
    await writeFile(join(cwd, "a"), "one and more");
    drive.session.answer(asked.requestId, { decision: "allow" });
    await drive.until((event) => event.type === "turn.ended");
    expect(await readFile(join(cwd, "a"), "utf8")).toBe("two and more");
  });
});

describe("talking", () => {
  test.each(["message", "thought"] as const)("%s comes in pieces that add up", async (kind) => {
    const { drive } = await openDemo();
    const text = "One two three,  four\nfive six seven.";
    const said = await drive.turn(`${kind === "message" ? "say" : "think"} ${text}`);
    const deltas = only(said, `${kind}.delta`);
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map((delta) => delta.text).join("")).toBe(text);
    expect(only(said, `${kind}.completed`)).toMatchObject([{ messageId: deltas[0]?.messageId, text }]);
  });

  test("ask waits for an answer and repeats it", async () => {
    const { drive } = await openDemo();
    const said = await drive.turn("ask Which colours?", {
      question: { decision: "answer", answers: { answer: ["red", "blue"] } },
    });
    expect(only(said, "question.requested")).toMatchObject([
      { questions: [{ text: "Which colours?", multiple: false, free: true }] },
    ]);
    expect(only(said, "message.completed")).toMatchObject([{ text: "You answered: red, blue." }]);
  });

  test("ask accepts a skip", async () => {
    const { drive } = await openDemo();
    const said = await drive.turn("ask Why?", { question: { decision: "skip" } });
    expect(only(said, "message.completed")).toMatchObject([{ text: "You left the question open." }]);
  });

  test("help explains the grammar, and an unknown step says where to look", async () => {
    const { drive } = await openDemo();
    expect(only(await drive.turn("help"), "message.completed")[0]?.text).toContain("edit F from -> to");
    expect(only(await drive.turn("dance; say hi"), "message.completed").map(({ text }) => text)).toEqual([
      "I do not know the step “dance”; say `help` for those I know.",
      "hi",
    ]);
  });

  test("stream and big give the requested amount", async () => {
    const { drive } = await openDemo();
    expect(only(await drive.turn("stream 5"), "message.completed")).toMatchObject([{ text: "1 2 3 4 5 " }]);
    const [big] = only(await drive.turn("big 70001"), "tool.completed");
    expect(big?.output).toMatchObject({ bytes: 70_001, kept: 70_001 });
    expect(big?.output.text).toHaveLength(70_001);
    expect(only(await drive.turn("big 999999999999"), "tool.failed")).toMatchObject([{ reason: "error" }]);
  });

  test("sleep waits, and the end reports what was done", async () => {
    const { drive } = await openDemo();
    expect(only(await drive.turn("sleep 1; plan"), "message.completed")).toMatchObject([
      { text: "Slept 1 ms. Made a plan." },
    ]);
  });
});

describe("plan", () => {
  test("waits for approval in mode plan, which ends the mode", async () => {
    const { drive } = await openDemo({ mode: "plan" });
    const said = await drive.turn("plan; write a 1", { permission: { decision: "allow" } });
    const [approval, write] = only(said, "permission.requested");
    expect(approval).toMatchObject({ tool: "plan", input: { plan: expect.stringContaining("1. Look") as string } });
    expect(approval?.options.map((option) => option.kind)).toEqual(["allow_once", "reject_once"]);
    expect(only(said, "session.updated")).toMatchObject([{ mode: "ask" }]);
    expect(write).toMatchObject({ tool: "write" });
  });

  test("changes nothing without approval", async () => {
    const { drive } = await openDemo({ mode: "plan" });
    const said = await drive.turn("plan; write a 1", { permission: { decision: "deny", message: "Think again." } });
    expect(only(said, "tool.failed")).toMatchObject([
      { reason: "denied", error: { message: "Think again." } },
      { reason: "denied", error: { message: "Not allowed: this session only looks (mode plan)." } },
    ]);
  });
});

describe("subagent", () => {
  test("runs its steps under its call", async () => {
    const { drive } = await openDemo();
    const said = await drive.turn('subagent "say hello; write a 1"; say back', { permission: { decision: "allow" } });
    const [call, inner] = only(said, "tool.started");
    expect(call).toMatchObject({ tool: "task", kind: "think", input: { prompt: "say hello; write a 1" } });
    expect(inner).toMatchObject({ tool: "write", parent: call?.callId });
    expect(only(said, "permission.requested")).toMatchObject([{ parent: call?.callId }]);
    expect(only(said, "file.changed")).toMatchObject([{ parent: call?.callId }]);
    expect(only(said, "message.completed")).toMatchObject([{ text: "hello", parent: call?.callId }, { text: "back" }]);
    const [task] = only(said, "task.started");
    expect(task).toMatchObject({ kind: "subagent", callId: call?.callId, status: "running" });
    expect(only(said, "task.updated")).toMatchObject([{ taskId: task?.taskId, status: "completed" }]);
  });

  test("fails as a tool, and the turn continues", async () => {
    const { drive } = await openDemo();
    const said = await drive.turn("subagent fail overloaded; say on");
    expect(only(said, "task.updated")).toMatchObject([{ status: "failed" }]);
    expect(only(said, "tool.failed")).toMatchObject([{ reason: "error" }]);
    expect(said.at(-1)).toMatchObject({ outcome: "done" });
  });

  test("is stopped by a cancel, with everything open inside", async () => {
    const { drive, session } = await openDemo();
    await session.prompt({ text: "subagent write a 1" });
    await drive.until((event) => event.type === "permission.requested");
    await session.cancel();
    const said = await drive.until((event) => event.type === "turn.ended");
    expect(only(said, "tool.failed")).toMatchObject([{ reason: "cancelled" }, { reason: "cancelled" }]);
    expect(only(said, "task.updated")).toMatchObject([{ status: "stopped" }]);
  });
});

describe("fail", () => {
  test("ends the turn with that error", async () => {
    const { drive } = await openDemo();
    const said = await drive.turn("fail overloaded; say never");
    expect(said).toMatchObject([
      { type: "turn.ended", outcome: "failed", error: { code: "overloaded", retryable: true, agent: "demo" } },
    ]);
  });

  test("gives the reset time of a limit", async () => {
    const { drive } = await openDemo();
    const [ended] = only(await drive.turn("fail rate_limited"), "turn.ended");
    expect(Date.parse(ended?.error?.resetsAt ?? "")).toBeGreaterThan(Date.now());
  });

  test.each(["nonsense", "toString"])("names the known codes for the unknown code %s", async (code) => {
    const { drive } = await openDemo();
    const [ended] = only(await drive.turn(`fail ${code}`), "turn.ended");
    expect(ended?.error).toMatchObject({
      code: "invalid_input",
      help: expect.stringContaining("overloaded") as string,
    });
  });
});
