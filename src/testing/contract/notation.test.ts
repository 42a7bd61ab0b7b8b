import { describe, expect, test } from "vitest";
import type { Capabilities } from "../../events/capabilities.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { difference, type Row } from "./compare.ts";
import { holds } from "./check.ts";
import { notation } from "./notation.ts";

const lines = (...events: object[]): string[] =>
  notation(events as unknown as ReinsEvent[]).map(({ text, quiet }) => (quiet === true ? `(${text})` : text));

const started = { type: "session.started", mode: "ask", cwd: "/", resumed: false };
const turn = { type: "turn.started", origin: "prompt" };
const said = (text: string) => ({ type: "message.completed", messageId: "m", text });
const call = (callId: string, tool: string, more = {}) => ({ type: "tool.started", callId, tool, ...more });
const end = (more = {}) => ({ type: "turn.completed", outcome: "done", ...more });

describe("the notation", () => {
  test("shows a call with its fate where it began, and changed files before the end", () => {
    expect(
      lines(
        turn,
        started,
        call("1", "write"),
        call("2", "shell"),
        { type: "permission.requested", requestId: "r", callId: "1" },
        { type: "tool.completed", callId: "2", exitCode: 3 },
        { type: "permission.resolved", requestId: "r", outcome: "allowed", by: "person", changedInput: {} },
        { type: "file.changed", path: "b", op: "modify" },
        { type: "file.changed", path: "a", op: "create" },
        { type: "tool.completed", callId: "1" },
        said("Done."),
        end({ background: ["t"] }),
      ),
    ).toEqual([
      "session",
      "turn",
      "write: asked, allowed changed by person, completed",
      "shell: failed error",
      "message",
      "files a created, b changed",
      "done, 1 in the background",
    ]);
  });

  test("omits permissions the mode allowed, calls of questions, empty messages and messages of subagents", () => {
    expect(
      lines(
        call("1", "task"),
        { type: "permission.requested", requestId: "r", callId: "1" },
        { type: "permission.resolved", requestId: "r", outcome: "allowed", by: "policy" },
        { ...said("inside"), parent: "1" },
        call("2", "read", { parent: "1" }),
        { type: "tool.failed", callId: "1", reason: "cancelled", error: { message: "" } },
        call("3", "question"),
        { type: "question.resolved", requestId: "q", outcome: "answered", by: "person" },
        said(" "),
      ),
    ).toEqual(["task: worked inside, failed cancelled", "question answered by person"]);
  });

  test("shows important notices, and hints only as quiet lines", () => {
    expect(
      lines(
        { type: "notice", code: "quiet" },
        { type: "notice", code: "unparsed", message: "?" },
        { type: "agent.retrying", error: { code: "overloaded" } },
        { type: "agent.retrying", error: { code: "overloaded" } },
        { type: "context.compacted" },
        { type: "input.added", how: "steer" },
        end({ outcome: "failed", error: { code: "network", message: "Cut." } }),
      ),
    ).toEqual(["notice unparsed", "(retrying overloaded)", "(compacted)", "steered", "failed network"]);
  });
});

const can = { deltas: true, modes: ["ask"], afterDeny: "ends", hold: { edit: "every" } } as unknown as Capabilities;

test.each([
  ["deltas", true],
  ["!deltas", false],
  ["thinking", false],
  ["modes=ask", true],
  ["modes=full|plan", false],
  ["hold.edit=every|none", true],
  ["!afterDeny=ends", false],
])("the condition %s is %s", (condition, expected) => {
  expect(holds(condition, can)).toBe(expected);
});

const plain = ["turn", "message", "write: asked, failed denied", "cancelled"];

test.each<[Row[], string[], boolean]>([
  [["turn", "message"], ["turn", "message"], true],
  [["turn", "message"], ["turn"], false],
  [["turn"], ["turn", "message"], false],
  [["turn", "…"], plain, true],
  [["turn", "…", "not done"], plain, true],
  [["turn", "…", "done"], plain, false],
  [["turn", "?thought", "message", "write: …", "not done"], plain, true],
  [["turn", "message", "write: … failed denied", "cancelled"], plain, true],
  [["turn", "message", "write: … failed error", "cancelled"], plain, false],
  [["write: … failed denied"], ["write: failed denied"], true],
  [["turn", "message", "write|edit: asked, failed error|denied", "cancelled"], plain, true],
  [["turn", { if: "deltas", rows: ["message"] }], ["turn", "message"], true],
  [["turn", { if: "!deltas", rows: ["message"], else: ["done"] }], ["turn", "done"], true],
])("comparing %j with %j gives %s", (rows, said, same) => {
  const actual = said.map((text) => ({ text }));
  expect(difference(rows, actual, { can }) === undefined).toBe(same);
});

test("a call may come before its text if `overtakes` is declared", () => {
  const rows = ["turn", "message", "edit: completed", "message", "done"];
  const compare = (overtakes: boolean, ...said: string[]) =>
    difference(
      rows,
      said.map((text) => ({ text })),
      { can: { ...can, overtakes } },
    );
  const early = ["turn", "edit: completed", "message", "message", "done"];
  expect(compare(true, ...early)).toBeUndefined();
  expect(compare(true, ...rows)).toBeUndefined();
  expect(compare(false, ...early)).toContain("After 1 steps `edit: completed` came");
  expect(compare(true, "turn", "edit: completed", "message", "done")).toBeDefined();
});

test("a call may also come before the thought and the text", () => {
  const rows = ["turn", "thought", "message", "edit: completed", "message", "done"];
  const compare = (...said: string[]) =>
    difference(
      rows,
      said.map((text) => ({ text })),
      { can: { ...can, overtakes: true } },
    );
  expect(compare("turn", "edit: completed", "thought", "message", "message", "done")).toBeUndefined();
  expect(compare("turn", "thought", "edit: completed", "message", "message", "done")).toBeUndefined();
  expect(compare("turn", "edit: completed", "message", "thought", "message", "done")).toBeDefined();
  expect(compare("turn", "thought", "message", "message", "edit: completed", "done")).toBeDefined();
});

test("ignores a live model's text and extra reads", () => {
  const compare = (...said: string[]) =>
    difference(
      ["turn", "message", "write: completed", 'message "Done."', "files a created", "done"],
      said.map((text) => ({ text })),
      { can, spoken: true },
    );
  expect(compare("turn", "write: completed", "files a created", "done")).toBeUndefined();
  expect(
    compare("turn", "thought", "read: completed", "write: completed", "message", "files a created", "done"),
  ).toBeUndefined();
  expect(compare("turn", "read: failed error", "write: completed", "files a created", "done")).toBeDefined();
  expect(compare("turn", "files a created", "done")).toContain("After 1 steps");
});

test("compares quoted text, quiet lines only if expected, and files only if visible", () => {
  const compare = (rows: Row[], events: object[], filesUnseen = false) =>
    difference(rows, notation(events as unknown as ReinsEvent[]), { can, filesUnseen });
  expect(compare(['message "a|b"'], [said("a|b")])).toBeUndefined();
  expect(compare(['message "a|b"'], [said("a")])).toMatch(/^After 0 steps `message` \(a\) came; expected was message/);
  expect(compare(["done"], [{ type: "context.compacted" }, end()])).toBeUndefined();
  expect(compare(["compacted", "done"], [end()])).toContain("`done` came");
  expect(compare(["files a created", "done"], [end()], true)).toBeUndefined();
  expect(compare(["files a created", "done"], [end()])).toContain("it was done.");
  const failed = end({ outcome: "failed", error: { code: "agent_hung", message: "It hangs." } });
  const broken = { type: "tool.failed", callId: "c", reason: "error", error: { message: "EIO" } };
  const call = [{ type: "tool.started", callId: "c", tool: "shell" }, broken];
  expect(compare(["shell: completed"], call)).toMatch(/`shell: failed error` \(EIO\) came.* it was .* \(EIO\)\.$/);
  expect(compare(["done"], [failed, end()])).toMatch(/, and it was failed agent_hung \(It hangs\.\) · done\.$/);
});
