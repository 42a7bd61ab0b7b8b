import { describe, expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import type { AgentEvent } from "../../events/types.ts";
import { CallTracker, endOf, type DescribedCall } from "./calls.ts";

const described = (input: unknown = {}): DescribedCall => ({
  tool: "shell",
  nativeName: "bash",
  kind: "execute",
  title: `Run ${JSON.stringify(input)}`,
  locations: undefined,
  input,
});
const types = (events: readonly AgentEvent[]) => events.map(({ type }) => type);

test("starts and ends a call once, even when the wire repeats messages", () => {
  const calls = new CallTracker();
  expect(calls.start("a", described({ command: "ls" }), "task")).toMatchObject([
    { type: "tool.started", callId: "a", tool: "shell", input: { command: "ls" }, parent: "task" },
  ]);
  expect(calls.start("a", described())).toEqual([]);
  expect(calls.find("a")?.call.input).toEqual({ command: "ls" });
  expect(calls.close("a")?.open?.parent).toBe("task");
  expect(calls.close("a")).toBeUndefined();
  expect(calls.start("a", described())).toEqual([]);
  calls.turnEnded();
  expect(calls.start("a", described())).toHaveLength(1);
});

test("treats a reused id as a new call when ids are reused", () => {
  const calls = new CallTracker({ reusesIds: true });
  calls.start("call_0", described());
  calls.stopped("call_0");
  expect(calls.close("call_0")?.stopped).toBe("denied");
  expect(calls.start("call_0", described())).toHaveLength(1);
  expect(calls.close("call_0")?.stopped).toBeUndefined();
});

test("keeps facts that arrive before the call, until the call ends", () => {
  const calls = new CallTracker();
  const before = { path: "/x", existed: true, text: "old" };
  calls.held("a", before);
  calls.stopped("a", "cancelled");
  calls.start("a", described());
  expect(calls.close("a")).toMatchObject({ before, stopped: "cancelled" });
  expect(calls.close("unknown")).toEqual({ open: undefined, stopped: undefined, before: undefined, restarted: [] });
});

test("replaces the description and the file before it when the input changes", () => {
  const calls = new CallTracker();
  calls.held("a", { path: "/x", existed: true, text: "old" });
  expect(calls.changed("a", described())).toEqual([]);
  calls.start("a", described(1), "p");
  expect(calls.changed("a", described(2))).toEqual([
    { type: "tool.progress", callId: "a", input: 2, title: "Run 2", locations: undefined, parent: "p" },
  ]);
  expect(calls.close("a")).toMatchObject({ open: { call: { input: 2 } }, before: undefined });
});

describe("output", () => {
  const output = (events: readonly AgentEvent[]) => events.map((event) => "output" in event && event.output);

  test("reports only the new part of a growing output", () => {
    const calls = new CallTracker();
    expect(calls.grew("a", "x")).toEqual([]);
    calls.start("a", described());
    expect(["one", "one", "one\ntwo", ""].map((whole) => output(calls.grew("a", whole)))).toEqual([
      ["one"],
      [],
      ["\ntwo"],
      [],
    ]);
    expect(output(calls.progressed("a", "more"))).toEqual(["more"]);
    expect(calls.progressed("a", "")).toEqual([]);
  });

  test("continues a long output that lost its beginning from the last known part", () => {
    const calls = new CallTracker();
    calls.start("a", described());
    const long = Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n");
    calls.grew("a", long);
    expect(output(calls.grew("a", `${long.slice(500)}\nlast`))).toEqual(["\nlast"]);
    expect(calls.grew("a", "something else")).toEqual([]);
    expect(output(calls.grew("a", "something else, and more"))).toEqual([", and more"]);
  });
});

test("starts a call that outlived its turn again in the turn in which it ends", () => {
  const calls = new CallTracker();
  calls.start("a", described(), "background");
  calls.start("b", described());
  calls.turnEnded(({ parent }) => parent === "background");
  expect(calls.open.map(({ callId }) => callId)).toEqual(["a"]);
  expect(types(calls.close("a")!.restarted)).toEqual(["tool.started"]);
});

test("describes the end of a call", () => {
  const output = { text: "x", bytes: 1, kept: 1 };
  expect(endOf("a", { output, exitCode: 0 }, "p")).toMatchObject({ type: "tool.completed", exitCode: 0, parent: "p" });
  const failed = { error: { message: "no" }, reason: "denied" as const };
  expect(endOf("a", { output, failed })).toMatchObject({ type: "tool.failed", ...failed });
});

test("alternates starts and ends of an id for any order of messages", () => {
  const step = fc.tuple(
    fc.constantFrom("start", "close", "progressed", "stopped", "turn"),
    fc.constantFrom("a", "b", "c"),
  );
  fc.assert(
    fc.property(fc.array(step), fc.boolean(), (steps, reusesIds) => {
      const calls = new CallTracker({ reusesIds });
      const open = new Set<string>();
      for (const [what, id] of steps) {
        if (what === "start" && calls.start(id, described()).length > 0) {
          expect(open.has(id)).toBe(false);
          open.add(id);
        } else if (what === "close") expect(calls.close(id)?.open !== undefined).toBe(open.delete(id));
        else if (what === "progressed") expect(calls.progressed(id, "x").length > 0).toBe(open.has(id));
        else if (what === "stopped") calls.stopped(id);
        else if (what === "turn") {
          calls.turnEnded();
          open.clear();
        }
        expect(calls.open.map(({ callId }) => callId)).toEqual([...open]);
      }
    }),
  );
});
