import { join } from "node:path";
import { EventBatch } from "../core/log/event-batch.ts";
import { expect, test } from "vitest";
import { about, conversation, keep, stamped, testStore } from "../../test/support/store.ts";
import type { EventPayload } from "../events/types.ts";
import { excerptOf } from "./search.ts";

const { DatabaseSync } = process.getBuiltinModule("node:sqlite");

const everything: EventPayload[] = [
  { type: "message.delta", messageId: "m0", text: "discardedword" },
  { type: "message.discarded", messageId: "m0", reason: "retry" },
  { type: "message.completed", messageId: "m1", text: "A spokenword, naïve" },
  { type: "thought.completed", messageId: "t1", text: "thoughtword" },
  {
    type: "tool.started",
    callId: "c",
    tool: "shell",
    nativeName: "Bash",
    kind: "execute",
    title: "Run titleword",
    input: {},
  },
  { type: "tool.completed", callId: "c", output: { text: "outputword", bytes: 10, kept: 10 } },
  { type: "file.changed", path: "src/fileword.ts", op: "create" },
];

test.each([
  ["promptword", "turn.started"],
  ["spokenword", "message.completed"],
  ["titleword", "tool.started"],
  ["outputword", "tool.completed"],
  ["fileword", "file.changed"],
  ["fileword.ts", "file.changed"],
  ["SPOKEN", "message.completed"],
  ["naive", "message.completed"],
])("finds %s in %s", (word, type) => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("promptword", everything));
  expect(store.search(word)).toEqual([
    expect.objectContaining({ type, session: expect.objectContaining({ id: "ses_a" }) }),
  ]);
});

test.each(["discardedword", "thoughtword", "nowhere"])("does not find %s", (word) => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("promptword", everything));
  expect(store.search(word)).toEqual([]);
});

test("requires all words, in any position", () => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("alpha beta"));
  keep(store, "ses_b", conversation("alpha gamma"), { cwd: "/other" });
  expect(store.search('beta" OR alpha*')).toHaveLength(0);
  expect(store.search("alpha beta").map(({ session }) => session.id)).toEqual(["ses_a"]);
  expect(store.search("alpha").map(({ session }) => session.id)).toEqual(["ses_b", "ses_a"]);
  expect(store.search("alpha", { cwd: "/work" })).toHaveLength(1);
  expect(store.search("alpha", { agent: "nobody" })).toEqual([]);
  expect(store.search("alpha", { limit: 1 })).toHaveLength(1);
});

test("rejects a query without a word", () => {
  const { store } = testStore();
  expect(() => store.search(' "*" ')).toThrow("The query has no word to search for.");
});

test.each([
  ["short needle here", "short needle here"],
  [`${"a ".repeat(100)}needle${" b".repeat(100)}`, /^….*needle.*…$/],
  [`${"😀".repeat(60)} NEEDLE ${"😀".repeat(60)}`, /^…\p{Extended_Pictographic}+ NEEDLE \p{Extended_Pictographic}+…$/u],
])("makes an excerpt of %s", (text, expected) => {
  expect(excerptOf(text, ["needle"])).toMatch(expected);
});

test("finds a match in one folder behind many in others", () => {
  const { store } = testStore();
  const needles = Array.from({ length: 1_100 }, (_, n): EventPayload => ({
    type: "message.completed",
    messageId: `m${n}`,
    text: "needle",
  }));
  keep(store, "ses_a", conversation("needle"), { cwd: "/here" });
  keep(store, "ses_b", conversation("x", needles));
  expect(store.search("needle", { cwd: "/here" }).map(({ session }) => session.id)).toEqual(["ses_a"]);
});

test("lists the session that was used last first, whichever is older", () => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("needle one"));
  keep(store, "ses_b", conversation("needle two"));
  const log = store.open("ses_a", about());
  log.append(new EventBatch(stamped("ses_a", conversation("needle three"), 4)));
  log.end();
  expect(store.search("needle").map(({ session, seq }) => [session.id, seq])).toEqual([
    ["ses_a", 5],
    ["ses_a", 2],
    ["ses_b", 2],
  ]);
});

test.each(["NFC", "NFD"] as const)("finds an accented letter written as %s", (form) => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("two cafés"));
  keep(store, "ses_b", conversation("two cafés".normalize("NFD")));
  expect(store.search("cafés".normalize(form))).toHaveLength(2);
});

test.each([0.01, 1.5, 1e300, Infinity])("accepts a limit of %s", (limit) => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("alpha"));
  expect(store.search("alpha", { limit })).toHaveLength(1);
  expect(store.sessions.list({ limit })).toHaveLength(1);
});

test("indexes nothing during a turn, and a search still finds all of it once", () => {
  const { store, folder } = testStore();
  const indexed = (): unknown => {
    using db = new DatabaseSync(join(folder, "reins.db"));
    return db.prepare("SELECT count(*) AS rows FROM search_docsize").get();
  };
  const [begun, rest] = [conversation("alpha", everything).slice(0, -1), conversation("").slice(-1)];
  const log = store.open("ses_a", about());
  log.append(
    new EventBatch(stamped("ses_a", [...begun, { type: "question.requested", requestId: "q", questions: [] }])),
  );
  expect(indexed()).toEqual({ rows: 0 });
  expect(store.search("alpha")).toHaveLength(1);
  expect(indexed()).toEqual({ rows: 5 });
  log.append(new EventBatch(stamped("ses_a", rest, begun.length + 2)));
  log.end();
  expect(indexed()).toEqual({ rows: 5 });
});
