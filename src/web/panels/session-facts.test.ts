import { expect, it } from "vitest";
import type { Conversation, FileChange, Item } from "../../view/model.ts";
import { changedFiles, lineCounts, planOf } from "./session-facts.ts";

const change = (path: string, op: FileChange["op"], added = 0, removed = 0): FileChange => ({
  path,
  op,
  added,
  removed,
});
const plan = (text: string): Item => ({ kind: "plan", entries: [{ text, status: "pending" }] });

function tool(files: FileChange[], items: Item[] = []): Item {
  const base = {
    kind: "tool",
    callId: "c",
    tool: "edit",
    nativeName: "Edit",
    toolKind: "edit",
    title: "",
    input: {},
    progress: "",
  } as const;
  return { ...base, status: "completed", files, items };
}

const conversation: Conversation = {
  entries: [
    {
      kind: "turn",
      id: "t",
      agent: "one",
      origin: "prompt",
      startedAt: "",
      items: [plan("first"), tool([change("a.ts", "create", 3)], [tool([change("b.ts", "modify", 1, 2)])])],
    },
    plan("second"),
    { kind: "file", ...change("a.ts", "modify", 1, 1) },
    { kind: "file", ...change("b.ts", "delete", 0, 9) },
  ],
  waiting: [],
  tasks: [],
  limits: [],
  lastSeq: 1,
};

it("returns the last plan", () => {
  expect(planOf(conversation)?.[0]?.text).toBe("second");
  expect(planOf({ ...conversation, entries: conversation.entries.slice(0, 1) })?.[0]?.text).toBe("first");
  expect(planOf({ ...conversation, entries: [] })).toBeUndefined();
});

it("lists each file once with all its changes, also those of a subagent", () => {
  const files = changedFiles(conversation);
  expect(files.map(({ path, op, added, removed, changes }) => [path, op, added, removed, changes.length])).toEqual([
    ["a.ts", "create", 4, 1, 2],
    ["b.ts", "delete", 1, 11, 2],
  ]);
});

it("counts lines over all files", () => {
  expect(lineCounts([])).toEqual({ added: 0, removed: 0 });
  expect(lineCounts([{ added: 2, removed: 1 }, { removed: 4 }])).toEqual({ added: 2, removed: 5 });
});
