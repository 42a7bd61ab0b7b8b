import { expect, test } from "vitest";
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../../../events/types.ts";
import type { Answer } from "../../contract.ts";
import { Calls } from "./calls.ts";
import { HookRequests, type EditApproval, type Verdict } from "./requests.ts";

const inputs: Readonly<Record<string, object>> = {
  Write: { path: "/work/a", contents: "new" },
  Edit: { path: "/work/a", old_string: "a", new_string: "b" },
  Shell: { command: "true" },
  Read: { path: "/work/a" },
};

function scene({ deadlineMs = 60_000, overAcp = true }: { deadlineMs?: number; overAcp?: boolean } = {}) {
  const said: AgentEvent[] = [];
  const calls = new Calls("/work", "h");
  let mode: Mode = "ask";
  const edits: EditApproval = { mode: () => mode, allowedIn: undefined };
  let stops = 0;
  const requests = new HookRequests({
    say: (events) => said.push(...events),
    stop: () => stops++,
    deadlineMs,
    prefix: "h",
    edits: overAcp ? edits : undefined,
  });
  const gone = new AbortController();
  let count = 0;
  return {
    said,
    requests,
    edits,
    gone,
    stops: () => stops,
    become: (next: Mode) => void (mode = next),
    ask(name: string, changeable = true): Promise<Verdict> {
      return requests.ask(calls.hooked(`c${++count}`, name, inputs[name]), changeable, gone.signal);
    },
    last: <Type extends AgentEvent["type"]>(type: Type) =>
      said.findLast((event): event is Extract<AgentEvent, { type: Type }> => event.type === type)!,
    answer(type: "tool.held" | "permission.requested", answer: Answer): boolean {
      return requests.answer(this.last(type).requestId, answer);
    },
  };
}

const completed = (callId: string): AgentEvent => ({
  type: "tool.completed",
  callId,
  output: { text: "", bytes: 0, kept: 0 },
});

test("asks about edits over ACP, which Cursor would not ask about, and leaves the rest to Cursor", async () => {
  const at = scene();
  for (const name of ["Write", "Edit"]) {
    const verdict = at.ask(name);
    at.answer("tool.held", { decision: "defer" });
    expect(at.said.at(-1)).toMatchObject({ type: "permission.requested", callId: at.last("tool.held").callId });
    at.answer("permission.requested", { decision: "allow" });
    expect(await verdict).toMatchObject({ decision: "allow" });
  }
  for (const name of ["Shell", "Read"]) {
    const verdict = at.ask(name);
    at.answer("tool.held", { decision: "defer" });
    expect(await verdict).toMatchObject({ decision: "defer" });
  }
  const allowed = at.ask("Write");
  at.answer("tool.held", { decision: "allow" });
  expect(await allowed).toMatchObject({ decision: "allow" });
  // A request of somebody else, or one that was answered.
  expect(at.answer("tool.held", { decision: "defer" })).toBe(false);
  expect(at.requests.answer("other", { decision: "defer" })).toBe(false);
});

test("leaves edits to Cursor in print mode, without an option to allow all", async () => {
  const at = scene({ overAcp: false });
  const deferred = at.ask("Write");
  at.answer("tool.held", { decision: "defer" });
  expect(await deferred).toMatchObject({ decision: "defer" });
  void at.ask("Write");
  at.answer("tool.held", { decision: "ask" });
  expect(at.last("permission.requested").options.map(({ id }) => id)).toEqual(["allow", "deny", "stop"]);
});

test.each<[Partial<Answer>]>([[{ always: true }], [{ optionId: "always" }]])(
  "allows all edits in this mode: %j",
  async (how) => {
    const at = scene();
    const first = at.ask("Write");
    at.answer("tool.held", { decision: "ask" });
    expect(at.last("permission.requested").options.at(-1)).toMatchObject({
      id: "always",
      kind: "allow_always",
      scope: "session",
    });
    at.answer("permission.requested", { decision: "allow", ...how } as Answer);
    await first;
    const second = at.ask("Edit");
    at.answer("tool.held", { decision: "defer" });
    expect(await second).toMatchObject({ decision: "allow" });
    at.become("plan");
    void at.ask("Edit");
    at.answer("tool.held", { decision: "defer" });
    expect(at.said.at(-1)?.type).toBe("permission.requested");
  },
);

test("allows once only once, and offers no always for other tools", async () => {
  const at = scene();
  const shell = at.ask("Shell");
  at.answer("tool.held", { decision: "ask" });
  expect(at.last("permission.requested").options.map(({ id }) => id)).toEqual(["allow", "deny", "stop"]);
  at.answer("permission.requested", { decision: "allow", always: true });
  expect(await shell).toMatchObject({ decision: "allow" });
  const write = at.ask("Write");
  at.answer("tool.held", { decision: "ask" });
  at.answer("permission.requested", { decision: "allow", always: true, optionId: "deny" });
  expect(await write).toMatchObject({ decision: "deny" });
  expect(at.edits.allowedIn).toBeUndefined();
});

test("reports a denied call as denied until the turn ends", async () => {
  const at = scene();
  const verdict = at.ask("Shell");
  const { callId } = at.last("tool.held");
  at.answer("tool.held", { decision: "deny" });
  expect(await verdict).toMatchObject({ decision: "deny" });
  expect(at.requests.told(completed(callId))).toMatchObject({ type: "tool.failed", reason: "denied" });
  const failed: AgentEventOf<"tool.failed"> = {
    type: "tool.failed",
    callId,
    error: { message: "Blocked." },
    reason: "error",
  };
  expect(at.requests.told(failed)).toEqual({ ...failed, reason: "denied", parent: undefined });
  expect(at.requests.told(completed("d"))).toEqual(completed("d"));
  at.requests.turnEnded();
  expect(at.requests.told(completed(callId))).toEqual(completed(callId));
});

test("denies pending calls on a cancel, and reports them as cancelled", async () => {
  const at = scene();
  const [held, asked] = [at.ask("Write"), at.ask("Shell")];
  at.answer("tool.held", { decision: "ask" });
  at.requests.cancelAll();
  expect(await held).toEqual({ decision: "deny", message: "The turn was cancelled." });
  expect(await asked).toEqual({ decision: "deny", message: "The turn was cancelled." });
  expect(at.requests.told(completed("c1"))).toEqual(completed("c1"));
  at.requests.cancelAll();
});

test("changes the input only when the hook can pass it on", async () => {
  const at = scene();
  for (const changeable of [true, false]) {
    for (const type of ["tool.held", "permission.requested"] as const) {
      const verdict = at.ask("Shell", changeable);
      if (type === "permission.requested") at.answer("tool.held", { decision: "ask" });
      at.answer(type, { decision: "allow", changedInput: { command: "false" } });
      expect(await verdict).toMatchObject(
        changeable ? { decision: "allow", changedInput: { command: "false" } } : { decision: "deny" },
      );
    }
  }
  expect(at.said.filter(({ type }) => type === "tool.progress")).toHaveLength(2);
});

test("ends the turn when a denial says so", async () => {
  const at = scene();
  const verdict = at.ask("Shell");
  at.answer("tool.held", { decision: "ask" });
  at.answer("permission.requested", { decision: "deny", optionId: "stop", message: "No." });
  expect(await verdict).toEqual({ decision: "deny", message: "No." });
  expect(at.stops()).toBe(1);
});

test("denies the call without an answer in time or without anyone to answer", async () => {
  const late = scene({ deadlineMs: 5 });
  const verdict = late.ask("Shell");
  late.answer("tool.held", { decision: "ask" });
  expect(await verdict).toEqual({ decision: "deny", message: "Nobody answered in time." });
  expect(late.said.at(-1)).toMatchObject({ type: "permission.resolved", outcome: "cancelled", by: "agent" });
  const left = scene();
  const waiting = left.ask("Shell");
  left.gone.abort();
  expect(await waiting).toEqual({ decision: "deny", message: "Cursor no longer waits for the answer." });
  left.requests.close();
  expect(await left.ask("Shell")).toEqual({ decision: "deny", message: "The session is over." });
});
