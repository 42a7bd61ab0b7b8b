import { describe, expect, it } from "vitest";
import { errorCodes, type ErrorCode } from "../../src/events/errors.ts";
import type { AgentEvent } from "../../src/events/types.ts";
import { testFolder } from "../support/core.ts";
import { all, cast, done, fails, holdsClosing, of, runs, says, turn } from "./support.ts";

const near = () => new Date(Date.now() + 30).toISOString();
const far = () => new Date(Date.now() + 3_600_000).toISOString();

const changed: AgentEvent = { type: "file.changed", path: "a.ts", op: "modify" };

/** The error codes after which a turn moves to the next agent: the cells of the table, end to end. */
const moves: ReadonlySet<ErrorCode> = new Set([
  "not_installed",
  "not_authenticated",
  "version_unsupported",
  "model_unknown",
  "rate_limited",
  "quota_exhausted",
  "overloaded",
  "context_too_long",
  "agent_crashed",
  "agent_error",
  "agent_hung",
  "protocol_error",
  "network",
  "timeout",
]);

describe.each(errorCodes)("a turn that fails with %s", (code) => {
  it.each(["before", "after"])("%s a side effect", async (when) => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(...(when === "after" ? [changed] : []), fails(code));
    b.onPrompt = (one) => one.say(says("Done by b."), done);
    const opened = await session();
    const events = await turn(opened, "Do it.");
    const goesOn = moves.has(code) || (code === "session_not_found" && when === "after");
    expect(events.at(-1)).toMatchObject(
      goesOn ? { outcome: "done", agent: "b", text: "Done by b." } : { outcome: "failed", agent: "a", error: { code } },
    );
    expect(of(events, "agent.switched")).toMatchObject(goesOn ? [{ from: "a", to: "b", reason: code }] : []);
    await all(opened);
  });
});

describe("a turn that continues with another agent", () => {
  it("is one turn, in which everything the first agent left open is closed", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) =>
      one.say(
        { type: "message.delta", messageId: "m", text: "Half a " },
        runs("c", "Run npm test"),
        fails("overloaded"),
      );
    b.onPrompt = (one) =>
      one.say(
        runs("c", "Run npm test"),
        { type: "tool.completed", callId: "c", output: { text: "ok", bytes: 2, kept: 2 } },
        says("Green."),
        done,
      );
    const opened = await session();
    await turn(opened, "Make it green.");
    const events = await all(opened);
    expect(of(events, "turn.started")).toHaveLength(1);
    expect(of(events, "tool.failed")).toMatchObject([{ agent: "a", reason: "unfinished" }]);
    expect(of(events, "message.completed")).toMatchObject([{ text: "Half a " }, { text: "Green." }]);
    expect(of(events, "session.started").map(({ agent }) => agent)).toEqual(["a", "b"]);
    expect(a.session.closed).toBe(true);
    expect(opened.agent).toBe("b");
  });

  it("starts there with a briefing that ends with the person's request", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) =>
      one.say(
        says("I begin."),
        { type: "file.changed", path: "src/sum.ts", op: "modify" },
        runs("c", "Run npm test"),
        { type: "tool.completed", callId: "c", output: { text: "not ok 3", bytes: 8, kept: 8 }, exitCode: 1 },
        fails("quota_exhausted"),
      );
    b.onPrompt = (one) => one.say(done);
    const opened = await session();
    const events = await turn(opened, "Mend the sum.");
    const told = b.session.prompts[0]!.text;
    for (const part of ["# Briefing", "Mend the sum.", "src/sum.ts", "Run npm test", "not ok 3", "I begin."])
      expect(told).toContain(part);
    expect(told).toMatch(/---\n\nMend the sum\.$/);
    const [switched] = of(events, "agent.switched");
    expect(switched?.briefingChars).toBe(told.indexOf("\n\n---\n\n"));
  });

  it("has no briefing when nothing happened before", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(fails("not_authenticated"));
    b.onPrompt = (one) => one.say(done);
    const events = await turn(await session(), "Do it.");
    expect(b.session.prompts).toEqual([{ text: "Do it." }]);
    expect(of(events, "agent.switched")).toMatchObject([{ briefingChars: 0 }]);
  });

  it("gives a history to an agent that takes one", async () => {
    const { a, b, session } = cast({ history: true });
    a.onPrompt = (one) => one.say(says("I begin."), fails("overloaded"));
    b.onPrompt = (one) => one.say(done);
    await turn(await session(), "Do it.");
    expect(b.session.options.history).toMatchObject([{ role: "person", text: expect.stringContaining("I begin.") }]);
    expect(b.session.prompts).toEqual([{ text: "Do it." }]);
  });

  it("continues with the third agent and what both others did", async () => {
    const { a, b, c, session } = cast();
    a.onPrompt = (one) => one.say(says("First a."), fails("overloaded"));
    b.onPrompt = (one) => one.say(says("Then b."), fails("network"));
    c.onPrompt = (one) => one.say(done);
    const opened = await session();
    const events = await turn(opened, "Do it.");
    expect(of(events, "agent.switched").map(({ from, to, reason }) => [from, to, reason])).toEqual([
      ["a", "b", "overloaded"],
      ["b", "c", "network"],
    ]);
    expect(c.session.prompts[0]!.text).toMatch(/Then b\.[^]*First a\./);
    await all(opened);
  });

  it("ends with the first failure when no agent can take over", async () => {
    const { a, b, session } = cast({ ready: { c: false } });
    a.onPrompt = (one) => one.say(fails("quota_exhausted", far()));
    b.onOpen = () => Promise.reject(new Error("It does not start."));
    const opened = await session();
    const events = await turn(opened, "Do it.");
    expect(events.at(-1)).toMatchObject({ outcome: "failed", agent: "a", error: { code: "quota_exhausted" } });
    expect(
      of(events, "notice")
        .filter(({ code }) => code === "route")
        .map(({ message }) => message),
    ).toEqual([
      "b cannot take the turn: It does not start.",
      expect.stringContaining("c cannot take the turn: Puppet is not ready."),
    ]);
    a.onPrompt = (one) => one.say(done);
    expect((await turn(opened, "Again.")).at(-1)).toMatchObject({ outcome: "done", agent: "a" });
    await all(opened);
  });

  it("tells the next agent no secret that the first one saw", async () => {
    const home = testFolder();
    const secret = "tell-nobody-of-this";
    const { a, b, session } = cast({
      env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home, A_TOKEN: secret },
    });
    a.onPrompt = (one) =>
      one.say(
        says(`It is ${secret}.`),
        runs("c", `Run echo ${secret}`),
        { type: "tool.completed", callId: "c", output: { text: secret, bytes: 19, kept: 19 }, exitCode: 1 },
        fails("overloaded"),
      );
    b.onPrompt = (one) => one.say(done);
    await turn(await session(), "Do it.");
    expect(b.session.prompts[0]!.text).toContain("## What failed");
    expect(b.session.prompts[0]!.text).not.toContain(secret);
  });

  it("adds up the usage of all agents without counting twice", async () => {
    const { a, b, session } = cast({ ready: { c: false } });
    const used = (input: number) => ({ type: "usage.updated", scope: "turn", tokens: { input, output: 1 } }) as const;
    a.onPrompt = (one) =>
      one.say(used(100), { ...fails("overloaded"), usage: { input: 100, output: 1 } } as AgentEvent);
    b.onPrompt = (one) => one.say(used(10), { ...done, usage: { input: 10, output: 1 } } as AgentEvent);
    const opened = await session();
    expect((await turn(opened, "Do it.")).at(-1)).toMatchObject({ agent: "b", usage: { input: 110, output: 2 } });
    b.onPrompt = (one) => one.say(used(7), { ...fails("internal"), usage: { input: 7, output: 1 } } as AgentEvent);
    expect((await turn(opened, "Again.")).at(-1)).toMatchObject({ outcome: "failed", usage: { input: 7, output: 1 } });
    await all(opened);
    const alone = await session({ fallback: ["c"] });
    expect((await turn(alone, "Do it.")).at(-1)).toMatchObject({ outcome: "failed", usage: { input: 100, output: 1 } });
    await all(alone);
  });

  it("reports what the next agent cannot do, and skips one that must not be used", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(fails("overloaded"));
    b.onPrompt = (one) => one.say(done);
    const events = await turn(await session({ maxTurns: 5 }), "Do it.");
    expect(of(events, "notice").map(({ message }) => message)).toContain(
      "Puppet cannot limit its number of turns, so this option is ignored.",
    );
    const opened = await session({ tools: { disallowed: ["shell"] } });
    expect((await turn(opened, "Do it.")).at(-1)).toMatchObject({ outcome: "failed" });
    expect(b.sessions).toHaveLength(1);
  });
});

describe("a turn ends with its agent", () => {
  it("when it was cancelled", async () => {
    const { a, b, session } = cast();
    a.onCancel = (one) => one.say(fails("overloaded"));
    const opened = await session();
    const running = opened.prompt("Do it.");
    for await (const event of running) if (event.type === "turn.started") void running.cancel();
    expect((await running.result).outcome).toBe("cancelled");
    expect(b.sessions).toEqual([]);
  });

  it("when the model refused, or the budget is spent", async () => {
    const { a, b, session } = cast();
    const opened = await session();
    for (const outcome of ["refused", "budget", "max_tokens", "max_turns", "interrupted"] as const) {
      a.onPrompt = (one) => one.say({ type: "turn.ended", outcome });
      expect((await turn(opened, "Do it.")).at(-1)).toMatchObject({ outcome });
    }
    expect(b.sessions).toEqual([]);
  });

  it("right after a denial", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) =>
      one.say(
        runs("c", "Run it"),
        {
          type: "permission.requested",
          requestId: "r",
          callId: "c",
          tool: "shell",
          title: "Run it",
          input: {},
          options: [],
        },
        fails("agent_crashed"),
      );
    const events = await turn(await session({ mode: "ask" }), "Do it.");
    expect(of(events, "permission.resolved")).toMatchObject([{ outcome: "denied" }]);
    expect(events.at(-1)).toMatchObject({ outcome: "failed", agent: "a" });
    expect(b.sessions).toEqual([]);
  });

  it("after a side effect, if the route says so", async () => {
    const { a, b, session } = cast();
    a.onPrompt = (one) => one.say(runs("c", "Run it"), fails("overloaded"));
    const events = await turn(await session({ route: { afterSideEffects: "stop" } }), "Do it.");
    expect(events.at(-1)).toMatchObject({ outcome: "failed", agent: "a" });
    expect(of(events, "notice")).toMatchObject([
      { code: "route", message: "The turn had already changed something, so the route stops here." },
    ]);
    expect(b.sessions).toEqual([]);
  });

  it("when there is no fallback", async () => {
    const { a, session } = cast();
    a.onPrompt = (one) => one.say(fails("overloaded", near()));
    expect((await turn(await session({ fallback: [] }), "Do it.")).at(-1)).toMatchObject({ outcome: "failed" });
  });
});

describe("a session starts with another agent", () => {
  it("when its agent is not ready", async () => {
    const { a, b, session } = cast({ ready: { a: false } });
    b.onPrompt = (one) => one.say(done);
    const opened = await session();
    expect(opened.agent).toBe("b");
    await turn(opened, "Do it.");
    const events = await all(opened);
    expect(of(events, "agent.switched")).toMatchObject([{ from: "a", to: "b", reason: "not_ready", briefingChars: 0 }]);
    expect(a.sessions).toEqual([]);
  });

  it("when its agent cannot be opened", async () => {
    const { a, session } = cast();
    a.onOpen = () => Promise.reject(Object.assign(new Error("Sign in first."), { code: "not_authenticated" }));
    const opened = await session();
    expect(opened.agent).toBe("b");
    expect(of(await all(opened), "agent.switched")).toMatchObject([{ reason: "not_authenticated" }]);
  });

  it("fails with the reason of its own agent when no agent is ready", async () => {
    const { a, session } = cast({ ready: { a: false, b: false, c: false } });
    a.onOpen = () => Promise.reject(Object.assign(new Error("Sign in first."), { code: "not_authenticated" }));
    await expect(session()).rejects.toMatchObject({ code: "not_authenticated", message: "Sign in first." });
  });

  it.each([
    [["a"], "The agent a falls back to itself."],
    [["b", "b"], "The agent b occurs twice in the fallback."],
  ])("does not follow a circle: %j", async (fallback, message) => {
    await expect(cast().session({ fallback })).rejects.toMatchObject({ code: "invalid_input", message });
  });
});

it("refuses an unknown fallback at once", async () => {
  await expect(cast().session({ fallback: ["b", "nobody"] })).rejects.toMatchObject({
    code: "invalid_input",
    message: "There is no agent nobody.",
  });
});

it("says that the next agent is not told what was not stored", async () => {
  const { a, b, session } = cast();
  a.onPrompt = (one) => one.say(fails("overloaded"));
  b.onPrompt = (one) => one.say(done);
  const events = await turn(await session({ resume: "a:1:7" }), "Go on.");
  expect(of(events, "notice").map(({ message }) => message)).toEqual([
    "Puppet does not know the conversation before this session was resumed: it was not stored here.",
  ]);
});

it("keeps the session with the old agent when cancelled while that agent is being closed", async () => {
  const { a, b, session } = cast();
  a.onPrompt = (one) => one.say(a.sessions.length === 1 ? fails("overloaded") : done);
  const opened = await session();
  const closing = holdsClosing(a.session);
  const running = opened.prompt("Do it.");
  await closing.reached;
  await running.cancel();
  const next = turn(opened, "Again.");
  closing.release();
  expect((await next).at(-1)).toMatchObject({ outcome: "done", agent: "a" });
  expect(b.sessions).toEqual([]);
  expect(of(await all(opened), "agent.switched")).toEqual([]);
});

describe("while the next agent is being opened", () => {
  const opening = async () => {
    const made = cast();
    made.a.onPrompt = (one) => one.say(fails("overloaded"));
    made.b.onPrompt = (one) => one.say(done);
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    made.b.onOpen = () => {
      reached.resolve();
      return released.promise;
    };
    const opened = await made.session();
    const running = opened.prompt("Do it.");
    await reached.promise;
    return { ...made, opened, running, release: released.resolve };
  };

  it("the turn can be cancelled, and the session continues with that agent", async () => {
    const { opened, running, release, b } = await opening();
    await running.cancel();
    expect((await running.result).outcome).toBe("cancelled");
    release();
    expect((await turn(opened, "Again.")).at(-1)).toMatchObject({ outcome: "done", agent: "b" });
    expect(b.session.prompts.map(({ text }) => text)).toEqual(["Again."]);
    await all(opened);
  });

  it("the session can be closed, and no agent is left", async () => {
    const { opened, running, release, b } = await opening();
    const closing = opened.close();
    release();
    await closing;
    expect((await running.result).outcome).toBe("cancelled");
    expect(b.session.closed).toBe(true);
    await all(opened);
  });
});
