import { expect, it } from "vitest";
import { stamp } from "../../test/support/histories.ts";
import { checkLaws, compareReplay, type LawNumber, type LawOptions, neverThrows } from "./laws.ts";
import type { EventPayload } from "./types.ts";

type Loose = EventPayload & { turnId?: string };

const leg: Loose = { type: "session.started", mode: "ask", cwd: "/", resumed: false, state: "s" };
const begin: Loose = { type: "turn.started", origin: "prompt", input: { text: "hi" } };
const done = (more: object = {}): Loose =>
  ({
    type: "turn.completed",
    outcome: "done",
    text: "",
    durationMs: 1,
    toolCalls: 0,
    filesChanged: [],
    state: "s",
    ...more,
  }) as Loose;
const tool = (callId: string): Loose => ({
  type: "tool.started",
  callId,
  tool: "edit",
  nativeName: "e",
  kind: "edit",
  title: "Edit",
  input: {},
});
const ok = (callId: string): Loose => ({ type: "tool.completed", callId, output: { text: "", bytes: 0, kept: 0 } });
const failed = (callId: string, reason: "denied" | "error" = "error"): Loose => ({
  type: "tool.failed",
  callId,
  error: { message: "x" },
  reason,
});
const delta = (messageId: string, text: string, more: object = {}): Loose => ({
  type: "message.delta",
  messageId,
  text,
  ...more,
});
const said = (messageId: string, text: string): Loose => ({ type: "message.completed", messageId, text });
const ask = (requestId: string, callId: string): Loose => ({
  type: "permission.requested",
  requestId,
  callId,
  tool: "edit",
  title: "Edit",
  input: {},
  options: [
    { id: "yes", kind: "allow_once", label: "Yes" },
    { id: "no", kind: "reject_once", label: "No" },
  ],
});
const answer = (requestId: string, outcome: "allowed" | "denied", optionId?: string): Loose => ({
  type: "permission.resolved",
  requestId,
  outcome,
  by: "person",
  ...(optionId === undefined ? {} : { optionId }),
});
const question: Loose = {
  type: "question.requested",
  requestId: "q",
  questions: [{ id: "one", text: "?", options: [], multiple: false }],
};
const task = (status: "running" | "completed"): Loose => ({
  type: "task.started",
  taskId: "b",
  kind: "shell",
  title: "x",
  status,
});
const changed = (more: object = {}): Loose => ({ type: "file.changed", path: "a", op: "modify", ...more }) as Loose;
const used = (scope: "turn" | "session", input: number, output: number, more: object = {}): Loose => ({
  type: "usage.updated",
  scope,
  tokens: { input, output },
  ...more,
});

/** A new leg with one turn that contains these events. */
const inTurn = (...events: readonly Loose[]): Loose[] => [
  leg,
  ...[begin, ...events].map((event) => ({ turnId: "t", ...event })),
];

it.each<[LawNumber, string, readonly Loose[], LawOptions?]>([
  [1, "a prompted turn has no input", inTurn({ type: "turn.started", origin: "prompt" }, done())],
  [1, "a turn began without a turnId", [leg, begin]],
  [1, "turn t began twice", [...inTurn(done()), ...inTurn(done()).slice(1)]],
  [1, "message.completed is outside a turn", [leg, said("m", "x")]],
  [1, "a turn was completed that was not running", [leg, done()]],
  [1, "outcome failed came without an error", inTurn(done({ outcome: "failed" }))],
  [1, "background names b, which does not run", inTurn(done({ background: ["b"] }))],
  [
    1,
    "task b still runs",
    inTurn({ type: "task.started", taskId: "b", kind: "shell", title: "x", status: "running" }, done()),
  ],
  [
    1,
    "task b began twice",
    [
      leg,
      ...[1, 2].map((): Loose => ({
        type: "task.started",
        taskId: "b",
        kind: "shell",
        title: "x",
        status: "completed",
      })),
    ],
  ],
  [1, "task b was updated before it started", [leg, { type: "task.updated", taskId: "b", status: "running" }]],
  [1, "turn t was never completed", inTurn()],
  [2, "tool.progress is of call c, which is not running", inTurn({ type: "tool.progress", callId: "c" }, done())],
  [2, "permission.requested is of call c, which is not running", inTurn(ask("r", "c"), answer("r", "allowed"), done())],
  [
    2,
    "question.requested is of call c, which never started",
    inTurn(
      { ...question, callId: "c" } as Loose,
      { type: "question.resolved", requestId: "q", outcome: "skipped", by: "deadline" },
      done(),
    ),
  ],
  [
    2,
    "task.started is of call c",
    [leg, { type: "task.started", taskId: "b", callId: "c", kind: "shell", title: "x", status: "completed" }],
  ],
  [2, "call c never ended", inTurn(tool("c"))],
  [3, "request r was never resolved", inTurn(tool("c"), ask("r", "c"))],
  [
    3,
    "option no is reject_once, but it was allowed",
    inTurn(tool("c"), ask("r", "c"), answer("r", "allowed", "no"), ok("c"), done({ toolCalls: 1 })),
  ],
  [
    3,
    "question two was answered and not asked",
    inTurn(
      question,
      { type: "question.resolved", requestId: "q", outcome: "answered", answers: { two: "x" }, by: "person" },
      done(),
    ),
  ],
  [3, "permission.resolved resolved a question.requested", inTurn(question, answer("q", "allowed"), done())],
  [4, "m streams after its end", inTurn(said("m", "x"), delta("m", "y"), done({ text: "x" }))],
  [
    4,
    "m is not one run of text",
    inTurn(delta("m", "a"), delta("n", "b"), delta("m", "c"), said("m", "ac"), said("n", "b"), done({ text: "b" })),
  ],
  [
    4,
    "m is message of the agent and thought of the agent",
    inTurn(delta("m", "a"), delta("m", "b", { type: "thought.delta" }), said("m", "ab"), done({ text: "ab" })),
  ],
  [
    4,
    "m is thought of the agent and message of the agent",
    inTurn(delta("m", "a", { type: "thought.delta" }), said("m", "a"), done({ text: "a" })),
  ],
  [4, "n repeats the previous text", inTurn(delta("m", "a"), said("m", "a"), said("n", "a"), done({ text: "a" }))],
  [
    4,
    "m was discarded but is not streaming",
    inTurn({ type: "message.discarded", messageId: "m", reason: "retry" }, done()),
  ],
  [4, "m did not end before its turn", inTurn(delta("m", "a"), done())],
  [4, "m never ended", inTurn(delta("m", "a"))],
  [5, "an event of session two stands in session_1", [leg, { ...leg, sessionId: "two" } as Loose]],
  [5, "seq is 1 and not 8", [leg], { after: 7 }],
  [7, "a tool started before any leg did", inTurn(tool("c"), ok("c"), done({ toolCalls: 1 })).slice(1)],
  [
    7,
    "the first tool of the leg of demo started before its state was known",
    inTurn({ ...leg, state: undefined } as Loose, tool("c"), ok("c"), done({ toolCalls: 1 })),
  ],
  [7, "a state is known and the turn ended without one", inTurn(done({ state: undefined }))],
  [8, "thought is more than output", [leg, used("session", 1, 1, { tokens: { input: 1, output: 1, thought: 2 } })]],
  [8, "NaN is not a valid amount", [leg, used("session", Number.NaN, 1)]],
  [8, "Infinity is not a valid amount", [leg, used("session", 1, 1, { costUsd: Infinity })]],
  [8, "the usage of a turn is outside a turn", [leg, used("turn", 1, 1)]],
  [8, "usage without figures", [leg, used("session", 1, 1, { tokens: undefined })]],
  [
    8,
    "input of the session fell",
    [
      leg,
      used("session", 2, 1),
      used("session", 0, 0, { tokens: undefined, context: { used: 1 } }),
      used("session", 1, 1),
    ],
  ],
  [8, "input of the session fell", [leg, used("session", 2, 1), used("session", 1, 1)]],
  [
    8,
    "cacheRead of the session fell",
    [
      leg,
      used("session", 1, 1, { tokens: { input: 1, output: 1, cacheRead: 2 } }),
      used("session", 1, 1, { tokens: { input: 1, output: 1, cacheRead: 1 } }),
    ],
  ],
  [
    8,
    "the cost of the session fell",
    [leg, used("session", 1, 1, { costUsd: 2 }), used("session", 1, 1, { costUsd: 1 })],
  ],
  [8, "output of the turn fell", inTurn(used("turn", 1, 2), done({ usage: { input: 1, output: 1 } }))],
  [
    8,
    "input of the turns does not add up to the session",
    inTurn(used("session", 5, 2), done({ usage: { input: 4, output: 2 } })),
  ],
  [
    8,
    "the cost of the turns does not add up",
    inTurn(used("session", 5, 2, { costUsd: 1 }), done({ usage: { input: 5, output: 2 }, costUsd: 2 })),
  ],
  [9, "a changed outside of a turn", [leg, changed()]],
  [9, "oldPath does not go with move", inTurn(changed({ op: "move" }), done({ filesChanged: ["a"] }))],
  [9, "a was changed by c, which never started", inTurn(changed({ callId: "c" }), done({ filesChanged: ["a"] }))],
  [
    9,
    "a has only been proposed",
    inTurn(
      tool("c"),
      ask("r", "c"),
      changed({ callId: "c" }),
      answer("r", "allowed"),
      ok("c"),
      done({ toolCalls: 1, filesChanged: ["a"] }),
    ),
  ],
  [
    9,
    "call c reported changes before it was allowed",
    inTurn(
      tool("c"),
      changed({ callId: "c" }),
      ask("r", "c"),
      answer("r", "allowed"),
      ok("c"),
      done({ toolCalls: 1, filesChanged: ["a"] }),
    ),
  ],
  [
    9,
    "a was changed by a call that was denied",
    inTurn(tool("c"), failed("c", "denied"), changed({ callId: "c" }), done({ toolCalls: 1, filesChanged: ["a"] })),
  ],
  [
    9,
    "filesChanged differs from the paths of file.changed",
    inTurn(changed(), changed(), done({ filesChanged: ["a", "a"] })),
  ],
])("law %d: %s", (law, message, events, options) => {
  const found = checkLaws(stamp(events), options).filter((violation) => violation.law === law);
  expect(found.map((violation) => violation.message)).toContainEqual(expect.stringContaining(message));
});

it("law 5: rejects a time that is not ISO 8601", () => {
  const [event] = stamp([leg]);
  expect(checkLaws([{ ...event!, time: "yesterday" }])).toMatchObject([{ law: 5, seq: 1 }]);
});

it.each<[string, readonly Loose[], LawOptions?]>([
  ["an empty list", []],
  [
    "a tool without a state, from an agent that cannot resume",
    inTurn({ ...leg, state: undefined } as Loose, tool("c"), ok("c"), done({ toolCalls: 1, state: undefined })),
    { resumes: () => false },
  ],
  [
    "a background task of an earlier turn that is no longer listed",
    [
      ...inTurn(task("running"), done({ background: ["b"] })),
      ...inTurn(done())
        .slice(1)
        .map((event) => ({ ...event, turnId: "u" })),
    ],
  ],
  [
    "a permission requested twice and finally allowed",
    inTurn(
      tool("c"),
      ask("r", "c"),
      answer("r", "denied"),
      ask("s", "c"),
      answer("s", "allowed"),
      ok("c"),
      done({ toolCalls: 1 }),
    ),
  ],
  [
    "a failed call that changed a file",
    inTurn(tool("c"), changed({ callId: "c" }), failed("c"), done({ toolCalls: 1, filesChanged: ["a"] })),
  ],
  [
    "the same text repeated after a tool",
    inTurn(delta("m", "a"), said("m", "a"), tool("c"), ok("c"), said("n", "a"), done({ toolCalls: 1, text: "a" })),
  ],
  [
    "usage of a subagent",
    inTurn(
      tool("c"),
      used("turn", 9, 9, { parent: "c" }),
      ok("c"),
      used("turn", 1, 1),
      done({ toolCalls: 1, usage: { input: 1, output: 1 } }),
    ),
  ],
  [
    "context use without token counts",
    inTurn(
      used("session", 0, 0, { tokens: undefined, context: { used: 9, size: 10 } }),
      used("turn", 1, 1),
      used("session", 1, 1),
      done({ usage: { input: 1, output: 1 } }),
    ),
  ],
  [
    "session usage reported between turns",
    [
      ...inTurn(done()),
      used("session", 7, 7),
      ...inTurn(used("session", 9, 9), done({ usage: { input: 2, output: 2 } }))
        .slice(1)
        .map((event) => ({ ...event, turnId: "u" })),
    ],
  ],
  [
    "turns without session usage",
    [
      ...inTurn(done({ usage: { input: 5, output: 5 } })),
      ...inTurn(used("session", 9, 9), done({ usage: { input: 4, output: 5 } }))
        .slice(1)
        .map((event) => ({ ...event, turnId: "u" })),
    ],
  ],
])("accepts %s", (_, events, options) => expect(checkLaws(stamp(events), options)).toEqual([]));

it("accepts a slice that starts after a given sequence number", () => {
  expect(checkLaws(stamp([leg, leg]).slice(1), { after: 1 })).toEqual([]);
});

it("law 5: a replay equals the events that readers saw, except raw", () => {
  const shown = stamp(inTurn(tool("c"), ok("c"), done({ toolCalls: 1, filesChanged: [] })));
  const stored = JSON.parse(JSON.stringify(shown.map((event) => ({ ...event, raw: { native: 1 } })))) as typeof shown;
  expect(compareReplay(shown, stored)).toEqual([]);
  expect(compareReplay(shown, stored.slice(1)).length).toBeGreaterThan(1);
  expect(compareReplay(shown, stored.slice(0, -1))).toMatchObject([
    { law: 5, seq: 5, message: "the replay lacks an event" },
  ]);
  expect(compareReplay(shown.slice(0, -1), stored)).toMatchObject([
    { seq: 5, message: "the replay has an extra event" },
  ]);
  expect(compareReplay(shown, stored.with(2, { ...stored[2], input: [] } as never))).toMatchObject([{ seq: 3 }]);
});

it("law 6: reports which input threw", () => {
  expect(neverThrows(JSON.parse, ["1", "{}"])).toEqual([]);
  expect(neverThrows(JSON.parse, ["1", "{"])).toMatchObject([{ law: 6, seq: 2 }]);
  const rude = (): never => {
    // oxlint-disable-next-line typescript/only-throw-error -- a careless translator may throw a string
    throw "text";
  };
  expect(neverThrows(rude, [0])).toMatchObject([{ message: "an input threw: text" }]);
});
