import { describe, expect, test } from "vitest";
import { EventBatch } from "../core/log/event-batch.ts";
import { about, conversation, keep, owner, stamped, testStore } from "../../test/support/store.ts";
import { checkLaws } from "../events/laws.ts";
import type { EventPayload } from "../events/types.ts";

const said = (text: string): EventPayload => ({ type: "message.completed", messageId: "m1", text });

describe("a stored session", () => {
  test("is derived from its events", () => {
    const { store } = testStore();
    const usage: EventPayload = {
      type: "usage.updated",
      scope: "turn",
      tokens: { input: 5, output: 7 },
      byModel: { big: { input: 5, output: 7 } },
      costUsd: 0.25,
    };
    keep(store, "ses_a", conversation("fix the bug\nplease", [usage]), { mode: "edits", model: "big" });
    const [session] = store.sessions.list();
    expect(session).toMatchObject({
      id: "ses_a",
      cwd: "/work",
      title: "fix the bug please",
      lastSeq: 4,
      turns: 1,
      openTurn: undefined,
      outcome: "done",
      agent: "demo",
      state: "demo:1:abcdef:1",
      mode: "edits",
      model: "big",
      costUsd: 0.25,
    });
    expect(store.sessions.legs("ses_a")).toEqual([
      expect.objectContaining({ number: 1, agent: "demo", model: "scripted", firstSeq: 1, lastSeq: 4 }),
    ]);
    expect(store.sessions.turns("ses_a")).toEqual([
      expect.objectContaining({
        prompt: "fix the bug\nplease",
        outcome: "done",
        firstSeq: 2,
        lastSeq: 4,
        costUsd: 0.25,
      }),
    ]);
    expect(store.usage.rows()).toMatchObject([
      {
        day: "2027-01-15",
        agent: "demo",
        model: "big",
        turns: 1,
        tokens: { input: 5, output: 7, cacheRead: 0, cacheWrite: 0, thought: 0 },
        costUsd: 0.25,
      },
    ]);
  });

  test("has no cost when no price is known", () => {
    const { store } = testStore();
    const told = { type: "usage.updated", scope: "turn", tokens: { input: 5, output: 7 } } as const;
    keep(store, "ses_a", conversation("one", [told]));
    expect(store.usage.rows()[0]).toMatchObject({ turns: 1, unpriced: 1 });
    expect(store.usage.rows()[0]).not.toHaveProperty("costUsd");
    keep(store, "ses_b", conversation("two", [{ ...told, costUsd: 0.5 }]));
    expect(store.usage.rows()[0]).toMatchObject({ turns: 2, unpriced: 1, costUsd: 0.5 });
  });

  test("continues in a second process with one log and consecutive numbers", () => {
    const { store } = testStore();
    keep(store, "ses_a", conversation("one"));
    const log = store.open("ses_a", about({ mode: "read" }));
    log.append(new EventBatch(stamped("ses_a", conversation("two", [], "demo:1:abcdef:2"), 4)));
    log.end();
    expect(store.sessions.get("ses_a")).toMatchObject({
      lastSeq: 6,
      turns: 2,
      title: "one",
      state: "demo:1:abcdef:2",
      mode: "read",
    });
    expect(store.sessions.legs("ses_a").map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq])).toEqual([
      [1, 3],
      [4, 6],
    ]);
  });

  test("takes the title from the user, then the agent, then the prompt", () => {
    const { store } = testStore();
    const title = (text: string): EventPayload => ({ type: "session.updated", title: text, by: "agent" });
    keep(store, "ses_a", conversation("prompt", [title("the agent's")]));
    expect(store.sessions.get("ses_a")?.title).toBe("the agent's");
    store.sessions.rename("ses_a", "mine");
    const log = store.open("ses_a", about());
    log.append(new EventBatch(stamped("ses_a", conversation("again", [title("the agent's other")]), 5)));
    log.end();
    expect(store.sessions.get("ses_a")?.title).toBe("mine");
  });
});

test("appended events keep the chosen mode and model", () => {
  const { store } = testStore();
  const chosen = { mode: "read", model: "big", agentFile: "reviewer" } as const;
  keep(store, "ses_a", conversation("one"), chosen);
  store.sessions.append("ses_a", stamped("ses_a", conversation("two"), 4));
  expect(store.sessions.get("ses_a")).toMatchObject({ ...chosen, turns: 2, lastSeq: 6 });
});

describe("finding a session", () => {
  test("finds by id, by prefix, by folder, by state and by the agent's own id", () => {
    const { store } = testStore();
    keep(store, "ses_1111-a", conversation("a", [], "demo:1:native-a:1"));
    keep(store, "ses_1111-b", conversation("b", [], "demo:1:native-b:1"), { cwd: "/other" });
    const { sessions } = store;
    expect(sessions.get("ses_1111-a")?.id).toBe("ses_1111-a");
    expect(sessions.get("ses_1111-b")?.id).toBe("ses_1111-b");
    expect(() => sessions.get("ses_1111")).toThrow("Several sessions begin with ses_1111.");
    expect(sessions.get("ses_2222")).toBeUndefined();
    expect(sessions.get("ses_%")).toBeUndefined();
    expect(sessions.lastIn("/other")?.id).toBe("ses_1111-b");
    expect(sessions.lastIn("/nowhere")).toBeUndefined();
    expect(sessions.byState("demo:1:native-a:1")?.id).toBe("ses_1111-a");
    expect(sessions.byState("native-b")?.id).toBe("ses_1111-b");
    expect(sessions.byState("demo")).toBeUndefined();
    keep(store, "ses_2222", conversation("c", [], "longer-name:1:native-c"));
    expect(sessions.byState("longer-name")).toBeUndefined();
    sessions.remove("ses_2222");
    expect(sessions.list({ agent: "demo", cwd: "/work" })).toHaveLength(1);
    expect(sessions.list({ limit: 1 })).toHaveLength(1);
  });

  test("lists in pages without gaps, also with equal timestamps", () => {
    const { store } = testStore();
    const ids = ["ses_a", "ses_b", "ses_c", "ses_d", "ses_e"];
    for (const id of ids) keep(store, id, conversation(id));
    const seen: string[] = [];
    for (let page = store.sessions.list({ limit: 2 }); page.length > 0;) {
      seen.push(...page.map(({ id }) => id));
      page = store.sessions.list({ limit: 2, before: page.at(-1), cwd: "/work" });
    }
    expect(seen).toEqual(ids.toReversed());
    const removed = store.sessions.get("ses_e");
    store.sessions.remove("ses_e");
    expect(store.sessions.list({ before: removed }).map(({ id }) => id)).not.toContain("ses_e");
  });

  test("names a missing session in the error", () => {
    const { store } = testStore();
    expect(() => store.sessions.legs("ses_x")).toThrow("There is no session ses_x.");
  });
});

describe("a fork", () => {
  test("has the finished turns under its own id, counts nothing twice and is found once", () => {
    const { store } = testStore();
    const log = store.open("ses_a", about());
    log.append(new EventBatch(stamped("ses_a", conversation("speak of ses_a", [said('It is "ses_a" itself')]))));
    log.append(new EventBatch(stamped("ses_a", conversation("unfinished").slice(1, 2), 5)));
    const fork = store.sessions.fork("ses_a", "ses_b");
    log.end();
    expect(fork).toMatchObject({
      id: "ses_b",
      parent: "ses_a",
      copied: true,
      lastSeq: 4,
      turns: 1,
      openTurn: undefined,
    });
    const events = store.sessions.read("ses_b");
    expect(checkLaws(events)).toEqual([]);
    expect(events.map(({ sessionId }) => sessionId)).toEqual(["ses_b", "ses_b", "ses_b", "ses_b"]);
    expect(events[2]).toMatchObject({ text: 'It is "ses_a" itself' });
    expect(store.search("itself")).toHaveLength(1);
    expect(store.usage.rows()[0]?.turns).toBe(1);
    expect(store.sessions.byState("demo:1:abcdef:1")?.id).toBe("ses_a");
    const own = store.open("ses_b", about());
    own.append(new EventBatch(stamped("ses_b", conversation("on", [], "demo:1:fork:1"), 5)));
    own.end();
    expect(store.sessions.get("ses_b")).toMatchObject({ copied: undefined, state: "demo:1:fork:1" });
  });

  test("is rejected without a finished turn", () => {
    const { store } = testStore();
    store.open("ses_a", about()).append(new EventBatch(stamped("ses_a", conversation("p").slice(0, 2))));
    store.open("ses_z", about()).append(new EventBatch(stamped("ses_z", conversation("p"))));
    expect(() => store.sessions.fork("ses_a", "ses_b")).toThrow("nothing to fork");
  });
});

test("removes a session from the list and the search, but keeps its usage", () => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("needle", [said("needle")]));
  keep(store, "ses_b", conversation("other needle"));
  store.sessions.remove("ses_a");
  expect(store.sessions.list().map(({ id }) => id)).toEqual(["ses_b"]);
  expect(store.search("needle").map(({ session }) => session.id)).toEqual(["ses_b"]);
  expect(store.usage.rows()[0]?.turns).toBe(2);
});

test("imports once, follows its source, and stops when the session continued here", () => {
  const { store } = testStore();
  const imported = (prompts: readonly string[], updatedAt: string) => ({
    id: "ses_new",
    source: "demo:native-1",
    cwd: "/work",
    title: "Theirs",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt,
    events: stamped(
      "ses_new",
      prompts.flatMap((prompt) => conversation(prompt)),
    ),
  });
  const first = store.sessions.add(imported(["one"], "2026-01-02T00:00:00.000Z"));
  expect(first).toMatchObject({
    title: "Theirs",
    turns: 1,
    source: "demo:native-1",
    updatedAt: "2026-01-02T00:00:00.000Z",
  });
  expect(
    store.sessions.add({ ...imported(["one", "two"], "2026-01-03T00:00:00.000Z"), id: "ses_other" }),
  ).toMatchObject({
    id: "ses_new",
    turns: 2,
  });
  expect(store.search("one")).toHaveLength(1);
  const log = store.open("ses_new", about());
  log.append(new EventBatch(stamped("ses_new", conversation("here"), 7)));
  log.end();
  expect(store.sessions.add(imported(["one", "two", "three"], "2099-01-04T00:00:00.000Z"))).toMatchObject({ turns: 3 });
  expect(store.sessions.read("ses_new").at(-2)).toMatchObject({ input: { text: "here" } });
});

test("a lease belongs to one run until it is released or taken over", () => {
  const { store } = testStore();
  const { leases } = store;
  expect(leases.take("ses_a", owner)).toBe(true);
  expect(leases.take("ses_a", { ...owner, run: "run-2" })).toBe(false);
  expect(leases.take("ses_a", { ...owner, run: "run-2" }, "run-3")).toBe(false);
  expect(leases.of("ses_a")).toMatchObject({ pid: process.pid, run: "run-1", place: "here" });
  expect(leases.take("ses_a", { ...owner, run: "run-2" }, "run-1")).toBe(true);
  leases.release("ses_a", "run-1");
  expect(leases.all()).toHaveLength(1);
  leases.release("ses_a", "run-2");
  expect(leases.all()).toEqual([]);
});

test("shares circuit breakers between processes until they expire", () => {
  const { store } = testStore();
  store.breakers.set({ key: "a", until: 2_000, reason: "Down.", code: "overloaded" });
  store.breakers.set({ key: "b", until: 3_000, reason: "Too." });
  expect(store.breakers.list(2_500).map(({ key }) => key)).toEqual(["b"]);
  store.breakers.clear("b");
  expect(store.breakers.list(0)).toEqual([{ key: "a", until: 2_000, reason: "Down.", code: "overloaded" }]);
});

test("keeps the latest report of each rate-limit window", () => {
  const { store } = testStore();
  const limit = (status: "ok" | "reached", usedPercent: number): EventPayload => ({
    type: "limit.updated",
    window: "five_hour",
    status,
    usedPercent,
    resetsAt: "2027-01-15T10:00:00.000Z",
  });
  keep(store, "ses_a", conversation("p", [limit("ok", 40), limit("reached", 100)]));
  expect(store.usage.limits()).toEqual([
    expect.objectContaining({ agent: "demo", window: "five_hour", status: "reached", usedPercent: 100 }),
  ]);
});

test.each([
  ["plain", "ses_46f1ab", "opencode:1:ses_46f1ab"],
  ["base64url", "46f1ab-77", `gemini:1:${Buffer.from("46f1ab-77").toString("base64url")}`],
])("finds an agent's own id, %s", (_how, own, state) => {
  const { store } = testStore();
  keep(store, "ses_a", conversation("one", [], state));
  keep(store, "ses_b", conversation("two"));
  expect(store.sessions.byState(own)?.id).toBe("ses_a");
});
