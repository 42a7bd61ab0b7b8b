import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { EventBatch } from "./event-batch.ts";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { crash, expectRecovered, type Crashed } from "../../../test/support/crash.ts";
import { expectLawful } from "../../../test/support/lawful.ts";
import { about, conversation, stamped, storeIn, testStore } from "../../../test/support/store.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { Reins, ReinsOptions } from "../api.ts";
import type { Store } from "./types.ts";
import { createReins } from "../reins.ts";

function reinsWith(store: Store | undefined, folder: string, options: ReinsOptions = {}): Reins {
  const env = { PATH: process.env["PATH"], HOME: folder, REINS_HOME: folder };
  const reins = createReins({ env, store, guardian: false, ...options });
  onTestFinished(() => reins.close());
  return reins;
}

async function said(events: AsyncIterable<ReinsEvent>): Promise<ReinsEvent[]> {
  const all: ReinsEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe("a stored session", () => {
  test("has the same events as its readers saw", async () => {
    const { store, folder } = testStore();
    const reins = reinsWith(store, folder);
    const session = await reins.session({ agent: "demo", cwd: folder, mode: "full" });
    const shown = await said(session.prompt("say hello; stream 100; write a.txt hi; run true; think hard"));
    expect(store.sessions.lines(session.id, { after: shown[0]!.seq - 1 })).toEqual(
      shown.map((event) => JSON.stringify(event)),
    );
  });

  test.each([
    ["its id", (id: string) => id],
    ["a prefix of its id", (id: string) => id.slice(0, 14)],
    ["its state", (_id: string, state: string) => state],
    ["the agent's own id", (_id: string, state: string) => state.split(":")[2]!],
    ["last", () => "last"],
  ])("continues in its own log, found by %s", async (_how, name) => {
    const { store, folder } = testStore();
    const first = reinsWith(store, folder);
    const before = await first.session({ agent: "demo", cwd: folder });
    await before.prompt("say one").result;
    await first.close();
    const second = reinsWith(store, folder);
    const session = await second.session({ cwd: folder, resume: name(before.id, before.state!) });
    expect(session.id).toBe(before.id);
    expect(session.resumedAt).toBe(store.sessions.get(before.id)?.lastSeq);
    await session.prompt("say two").result;
    await second.close();
    const events = store.sessions.read(before.id);
    expectLawful(events);
    expect(events.filter(({ type }) => type === "turn.completed")).toHaveLength(2);
    expect(store.sessions.legs(before.id)).toHaveLength(2);
  });

  test("can be open only once", async () => {
    const { store, folder } = testStore();
    const reins = reinsWith(store, folder);
    const session = await reins.session({ agent: "demo", cwd: folder });
    await session.prompt("say one").result;
    const again = (other: Reins) => other.session({ resume: session.id, cwd: folder });
    await expect(again(reins)).rejects.toMatchObject({ code: "session_busy" });
    await expect(again(reinsWith(storeIn(folder), folder))).rejects.toThrow(
      `Session ${session.id} is in use by this process.`,
    );
    await expect(reins.sessions.remove(session.id)).rejects.toMatchObject({ code: "session_busy" });
    await session.close();
    expect((await again(reins)).id).toBe(session.id);
  });

  test.each([
    ["read", undefined, "read"],
    ["full", undefined, "ask"],
    ["read", "edits", "edits"],
  ] as const)(
    "opened in mode %s and resumed with %s is in %s: resuming never widens",
    async (before, wanted, after) => {
      const { store, folder } = testStore();
      const reins = reinsWith(store, folder);
      const session = await reins.session({ agent: "demo", cwd: folder, mode: before });
      await session.prompt("say one").result;
      await session.close();
      const next = await reins.session({ resume: session.id, mode: wanted });
      await next.prompt("say two").result;
      expect(store.sessions.legs(session.id).at(-1)?.mode).toBe(after);
    },
  );

  test("keeps the caller's restrictions when resumed twice and in a fork", async () => {
    const { store, folder } = testStore();
    const reins = reinsWith(store, folder);
    const session = await reins.session({
      agent: "demo",
      cwd: folder,
      mode: "full",
      rules: [
        { decision: "deny", tool: "write", path: "secret/**" },
        { decision: "allow", tool: "shell", command: "ls" },
      ],
      tools: { disallowed: ["shell"] },
    });
    await session.prompt("say one").result;
    await session.close();
    expect(store.sessions.get(session.id)?.forbidden).toEqual({
      rules: [{ decision: "deny", tool: "write", path: "secret/**" }],
      tools: ["shell"],
    });
    for (const fork of [false, false, true]) {
      const next = await reins.session({ resume: session.id, mode: "full", fork });
      await next.prompt("write secret/a.txt x; run touch b.txt; write c.txt x").result;
      await next.close();
    }
    expect(["secret/a.txt", "b.txt", "c.txt"].filter((name) => existsSync(join(folder, name)))).toEqual(["c.txt"]);
  });

  test("belongs to its folder and its agent", async () => {
    const { store, folder } = testStore();
    const reins = reinsWith(store, folder);
    const session = await reins.session({ agent: "demo", cwd: folder });
    await session.prompt("say one").result;
    await session.close();
    mkdirSync(join(folder, "other"));
    await expect(reins.session({ resume: session.id, cwd: join(folder, "other") })).rejects.toThrow(
      "is about the folder",
    );
    await expect(reins.session({ resume: "ses_nothing" })).rejects.toThrow("There is no session ses_nothing.");
    await expect(reins.session({ resume: "last", cwd: join(folder, "other") })).rejects.toThrow(
      "No session of the folder",
    );
  });

  test("can be forked, and both continue independently", async () => {
    const { store, folder } = testStore();
    const reins = reinsWith(store, folder);
    const session = await reins.session({ agent: "demo", cwd: folder });
    await session.prompt("say one").result;
    const fork = await reins.session({ resume: session.id, fork: true });
    const copy = await reins.sessions.fork(session.id);
    await Promise.all([fork.prompt("say two").result, session.prompt("say three").result]);
    await reins.session({ resume: copy.id }).then((third) => third.prompt("say four").result);
    const ids = [session.id, fork.id, copy.id];
    await reins.close();
    expect(new Set(ids).size).toBe(3);
    expect(new Set(ids.map((id) => store.sessions.get(id)?.state)).size).toBe(3);
    for (const id of ids) expectLawful(store.sessions.read(id));
  });
});

describe("a turn that no process will end", () => {
  function left(store: Store): void {
    const log = store.open("ses_left", about());
    log.append(new EventBatch(stamped("ses_left", conversation("p").slice(0, 2))));
    log.end();
  }

  test("is repaired by the next list of sessions, also in a Reins that listed before", async () => {
    const { store, folder } = testStore();
    const reins = reinsWith(store, folder);
    expect(await reins.sessions.list()).toEqual([]);
    left(store);
    expect(await reins.sessions.list()).toMatchObject([{ outcome: "interrupted", openTurn: undefined }]);
    expect(store.leases.all()).toEqual([]);
    expectLawful(store.sessions.read("ses_left"));
  });

  test("does not prevent reading when it cannot be repaired", async () => {
    const { store, folder } = testStore();
    left(store);
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    using blocker = new DatabaseSync(join(folder, "reins.db"));
    blocker.exec("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT raise(ABORT, 'full'); END");
    expect(await reinsWith(store, folder).sessions.list()).toMatchObject([{ id: "ses_left" }]);
  });
});

describe("without a usable store", () => {
  test("a session continues in memory and reports it", async () => {
    const { folder } = testStore();
    mkdirSync(join(folder, "data"));
    writeFileSync(join(folder, "data", "x"), "");
    const reins = reinsWith(storeIn(join(folder, "data", "x")), folder);
    const session = await reins.session({ agent: "demo", cwd: folder });
    const events = await said(session.prompt("say hello"));
    expect(events.find(({ type }) => type === "notice")).toMatchObject({ code: "store", level: "warning" });
    expect(events.at(-1)).toMatchObject({ type: "turn.completed", outcome: "done" });
    await expect(reins.sessions.list()).rejects.toThrow("Sessions are not stored");
    await expect(reins.session({ resume: "last" })).rejects.toThrow("Sessions are not stored");
  });

  test("a warm session also reports that it is not stored", async () => {
    const { folder } = testStore();
    writeFileSync(join(folder, "x"), "");
    const reins = reinsWith(storeIn(join(folder, "x")), folder);
    await reins.warm({ agent: "demo", cwd: folder });
    const session = await reins.session({ agent: "demo", cwd: folder });
    const events = await said(session.prompt("say hello"));
    expect(events.find(({ type }) => type === "notice")).toMatchObject({ code: "store", level: "warning" });
  });

  test("a running turn continues with a notice when the store fails", async () => {
    const { store, folder } = testStore();
    const reins = reinsWith(store, folder);
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const session = await reins.session({
      agent: "demo",
      cwd: folder,
      onQuestion: () => {
        using blocker = new DatabaseSync(join(folder, "reins.db"));
        blocker.exec("ALTER TABLE events RENAME TO away");
        return "skip";
      },
    });
    expect(await session.prompt("say one; ask which?; say two").result).toMatchObject({ outcome: "done", text: "two" });
    await session.close();
    const events = await said(session.events());
    expectLawful(events);
    const notices = events.filter((event) => event.type === "notice" && event.code === "store");
    expect(notices).toMatchObject([
      { level: "warning", message: expect.stringMatching("It continues in memory") as string },
    ]);
  });

  test("calls that need a store are refused with a sentence", async () => {
    const { folder } = testStore();
    const reins = reinsWith(undefined, folder);
    await expect(reins.sessions.list()).rejects.toThrow("This Reins has no store.");
    await expect(reins.usage()).rejects.toMatchObject({ code: "unsupported" });
    expect(await reins.running()).toEqual([]);
  });
});

describe.runIf(process.platform === "linux")("a killed Reins", () => {
  const env = (folder: string) => ({ PATH: process.env["PATH"], HOME: folder, REINS_HOME: folder });
  const killedAt = (folder: string, sign: string): Promise<Crashed> =>
    crash({
      store: folder,
      cwd: folder,
      agent: "demo",
      mode: "full",
      prompt: "say hello; stream 30; run sleep 60",
      env: env(folder),
      when: (line) => line.includes(sign),
    });

  test("has lost no shown event; its turn is repaired and the session can continue", async () => {
    const { store, folder } = testStore();
    const crashed = await killedAt(folder, "tool.started");
    expect(store.leases.of(crashed.id!)).toMatchObject({ pid: crashed.pid });
    await expectRecovered(crashed, store, reinsWith(store, folder), "say again");
    expect(store.sessions.turns(crashed.id!).map(({ outcome }) => outcome)).toEqual(["interrupted", "done"]);
  });

  test("is named as the owner while it lives", async () => {
    const { store, folder } = testStore();
    const looked = Promise.withResolvers<void>();
    const gone = crash({
      store: folder,
      cwd: folder,
      agent: "demo",
      mode: "full",
      prompt: "run sh -c 'echo up; sleep 60'",
      env: env(folder),
      when: async (line) => {
        if (!line.includes("tool.progress")) return false;
        await look().then(looked.resolve, looked.reject);
        return true;
      },
    });
    async function look(): Promise<void> {
      const reins = reinsWith(store, folder);
      const { pid } = store.leases.all()[0]!;
      const { id } = store.sessions.list()[0]!;
      await expect(reins.session({ resume: id })).rejects.toThrow(`Session ${id} is in use by process ${pid}.`);
      expect(await reins.sessions.get(id)).toMatchObject({ pid });
      expect(await reins.running()).toMatchObject([{ agent: "demo", owner: pid, session: id, cwd: folder }]);
    }
    await Promise.all([gone, looked.promise]);
  });
});
