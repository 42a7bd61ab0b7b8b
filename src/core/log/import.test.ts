/** Conversations from the agents' own history files become sessions: once, complete, searchable and resumable. */
import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { collected, told } from "../../../test/support/past.ts";
import type { AgentEntry, PastEvent, PastSession } from "../../agents/contract.ts";
import { noCapabilities } from "../../events/capabilities.ts";
import { openStore } from "../../store/index.ts";
import { createReins } from "../reins.ts";

const time = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();

function past(id: string, minute: number, more: Partial<PastSession> = {}): PastSession {
  return {
    id,
    state: `toy:1:${id}`,
    cwd: "/w",
    createdAt: time(0),
    updatedAt: time(minute),
    messages: 2,
    place: "p",
    ...more,
  };
}

const talk = (words: string): PastEvent[] => [
  { time: time(1), prompt: { text: `please ${words}` } },
  { time: time(2), event: { type: "message.completed", messageId: "m", text: `I did ${words}` } },
  {
    event: {
      type: "tool.started",
      callId: "c",
      tool: "shell",
      nativeName: "Bash",
      kind: "execute",
      title: "Run it",
      input: {},
    },
  },
  // The clock went backwards here, and one call never ended.
  { time: time(1), event: { type: "turn.ended", outcome: "done" } },
];

interface Kept {
  session: PastSession;
  events: readonly PastEvent[];
}

function place(kept: Kept[] | undefined) {
  const folder = testFolder();
  const read: string[] = [];
  const entry: AgentEntry = {
    id: "toy",
    name: "Toy",
    load: async () => ({
      createAgent: () => ({
        id: "toy",
        name: "Toy",
        capabilities: noCapabilities,
        probe: async () => ({ ready: false, installed: false, signedIn: "unknown" }),
        open: () => Promise.reject(new Error("It cannot be opened.")),
        manage: {
          ...(kept && {
            history: {
              async *list({ cwd }: { readonly cwd?: string | undefined } = {}) {
                for (const { session } of kept) if (cwd === undefined || session.cwd === cwd) yield session;
              },
              async *read({ id }: PastSession) {
                read.push(id);
                yield kept.find(({ session }) => session.id === id)!.events;
              },
            },
          }),
        },
      }),
    }),
  };
  const store = openStore({ folder });
  const env = { HOME: folder, REINS_HOME: folder, SOME_TOKEN: "tell-nobody-this" };
  const reins = createReins({ env, agents: [entry], store, guardian: false });
  onTestFinished(async () => {
    await reins.close();
    store.close();
  });
  const bring = (cwd?: string) => collected(reins.sessions.import("toy", { cwd }));
  return { reins, store, read, bring };
}

test("imports a conversation with its text, times and state, for search and reading", async () => {
  const { reins, bring } = place([
    { session: past("one", 5, { title: "A title", model: "m", agentVersion: "1.2" }), events: talk("this") },
  ]);
  const [brought] = await bring();
  expect(brought).toMatchObject({ agent: "toy", nativeId: "one", outcome: "added", messages: 2 });
  const { id } = brought!.session!;
  const session = await reins.sessions.get(id);
  expect(session).toMatchObject({
    cwd: "/w",
    title: "A title",
    source: "toy:one",
    createdAt: time(0),
    updatedAt: time(5),
    turns: 1,
    agent: "toy",
    state: "toy:1:one",
    legs: [{ agent: "toy", agentVersion: "1.2", model: "m", state: "toy:1:one" }],
  });
  const events = await collected(reins.sessions.events(id));
  expectLawful(events);
  expect(told(events)).toEqual(["you: please this", "agent: I did this", "shell: Run it, unfinished", "end: done"]);
  const times = events.map((event) => event.time);
  expect(times).toEqual(times.toSorted());
  expect(events.at(-1)).toMatchObject({ type: "turn.completed", time: time(2), durationMs: 60_000 });
  expect((await reins.sessions.search("please")).map((hit) => hit.session.id)).toEqual([id]);
  expect((await reins.sessions.get("toy:1:one")).id).toBe(id);
  expect((await reins.usage()).rows).toEqual([]);
});

test("imports once, and again under the same id when the source has grown", async () => {
  const kept: Kept[] = [{ session: past("one", 5), events: talk("this") }];
  const { reins, bring, read } = place(kept);
  const [first] = await bring();
  expect((await bring()).map(({ outcome }) => outcome)).toEqual(["known"]);
  expect(read).toEqual(["one"]);
  kept[0] = { session: past("one", 9, { messages: 4 }), events: [...talk("this"), ...talk("more")] };
  kept.push({ session: past("two", 3), events: talk("that") });
  const again = await bring();
  expect(again.map(({ nativeId, outcome }) => [nativeId, outcome])).toEqual([
    ["one", "grown"],
    ["two", "added"],
  ]);
  expect(again[0]!.session).toMatchObject({ id: first!.session!.id, turns: 2 });
  expect(await reins.sessions.list()).toHaveLength(2);
});

test("leaves a session that a process holds unchanged until it is released", async () => {
  const kept: Kept[] = [{ session: past("one", 5), events: talk("this") }];
  const { store, bring } = place(kept);
  const { id } = (await bring())[0]!.session!;
  store.leases.take(id, { pid: 1, start: undefined, place: "here", run: "other" });
  kept[0] = { session: past("one", 9), events: [...talk("this"), ...talk("more")] };
  expect(await bring()).toMatchObject([{ outcome: "known", session: { id, turns: 1 } }]);
  expect(store.leases.of(id)).toMatchObject({ run: "other" });
  store.leases.release(id, "other");
  expect(await bring()).toMatchObject([{ outcome: "grown", session: { id, turns: 2 } }]);
});

test("stores the real folder instead of a symlink to it", async () => {
  const [folder, link] = [testFolder(), join(testFolder(), "link")];
  symlinkSync(folder, link);
  const { bring } = place([{ session: past("one", 5, { cwd: link }), events: talk("this") }]);
  expect((await bring())[0]!.session!.cwd).toBe(realpathSync(folder));
});

test("imports one folder, and skips a conversation that cannot be read", async () => {
  const broken = { session: past("bad", 1), events: undefined as never };
  const { bring } = place([
    { session: past("one", 5, { cwd: "/elsewhere" }), events: talk("a") },
    broken,
    { session: past("two", 4), events: talk("b") },
  ]);
  expect((await bring("/elsewhere")).map(({ nativeId }) => nativeId)).toEqual(["one"]);
  expect((await bring()).map(({ outcome }) => outcome)).toEqual(["known", "failed", "added"]);
});

test("redacts secrets and cuts long prompts", async () => {
  const long = `${"x".repeat(60_000)} tell-nobody-this`;
  const events: PastEvent[] = [
    { prompt: { text: long } },
    { event: { type: "message.completed", messageId: "m", text: "it is tell-nobody-this" } },
    { event: { type: "turn.ended", outcome: "done" } },
  ];
  const { reins, bring } = place([{ session: past("one", 5, { title: "tell-nobody-this" }), events }]);
  const [brought] = await bring();
  const { id } = brought!.session!;
  const shown = JSON.stringify([brought, await reins.sessions.get(id), await collected(reins.sessions.events(id))]);
  expect(shown).not.toContain("tell-nobody");
  expect(shown).toContain("it is [redacted]");
  const [asked] = (await collected(reins.sessions.events(id))).filter((event) => event.type === "turn.started");
  expect(asked!.input).toMatchObject({ bytes: 60_017 });
});

test("imports from all agents with a history when none is named", async () => {
  const { reins } = place([{ session: past("one", 5), events: talk("this") }]);
  expect((await collected(reins.sessions.import())).map(({ agent }) => agent)).toEqual(["toy"]);
});

test("reports an agent without a history", async () => {
  const { bring } = place(undefined);
  await expect(bring()).rejects.toMatchObject({
    code: "unsupported",
    message: expect.stringContaining("Toy keeps no"),
  });
});
