import { expect, test } from "vitest";
import type { Mode } from "../../events/modes.ts";
import type { Tool } from "../../events/tools.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Answer, HoldAnswer, PermissionAnswer, ToolFilter } from "../contract.ts";
import type { Desk } from "./desk.ts";
import { askPerson, hold } from "./gate.ts";
import type { Call, Rule } from "./gate.ts";
import type { Place } from "./tools/definition.ts";
import { Turn } from "./turn.ts";

const rule: Rule = { key: "the rule", label: "this" };
const inside: Place = { path: "a", real: "/w/a", inside: true, hidden: false };
const hidden: Place = { ...inside, hidden: true };
const outside: Place = { ...inside, inside: false };
const call = (tool: Tool): Call => ({ callId: "c", tool, nativeName: tool, title: "x", input: {} });

/** A turn in which everything that is asked gets the same answer at once. */
function turnWith(mode: Mode, answer: Answer, { filter = {}, always = [] as string[] } = {}) {
  const said: AgentEvent[] = [];
  const waiting = new Map<string, (answer: Answer) => void>();
  const desk = {
    mode,
    waiting,
    allowedAlways: new Set(always),
    outbox: {
      push(event: AgentEvent & { requestId?: string }) {
        said.push(event);
        queueMicrotask(() => waiting.get(event.requestId ?? "")?.(answer));
      },
      room: () => undefined,
    },
  } as unknown as Desk;
  return { turn: new Turn(desk, new AbortController().signal, filter as ToolFilter), said, desk };
}

async function verdict(mode: Mode, tool: Tool, places: readonly Place[] = [], more = {}): Promise<string> {
  const { turn } = turnWith(mode, { decision: "defer" } satisfies HoldAnswer, more);
  return hold(turn, call(tool), places, rule).catch(() => "denied");
}

const modes = ["read", "plan", "ask", "edits", "full"] as const;
const table: readonly [string, Tool, readonly Place[], readonly string[]][] = [
  ["looking inside", "read", [inside], ["run", "run", "run", "run", "run"]],
  ["looking at what is hidden", "grep", [hidden], ["run", "run", "run", "run", "run"]],
  ["looking outside", "list", [outside], ["ask", "ask", "ask", "ask", "allowed"]],
  ["an edit", "edit", [inside], ["denied", "denied", "ask", "run", "allowed"]],
  ["an edit of what is hidden", "write", [hidden], ["denied", "denied", "ask", "ask", "allowed"]],
  ["an edit outside", "write", [outside], ["denied", "denied", "ask", "ask", "allowed"]],
  ["deleting", "delete", [inside], ["denied", "denied", "ask", "ask", "allowed"]],
  ["moving out", "move", [inside, outside], ["denied", "denied", "ask", "ask", "allowed"]],
  ["a command", "shell", [], ["denied", "denied", "ask", "ask", "allowed"]],
  ["a tool of a server", "mcp", [], ["denied", "denied", "ask", "ask", "allowed"]],
  ["a page of the web", "web_fetch", [], ["ask", "ask", "ask", "ask", "allowed"]],
  ["a plan", "plan", [], ["run", "run", "run", "run", "run"]],
  ["a subagent", "task", [], ["run", "run", "run", "run", "run"]],
  ["a question", "question", [], ["run", "run", "run", "run", "run"]],
];

test.each(table)("%s by mode, where the policy leaves it to the agent", async (_name, tool, places, expected) => {
  expect(await Promise.all(modes.map((mode) => verdict(mode, tool, places)))).toEqual(expected);
});

test.each([
  ["allow", "allowed"],
  ["ask", "ask"],
  ["deny", "denied"],
] as const)("the policy's word comes first: %s", async (decision, expected) => {
  const { turn, said } = turnWith("full", { decision });
  expect(await hold(turn, call("read"), [inside], rule).catch(() => "denied")).toBe(expected);
  expect(said).toMatchObject([{ type: "tool.held", callId: "c", tool: "read" }]);
});

test("what a filter allows runs unasked, but in no mode that only looks, and nowhere else than inside", async () => {
  const allowed = { filter: { allowed: ["shell", "write"] } };
  expect(await Promise.all(modes.map((mode) => verdict(mode, "shell", [], allowed)))).toEqual([
    "denied",
    "denied",
    "allowed",
    "allowed",
    "allowed",
  ]);
  expect(await verdict("ask", "write", [inside], allowed)).toBe("allowed");
  expect(await verdict("ask", "write", [hidden], allowed)).toBe("ask");
  expect(await verdict("ask", "write", [outside], allowed)).toBe("ask");
});

test("an always counts for what it was said of, and not in a mode that only looks", async () => {
  expect(await verdict("ask", "shell", [], { always: ["the rule"] })).toBe("allowed");
  expect(await verdict("ask", "shell", [], { always: ["another"] })).toBe("ask");
  expect(await verdict("plan", "shell", [], { always: ["the rule"] })).toBe("denied");
});

const asked = (answer: PermissionAnswer) => {
  const { turn, said, desk } = turnWith("ask", answer);
  return { done: askPerson(turn, call("shell"), { reason: "why", diff: "d" }, rule), said, desk };
};

test("a person is told what it is about, and may change the input", async () => {
  const { done, said, desk } = asked({ decision: "allow", changedInput: { x: 1 } });
  expect(await done).toEqual({ x: 1 });
  expect(said).toMatchObject([
    {
      type: "permission.requested",
      reason: "why",
      diff: "d",
      options: [{ id: "allow" }, { id: "always" }, { id: "deny" }],
    },
  ]);
  expect([...desk.allowedAlways]).toEqual([]);
});

test("always is remembered, by the option or by the word", async () => {
  for (const answer of [
    { decision: "allow", optionId: "always" },
    { decision: "allow", always: true },
  ] as const) {
    const { done, desk } = asked(answer);
    await done;
    expect([...desk.allowedAlways]).toEqual(["the rule"]);
  }
});

test("a no is a denial with its words, and a stop ends the turn", async () => {
  await expect(asked({ decision: "deny", message: "Not here." }).done).rejects.toMatchObject({
    reason: "denied",
    message: "Not here.",
  });
  await expect(asked({ decision: "deny", stop: true }).done).rejects.toMatchObject({ outcome: "cancelled" });
});
