import { describe, expect, test } from "vitest";
import { fc } from "../../../../test/support/fast-check.ts";
import type { AcpMethod } from "../../../protocols/acp/index.ts";
import { quirksWith } from "./options.ts";

const methodsOf = (): Readonly<Record<string, AcpMethod>> => quirksWith().methods!;
const call = (method: string, params: object, known: readonly string[] = []) =>
  methodsOf()[method]!({ ...params }, (id) => known.includes(id));
const outcome = (said: object) => ({ outcome: said });

describe("cursor/ask_question", () => {
  const questions = [
    {
      id: "color",
      prompt: "Which color?",
      options: [
        { id: "r", label: "Red" },
        { id: "b", label: "Blue" },
      ],
    },
    { id: "sizes", prompt: "Which sizes?", options: [{ id: "s", label: "S" }, { id: "m" }], allowMultiple: true },
  ];
  const asked = call("cursor/ask_question", { toolCallId: "c", title: "Shirt", questions });

  test("asks questions", () => {
    expect(asked).toMatchObject({
      says: "question",
      callId: "c",
      questions: [
        {
          id: "color",
          text: "Which color?",
          header: "Shirt",
          options: [{ label: "Red" }, { label: "Blue" }],
          multiple: false,
        },
        { id: "sizes", options: [{ label: "S" }, { label: "m" }], multiple: true, free: false },
      ],
      cancelled: outcome({ outcome: "cancelled" }),
    });
  });

  test.each([
    [
      { decision: "answer", answers: { color: "Blue", sizes: ["S", "m", "XXL"] } },
      {
        outcome: "answered",
        answers: [
          ["color", "b"],
          ["sizes", "s", "m"],
        ],
      },
    ],
    [
      { decision: "answer", answers: { color: ["r", "b"] } },
      { outcome: "answered", answers: [["color", "r"], ["sizes"]] },
    ],
    [
      { decision: "answer", answers: { color: "Green, please" } },
      { outcome: "skipped", reason: "Green, please" },
    ],
    [{ decision: "answer" }, { outcome: "skipped" }],
    [{ decision: "skip" }, { outcome: "skipped" }],
    [
      { decision: "skip", message: "Nobody is here." },
      { outcome: "skipped", reason: "Nobody is here." },
    ],
  ] as const)("answers %j with %j", (answer, { outcome: kind, ...more }) => {
    const told = asked?.says === "question" ? asked.answered(answer) : undefined;
    const answers = "answers" in more ? more.answers : undefined;
    const list = answers?.map(([questionId, ...selectedOptionIds]) => ({ questionId, selectedOptionIds }));
    expect(told).toEqual(outcome({ outcome: kind, ...more, ...(list && { answers: list }) }));
  });

  test("handles questions without ids, without options, and empty ones", () => {
    expect(call("cursor/ask_question", { questions: [{ prompt: "Why?" }, { id: "x" }] })).toMatchObject({
      callId: undefined,
      questions: [{ id: "question_1", text: "Why?", options: [], free: true }],
    });
    expect(call("cursor/ask_question", { questions: [] })).toBeUndefined();
  });
});

describe("cursor/create_plan", () => {
  const todo = (content: string, status: string) => ({ id: content, content, status });

  test("asks for approval of a plan and reports its to-do list", () => {
    const plan = call("cursor/create_plan", {
      toolCallId: "c",
      name: "Tidy",
      plan: "# Tidy\nAll.",
      todos: [todo("one", "pending")],
      phases: [{ name: "later", todos: [todo("two", "completed"), todo("gone", "cancelled")] }],
    });
    expect(plan).toMatchObject({
      says: "permission",
      call: { toolCallId: "c", rawInput: { plan: "# Tidy\nAll.", name: "Tidy" } },
      options: [{ kind: "allow_once" }, { kind: "reject_once" }],
      updates: [
        {
          entries: [
            { content: "one", status: "pending" },
            { content: "two", status: "completed" },
          ],
        },
      ],
      cancelled: outcome({ outcome: "cancelled" }),
    });
    if (plan?.says !== "permission") throw new Error("No plan.");
    expect(plan.answered({ decision: "allow" })).toEqual(outcome({ outcome: "accepted" }));
    expect(plan.answered({ decision: "deny", message: "Smaller." })).toEqual(
      outcome({ outcome: "rejected", reason: "Smaller." }),
    );
    // Cursor would continue with its own plan, so an approval with changes is a rejection.
    expect(plan.answered({ decision: "allow", changedInput: {} })).toEqual(outcome({ outcome: "rejected" }));
  });

  test("ignores a request without a plan", () => {
    expect(call("cursor/create_plan", { toolCallId: "c" })).toBeUndefined();
    expect(call("cursor/create_plan", { overview: "All." })).toMatchObject({
      updates: [],
      call: { rawInput: { plan: "All." } },
    });
  });
});

test("cursor/update_todos: replaces or merges the list", () => {
  const update = methodsOf()["cursor/update_todos"]!;
  const told = (params: object) => {
    const means = update({ ...params }, () => false);
    return means?.says === "updates" ? means : undefined;
  };
  const one = { id: "1", content: "one", status: "pending" };
  expect(told({ todos: [one, { id: "2", content: "two", status: "pending" }], merge: false })).toMatchObject({
    updates: [{ sessionUpdate: "plan", entries: [{ content: "one" }, { content: "two" }] }],
    answer: outcome({ outcome: "accepted", todos: [one, { id: "2" }] }),
  });
  expect(
    told({
      todos: [
        { id: "2", status: "cancelled" },
        { id: "1", status: "completed" },
      ],
      merge: true,
    }),
  ).toMatchObject({
    updates: [{ entries: [{ content: "one", status: "completed" }] }],
  });
  expect(told({ todos: [{ content: "three" }] })?.updates).toEqual([
    { sessionUpdate: "plan", entries: [{ content: "three", status: undefined }] },
  ]);
  expect(told({})).toBeUndefined();
});

describe("reported work", () => {
  const task = { toolCallId: "c", description: "Look around", prompt: "Look.", subagentType: { custom: "scout" } };

  test("reports a running and a finished subagent", () => {
    expect(call("cursor/task", task)).toMatchObject({
      updates: [{ toolCallId: "c", name: "task", status: "in_progress", rawInput: { subagentType: "scout" } }],
      answer: outcome({ outcome: "completed" }),
    });
    expect(call("cursor/task", { ...task, durationMs: 5 })).toMatchObject({ updates: [{ status: "completed" }] });
    expect(call("cursor/task", { ...task, subagentType: "explore" }, ["c"])).toMatchObject({
      updates: [expect.not.objectContaining({ status: expect.anything() as unknown })],
    });
    expect(call("cursor/task", {})).toBeUndefined();
  });

  test("records an image that was generated", () => {
    expect(
      call("cursor/generate_image", { toolCallId: "c", description: "A cat", filePath: "/w/cat.png" }),
    ).toMatchObject({
      updates: [{ name: "generate_image", status: "completed", content: [{ content: { uri: "file:///w/cat.png" } }] }],
      answer: outcome({ outcome: "generated", filePath: "/w/cat.png" }),
    });
    expect(call("cursor/generate_image", { toolCallId: "c" })).toMatchObject({
      updates: [{ status: "in_progress" }],
      answer: outcome({ outcome: "rejected" }),
    });
    expect(call("cursor/generate_image", { toolCallId: "c", filePath: "cat.png" }, ["c"])).toMatchObject({
      updates: [{ content: [{ content: { uri: "cat.png" } }] }],
    });
    expect(call("cursor/generate_image", {})).toBeUndefined();
  });
});

test("never throws and gives a valid answer to any input", () => {
  const methods = methodsOf();
  const keys = [
    "toolCallId",
    "questions",
    "todos",
    "plan",
    "phases",
    "prompt",
    "options",
    "id",
    "filePath",
    "subagentType",
  ];
  const params = fc.object({ key: fc.constantFrom(...keys), maxDepth: 3, maxKeys: 4 });
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(methods)), params, fc.boolean(), (method, given, known) => {
      const means = methods[method]!(given, () => known);
      if (means === undefined) return;
      const answer =
        means.says === "updates" ? means.answer : means.answered({ decision: "answer", answers: { question_1: "x" } });
      expect(answer).toHaveProperty(["outcome", "outcome"], expect.any(String));
    }),
  );
});
