import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionOptions } from "../../src/core/api.ts";
import { openStore } from "../../src/store/index.ts";
import { rest, testFolder, until } from "../support/core.ts";
import { repository } from "../support/repository.ts";
import { all, cast, done, fails, holdsClosing, of, runs, says, turn } from "./support.ts";

const changed = (path: string) => ({ type: "file.changed", path, op: "modify" }) as const;

describe("a handoff between turns", () => {
  it("puts the briefing before the next prompt", async () => {
    const { a, b, session } = cast();
    for (const one of [a, b]) one.onPrompt = (to) => to.say(says("Yes."), done);
    const opened = await session({ fallback: [] });
    await turn(opened, "The first wish.");
    await opened.handoff({ to: "b" });
    expect(opened.agent).toBe("b");
    expect(a.session.closed).toBe(true);
    await turn(opened, "The second wish.");
    await turn(opened, "The third wish.");
    expect(b.session.prompts[0]!.text).toMatch(/# Briefing[^]*The second wish\.[^]*The first wish\./);
    expect(b.session.prompts[1]).toEqual({ text: "The third wish." });
    const events = await all(opened);
    expect(of(events, "agent.switched")).toMatchObject([{ from: "a", to: "b", reason: "requested", agent: "a" }]);
    expect(of(events, "session.started").map(({ agent }) => agent)).toEqual(["a", "b"]);
  });

  it("back to the first agent resumes its leg with only what it missed", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (to) => to.say(changed("first.ts"), says("By a."), done);
    b.onPrompt = (to) => to.say(changed("second.ts"), says("By b."), done);
    const opened = await session({ fallback: [] });
    await turn(opened, "The first wish.");
    await opened.handoff({ to: "b" });
    await turn(opened, "The second wish.");
    await opened.handoff({ to: "a" });
    await turn(opened, "The third wish.");
    expect(a.sessions).toHaveLength(2);
    expect(a.session.options.state).toBe(a.sessions[0]!.state);
    const told = a.session.prompts[0]!.text;
    expect(told).toMatch(/what you missed[^]*The third wish\.[^]*The second wish\.[^]*By b\.[^]*second\.ts/);
    expect(told).not.toMatch(/The first wish|By a\.|first\.ts/);
    await all(opened);
  });

  it("back to an agent that lost the conversation tells it everything", async () => {
    const { a, b, session } = cast();
    for (const one of [a, b]) one.onPrompt = (to) => to.say(says("Yes."), done);
    const opened = await session({ fallback: [] });
    await turn(opened, "The first wish.");
    await opened.handoff({ to: "b" });
    await turn(opened, "The second wish.");
    a.onOpen = ({ state }) =>
      state === undefined
        ? undefined
        : Promise.reject(Object.assign(new Error("Gone."), { code: "session_not_found" }));
    await opened.handoff({ to: "a" });
    const events = await turn(opened, "The third wish.");
    expect(a.session.prompts[0]!.text).toMatch(/The third wish\.[^]*The second wish\.[^]*The first wish\./);
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
    expect(of(await all(opened), "session.updated")).toContainEqual(
      expect.objectContaining({ reset: true, reason: "Puppet no longer has its part of the conversation." }),
    );
  });

  it("back to an agent that lost the conversation tells it everything, also when no other agent worked in between", async () => {
    const { a, session } = cast();
    a.onPrompt = (to) => to.say(says("Yes."), done);
    const opened = await session({ fallback: [] });
    await turn(opened, "The first wish.");
    await opened.handoff({ to: "b" });
    a.onOpen = ({ state }) =>
      state === undefined
        ? undefined
        : Promise.reject(Object.assign(new Error("Gone."), { code: "session_not_found" }));
    await opened.handoff({ to: "a" });
    await turn(opened, "The second wish.");
    await turn(opened, "The third wish.");
    const [second, third] = a.session.prompts;
    expect(second!.text).toMatch(/# Briefing[^]*The second wish\.[^]*The first wish\./);
    expect(third).toEqual({ text: "The third wish." });
    await all(opened);
  });

  it.each([
    ["nobody", "invalid_input"],
    ["a", "invalid_input"],
    ["c", "unsupported"],
  ])("is refused to %s", async (to, code) => {
    const { a, session } = cast({ ready: { c: false } });
    a.onPrompt = (one) => one.say(done);
    const opened = await session({ fallback: [] });
    await expect(opened.handoff({ to })).rejects.toMatchObject({ code });
    expect(opened.agent).toBe("a");
    expect((await turn(opened, "Do it.")).at(-1)).toMatchObject({ outcome: "done", agent: "a" });
    expect(a.sessions).toHaveLength(1);
    await all(opened);
  });

  it("keeps the agent when the next one does not start", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(says("Yes."), done);
    b.onOpen = () => Promise.reject(new Error("It does not start."));
    const opened = await session({ fallback: [] });
    await turn(opened, "The first wish.");
    await expect(opened.handoff({ to: "b" })).rejects.toThrow("It does not start.");
    await turn(opened, "The second wish.");
    expect(a.session.options.state).toBe(a.sessions[0]!.state);
    expect(a.session.prompts).toEqual([{ text: "The second wish." }]);
    expect(of(await all(opened), "agent.switched")).toEqual([]);
  });

  it("runs one at a time, and a prompt that comes meanwhile goes to the next agent", async () => {
    const { b, session } = cast();
    b.onPrompt = (one) => one.say(done);
    const opening = Promise.withResolvers<void>();
    const isBegun = Promise.withResolvers<void>();
    b.onOpen = () => {
      isBegun.resolve();
      return opening.promise;
    };
    const opened = await session({ fallback: [] });
    const first = opened.handoff({ to: "b" });
    await isBegun.promise;
    await expect(opened.handoff({ to: "c" })).rejects.toMatchObject({
      code: "session_busy",
      message: "The session is being handed over to Puppet already.",
    });
    const running = turn(opened, "Do it.");
    opening.resolve();
    await first;
    expect((await running).at(-1)).toMatchObject({ outcome: "done", agent: "b" });
    await all(opened);
  });
});

describe("a handoff during a turn", () => {
  it("continues the turn with the next agent", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(says("I begin."), runs("c", "Run npm test"));
    b.onPrompt = (one) => one.say(says("I go on."), done);
    const opened = await session({ fallback: [] });
    const running = opened.prompt("Do it.");
    await until(running, "tool.started");
    await opened.handoff({ to: "b" });
    expect(await running.result).toMatchObject({ outcome: "done", agent: "b", text: "I go on." });
    expect(b.session.prompts[0]!.text).toMatch(/I begin\.[^]*It was in the middle of: Run npm test/);
    const events = await all(opened);
    expect(of(events, "turn.started")).toHaveLength(1);
    expect(a.session.closed).toBe(true);
  });

  it("does not happen when it is cancelled, and the next prompt waits until the old agent has ended", async () => {
    const { a, session } = cast();
    a.onPrompt = (one) => one.say(...(a.sessions.length === 1 ? [says("I begin.")] : [done]));
    const opened = await session({ fallback: [] });
    const closing = holdsClosing(a.session);
    const running = opened.prompt("Do it.");
    await until(running, "message.completed");
    const handed = opened.handoff({ to: "b" });
    await closing.reached;
    await running.cancel();
    const next = turn(opened, "Again.");
    await rest();
    expect(a.sessions).toHaveLength(1);
    closing.release();
    await expect(handed).rejects.toMatchObject({ code: "cancelled" });
    expect((await next).at(-1)).toMatchObject({ outcome: "done", agent: "a" });
    await all(opened);
  });

  it("waits for the `after` commands of the turn", async () => {
    const { a, session } = cast();
    a.onPrompt = (one) => one.say(says("Yes."), done);
    const opened = await session({ fallback: [], after: ["sleep 0.1"] });
    const running = opened.prompt("Do it.");
    await until(running, "tool.started");
    await opened.handoff({ to: "b" });
    expect(await running.result).toMatchObject({ outcome: "done", agent: "a" });
    expect(opened.agent).toBe("b");
    await all(opened);
  });

  it("fails the turn when the next agent does not start", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(says("I begin."));
    b.onOpen = () => Promise.reject(new Error("It does not start."));
    const opened = await session({ fallback: [] });
    const running = opened.prompt("Do it.");
    await until(running, "message.completed");
    await expect(opened.handoff({ to: "b" })).rejects.toThrow("It does not start.");
    expect(await running.result).toMatchObject({ outcome: "failed", agent: "a" });
    await all(opened);
  });
});

describe("a stored session", () => {
  it("is handed over by another process, and back", async () => {
    const folder = testFolder();
    const cwd = testFolder();
    const reinsWith = (store: ReturnType<typeof openStore>) => {
      const made = cast({ store });
      made.a.onPrompt = (one) => one.say(changed("first.ts"), says("By a."), done);
      made.b.onPrompt = (one) => one.say(changed("second.ts"), says("By b."), done);
      return made;
    };
    const inProcess = async (work: (made: ReturnType<typeof cast>) => Promise<void>) => {
      using store = openStore({ folder });
      const made = reinsWith(store);
      await work(made);
      await made.reins.close();
    };
    let id = "";
    await inProcess(async ({ session }) => {
      const opened = await session({ cwd });
      id = opened.id;
      await turn(opened, "The first wish.");
    });
    await inProcess(async ({ reins }) => {
      await expect(reins.session({ resume: id, handoff: "a" })).rejects.toMatchObject({ code: "invalid_input" });
      await reins.session({ resume: id, handoff: "b" });
    });
    await inProcess(async ({ reins, b }) => {
      const opened = await reins.session({ resume: id });
      expect(opened.agent).toBe("b");
      await turn(opened, "The second wish.");
      expect(b.session.prompts[0]!.text).toMatch(/# Briefing[^]*The second wish\.[^]*The first wish\.[^]*first\.ts/);
    });
    await inProcess(async ({ reins, a }) => {
      const opened = await reins.session({ resume: id, handoff: "a", mode: "full" });
      await turn(opened, "The third wish.");
      expect(a.session.options.state).toMatch(/^a:1:/);
      expect(a.session.prompts[0]!.text).toMatch(/what you missed[^]*The second wish\./);
      expect(a.session.prompts[0]!.text).not.toContain("first.ts");
      const events = await all(opened);
      expect(of(events, "agent.switched").map(({ from, to }) => [from, to])).toEqual([
        ["a", "b"],
        ["b", "a"],
      ]);
    });
    using store = openStore({ folder });
    expect(store.sessions.legs(id).map(({ agent }) => agent)).toEqual(expect.arrayContaining(["a", "b"]));
    const [switched] = store.sessions.read(id).filter((event) => event.type === "agent.switched");
    expect(Buffer.from(store.blobs.get((switched as { briefing: string }).briefing)!).toString()).toContain(
      "The first wish.",
    );
  });

  it("continues with the route of its agent file, which counts once, after a fallback took over", async () => {
    const [folder, cwd] = [testFolder(), testFolder()];
    mkdirSync(join(cwd, ".reins/agents"), { recursive: true });
    writeFileSync(join(cwd, ".reins/agents/tester.md"), "---\nagent: a\nfallback: [b, c]\n---\nYou test.\n");
    const inProcess = async (opening: SessionOptions) => {
      using store = openStore({ folder });
      const { reins, a, b, c } = cast({ store });
      a.onPrompt = (one) => one.say(fails("context_too_long"));
      b.onPrompt = (one) => one.say(...(a.sessions.length > 0 ? [says("By b."), done] : [fails("context_too_long")]));
      c.onPrompt = (one) => one.say(done);
      const opened = await reins.session({ cwd, ...opening });
      await turn(opened, "Do it.");
      await reins.close();
      return { id: opened.id, agent: opened.agent, c };
    };
    const { id, agent } = await inProcess({ agent: "tester" });
    expect(agent).toBe("b");
    const { c, ...last } = await inProcess({ resume: id });
    expect(last).toEqual({ id, agent: "c" });
    expect(c.session.options.systemPrompt).toEqual({ text: "You test.", how: "append" });
  });

  it("is the only kind that another process can hand over", async () => {
    const { reins } = cast();
    await expect(reins.session({ handoff: "b" })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(reins.session({ handoff: "b", resume: "a:1:0" })).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("stores no secret that an agent repeated, and does not list an agent that could not be opened", async () => {
    const canary = "sk-ant-canary-0123456789abcdef";
    using store = openStore({ folder: testFolder() });
    const { a, b, c, session } = cast({ store, env: { PATH: process.env["PATH"], ANTHROPIC_API_KEY: canary } });
    const message = `No such key: ${canary}.`;
    const error = { code: "not_authenticated", message, retryable: false } as const;
    a.onPrompt = (one) => one.say({ type: "turn.ended", outcome: "failed", error });
    b.onOpen = () => Promise.reject(Object.assign(new Error(message), { code: error.code }));
    c.onPrompt = (one) => one.say(done);
    const events = await turn(await session(), "Do it.");
    expect(store.breakers.list(0).map(({ key, reason }) => [key, reason])).toEqual([
      ["a", "No such key: [redacted]."],
      ["b", "No such key: [redacted]."],
    ]);
    expect(of(events, "agent.switched").map(({ from, to }) => [from, to])).toEqual([["a", "c"]]);
  });

  it("remembers for every process which agents are down", async () => {
    const folder = testFolder();
    for (const agent of ["a", "b"]) {
      using store = openStore({ folder });
      const { reins, a, b, session } = cast({ store });
      a.onPrompt = (one) => one.say(fails("quota_exhausted", new Date(Date.now() + 3_600_000).toISOString()));
      b.onPrompt = (one) => one.say(done);
      const opened = await session();
      expect(opened.agent).toBe(agent);
      await turn(opened, "Do it.");
      await reins.close();
    }
  });
});

it("ignores late events of the former agent about its prompt", async () => {
  const { a, b, session } = cast();
  const refused = Promise.withResolvers<void>();
  a.onPrompt = () => refused.promise;
  const opened = await session({ fallback: [] });
  const running = opened.prompt("Do it.");
  await rest();
  await opened.handoff({ to: "b" });
  refused.reject(new Error("I am gone."));
  await rest();
  b.session.say(says("Yes."), done);
  expect(await running.result).toMatchObject({ outcome: "done", text: "Yes." });
  await all(opened);
});

it("ends a prompt at once when it is cancelled while the next agent opens, and sends that agent nothing", async () => {
  const { b, session } = cast();
  const opening = Promise.withResolvers<void>();
  b.onOpen = () => opening.promise;
  b.onCancel = () => {};
  const opened = await session({ fallback: [] });
  const handed = opened.handoff({ to: "b" });
  await rest();
  const running = opened.prompt("Do it.");
  const cancelled = until(running, "agent.switched").then(() => running.cancel());
  await rest();
  opening.resolve();
  await rest();
  expect([b.session.prompts.length, b.session.cancels]).toEqual([0, 0]);
  await Promise.all([handed, cancelled]);
  expect(await running.result).toMatchObject({ outcome: "cancelled" });
  await all(opened);
});

it("does not continue a turn with another agent when its budget is spent", async () => {
  const { a, b, session } = cast();
  a.onPrompt = (to) => to.say({ type: "usage.updated", scope: "turn", tokens: { input: 100, output: 0 } });
  a.onCancel = () => {};
  const opened = await session({ fallback: [], budget: { turn: { tokens: 100 } } });
  const running = opened.prompt("Do it.");
  await rest();
  const handed = opened.handoff({ to: "b" });
  await rest();
  a.session.say({ type: "turn.ended", outcome: "cancelled" });
  expect(await running.result).toMatchObject({ outcome: "budget" });
  await handed;
  expect([opened.agent, b.session.prompts]).toEqual(["b", []]);
  await all(opened);
});

it("keeps a turn with its agent when it is cancelled during a handoff, however slowly the agent ends", async () => {
  const cwd = testFolder();
  repository(cwd);
  const { a, b, session } = cast();
  a.onPrompt = (to) => to.say(runs("1", "make"));
  const opened = await session({ fallback: [], cwd });
  const running = opened.prompt("Do it.");
  await until(running, "tool.started");
  const leaving = holdsClosing(a.session);
  const handed = opened.handoff({ to: "b" });
  await leaving.reached;
  const cancelled = running.cancel();
  leaving.release();
  await expect(handed).rejects.toMatchObject({ code: "cancelled" });
  await cancelled;
  expect(await running.result).toMatchObject({ outcome: "cancelled" });
  expect([opened.agent, b.sessions]).toEqual(["a", []]);
});
