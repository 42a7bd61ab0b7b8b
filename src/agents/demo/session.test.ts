import { describe, expect, test } from "vitest";
import { makeFolder, openDemo } from "../../../test/support/demo.ts";
import { only } from "../../../test/support/drive.ts";
import type { AgentEvent } from "../../events/types.ts";

const ended = (event: AgentEvent): boolean => event.type === "turn.ended";
const reports = (event: AgentEvent): boolean => event.type === "message.completed";

describe("a session", () => {
  test("introduces itself before anything else", async () => {
    const { drive, cwd, session } = await openDemo({ mode: "edits" });
    await drive.turn("say hi");
    expect(drive.events[0]).toMatchObject({
      type: "session.started",
      mode: "edits",
      cwd,
      resumed: false,
      state: expect.stringMatching(/^demo:1:[0-9a-f-]{36}:0$/),
    });
    expect(session.state).toMatch(/^demo:1:[0-9a-f-]{36}:1$/);
  });

  test("takes one prompt at a time", async () => {
    const { drive, session } = await openDemo();
    await session.prompt({ text: "sleep 1000000" });
    await expect(session.prompt({ text: "list" })).rejects.toMatchObject({ code: "session_busy" });
    await session.cancel();
    await drive.until(ended);
    expect(only(await drive.turn("say again"), "message.completed")[0]?.text).toBe("again");
  });

  test("refuses a prompt after close, and its events end", async () => {
    const { drive, session } = await openDemo();
    await session.close();
    await session.close();
    await expect(session.prompt({ text: "list" })).rejects.toMatchObject({ code: "session_not_found" });
    expect((await drive.rest()).map((event) => event.type)).toEqual(["session.started"]);
  });

  test("knows only its one model", async () => {
    await expect(openDemo({ model: "opus" })).rejects.toMatchObject({ code: "model_unknown" });
    const { session } = await openDemo({ model: "scripted" });
    await expect(session.configure({ model: "opus" })).rejects.toMatchObject({ code: "model_unknown" });
  });

  test("reports that it ignores attachments", async () => {
    const { drive, session } = await openDemo();
    await session.prompt({ text: "say hi", attachments: [{ kind: "file", path: "/a" }] });
    expect(only(await drive.until(ended), "notice")).toMatchObject([{ code: "divergence" }]);
  });
});

describe("resuming", () => {
  test("continues the same conversation, and forks a copy", async () => {
    const cwd = await makeFolder();
    const first = await openDemo({ cwd });
    await first.drive.turn("say one");
    const state = first.session.state as string;
    const again = await openDemo({ cwd, state });
    const copy = await openDemo({ cwd, state, fork: true });
    await again.drive.turn("say two");
    await copy.drive.turn("say two");
    expect(again.drive.events[0]).toMatchObject({ type: "session.started", resumed: true, state });
    expect(again.session.state).toBe(state.replace(/1$/, "2"));
    expect(copy.session.state).toMatch(/:2$/);
    expect(copy.session.state).not.toBe(again.session.state);
  });

  test.each(["demo:2:x:1", "claude:1:abc", "", "demo:1:zz:1"])("rejects the state %o", async (state) => {
    await expect(openDemo({ state })).rejects.toMatchObject({ code: "session_not_found" });
  });
});

describe("cancel", () => {
  test("does nothing when idle", async () => {
    const { drive, session } = await openDemo();
    await session.cancel();
    expect((await drive.turn("say hi")).at(-1)).toMatchObject({ type: "turn.ended", outcome: "done" });
  });

  test("ends a sleep", async () => {
    const { drive, session } = await openDemo();
    await session.prompt({ text: "sleep 1000000; say never" });
    await session.cancel();
    expect(await drive.until(ended)).toMatchObject([
      { type: "session.started" },
      { type: "turn.ended", outcome: "cancelled" },
    ]);
  });

  test("ends a pending permission and closes the call", async () => {
    const { drive, session } = await openDemo();
    await session.prompt({ text: "write a hello; say never" });
    await drive.until((event) => event.type === "permission.requested");
    await session.cancel();
    expect(await drive.until(ended)).toMatchObject([
      { type: "tool.failed", reason: "cancelled" },
      { type: "turn.ended", outcome: "cancelled" },
    ]);
  });

  test("ends a pending question and a hold", async () => {
    const { drive, session } = await openDemo();
    await session.prompt({ text: "ask why?" });
    await drive.until((event) => event.type === "question.requested");
    await session.cancel();
    expect(await drive.until(ended)).toMatchObject([{ type: "turn.ended", outcome: "cancelled" }]);
    await session.prompt({ text: "list" });
    await drive.until((event) => event.type === "tool.held", { hold: undefined });
    await session.cancel();
    expect(await drive.until(ended)).toMatchObject([
      { type: "tool.failed", reason: "cancelled" },
      { type: "turn.ended" },
    ]);
  });

  test("ends a stream that nobody reads, and its pieces still add up", async () => {
    const { drive, session } = await openDemo();
    await session.prompt({ text: "stream 1000000" });
    await session.cancel();
    const said = await drive.until(ended);
    const deltas = only(said, "message.delta");
    expect(deltas.length).toBeLessThan(1000);
    expect(only(said, "message.completed").map(({ text }) => text)).toEqual([deltas.map(({ text }) => text).join("")]);
    expect(said.at(-1)).toMatchObject({ type: "turn.ended", outcome: "cancelled" });
  });

  test("ignores later answers", async () => {
    const { drive, session } = await openDemo();
    await session.prompt({ text: "write a hello" });
    const asked = (await drive.until((event) => event.type === "permission.requested")).at(-1) as { requestId: string };
    await session.cancel();
    session.answer(asked.requestId, { decision: "allow" });
    session.answer("nobody", { decision: "allow" });
    expect(only(await drive.until(ended), "file.changed")).toEqual([]);
  });
});

describe("a stream", () => {
  test("is produced only as it is read", async () => {
    const { drive, session } = await openDemo();
    await session.prompt({ text: "stream 100000" });
    const said = await drive.until(ended);
    expect(only(said, "message.delta")).toHaveLength(100_000);
  });

  test("pauses when nobody reads", async () => {
    const { session } = await openDemo();
    await session.prompt({ text: "stream 1000000" });
    // Each is a chance for the stream to continue, which it must not take.
    for (let chance = 0; chance < 20; chance++) await new Promise((resolve) => setImmediate(resolve));
    const batches = session.events[Symbol.asyncIterator]();
    const first = await batches.next();
    expect(first.done === true ? 0 : first.value.length).toBeLessThan(1000);
  });
});

describe("background work", () => {
  test("outlives its turn and is reported in a turn of its own", async () => {
    const { drive } = await openDemo();
    const said = await drive.turn("background 10; say started");
    const [task] = only(said, "task.started");
    expect(said.at(-1)).toMatchObject({ type: "turn.ended", outcome: "done", background: [task?.taskId] });
    expect(await drive.until(ended)).toMatchObject([
      { type: "task.updated", taskId: task?.taskId, status: "completed" },
      { type: "message.delta" },
      { type: "message.completed" },
      { type: "turn.ended", outcome: "done" },
    ]);
  });

  test("waits for the end of a running turn before it is reported", async () => {
    const { drive, session } = await openDemo();
    await drive.turn("background 1");
    await session.prompt({ text: "ask wait?" });
    await drive.until((event) => event.type === "task.updated");
    const [question] = only(drive.events, "question.requested");
    session.answer(question?.requestId as string, { decision: "skip" });
    const turn = await drive.until(ended);
    expect(only(turn, "message.completed")).toHaveLength(1);
    expect(turn.at(-1)).toMatchObject({ background: [] });
    expect(await drive.until(reports)).toMatchObject([
      { type: "message.delta" },
      { text: expect.stringContaining("background") as string },
    ]);
  });

  test("stops with the session", async () => {
    const { drive, session } = await openDemo();
    await drive.turn("background 1000000");
    await session.close();
    expect(await drive.rest()).toMatchObject([{ type: "task.updated", status: "stopped" }]);
  });
});
