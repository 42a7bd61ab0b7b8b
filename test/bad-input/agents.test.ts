/** Agents that misbehave: one sentence, the right code, lawful events, no process left. */
import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ReinsEvent } from "../../src/events/types.ts";
import { leftPids, standIn, type StandInKind } from "../stand-ins/stand-in.ts";
import { streamJsonReplies } from "../stand-ins/stream-json.ts";
import { BadAgent, type BadAgentOptions, whole } from "../support/bad-agent.ts";
import { expectLawful } from "../support/lawful.ts";
import { isAlive } from "../support/processes.ts";

const answer = "I am a stand-in.";
const turn = streamJsonReplies.find((reply) => reply.turn === true)!;
/** Answers the requests of Reins but no prompt. */
const deaf = streamJsonReplies.filter((reply) => reply !== turn);
/** Starts to answer a prompt and stops. */
const dreamy = [...deaf, { ...turn, print: turn.print.slice(0, 1) }];

function countOf(events: readonly ReinsEvent[], type: ReinsEvent["type"]): number {
  return events.filter((event) => event.type === type).length;
}

describe.concurrent("a program that is not an agent is refused when the session opens", () => {
  const cases: [string, StandInKind, BadAgentOptions, string, RegExp][] = [
    ["is missing", "good", { path: "/nowhere/claude" }, "not_installed", /^Claude Code was not found \(.+\)\.$/],
    ["is a folder", "good", { path: "/" }, "not_installed", /^.+\.$/],
    ["is not executable", "not-executable", {}, "not_installed", /not-executable is not executable\.$/],
    [
      "prints nothing",
      "silent",
      { deadlines: { start: 300 } },
      "agent_hung",
      /^Claude Code did not answer .+ 300 ms\.$/,
    ],
    [
      "prints garbage",
      "garbage",
      // Long enough to start on a busy machine: before its first output the agent counts as silent.
      { deadlines: { start: 10_000 } },
      "protocol_error",
      /^Claude Code printed something that is not its protocol, and no answer\.$/,
    ],
    ["exits at once with 0", "exits", {}, "agent_crashed", /^Claude Code ended without a result\.$/],
    ["exits at once with 3", "exits", { code: 3 }, "agent_crashed", /^Claude Code ended with exit code 3\.$/],
  ];
  test.each(cases)("because it %s", async (_why, kind, options, code, message) => {
    await using agent = new BadAgent(kind, options);
    await expect(agent.session()).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test("because its interpreter is missing", async () => {
    await using agent = new BadAgent("good");
    writeFileSync(agent.path, "#!/nowhere/node\n");
    chmodSync(agent.path, 0o755);
    await expect(agent.session()).rejects.toMatchObject({
      code: "not_installed",
      message: expect.stringContaining("interpreter"),
    });
  });
});

describe.concurrent("a turn fails when its agent breaks, and the session continues", { timeout: 180_000 }, () => {
  const cases: [string, StandInKind, BadAgentOptions, string, RegExp][] = [
    ["exits with 0 and no result", "exits-mid-turn", {}, "agent_crashed", /^Claude Code ended without a result\.$/],
    ["exits with 7", "exits-mid-turn", { code: 7 }, "agent_crashed", /^Claude Code ended with exit code 7\.$/],
    ["crashes", "crashes-mid-turn", {}, "agent_crashed", /^Claude Code was ended by SIGKILL\.$/],
    ["hangs", "good", { replies: deaf }, "agent_hung", /^Claude Code said nothing for \d+ seconds?\.$/],
    [
      "hangs and ignores SIGTERM",
      "ignores-term",
      { replies: deaf },
      "agent_hung",
      /^Claude Code said nothing for \d+ seconds?\.$/,
    ],
  ];
  test.each(cases)("when the agent %s", async (_why, kind, options, code, message) => {
    await using agent = new BadAgent(kind, options);
    // Long enough for the repaired agent to start on a busy machine.
    const session = await agent.session({ maxQuietMs: code === "agent_hung" ? 10_000 : undefined });
    const failed = await session.prompt("hello").result;
    expect(failed).toMatchObject({
      outcome: "failed",
      error: { code, message: expect.stringMatching(message), retryable: true, agent: "claude" },
    });
    renameSync(standIn("good", { folder: agent.cwd }), agent.path);
    expect(await session.prompt("again").result).toMatchObject({ outcome: "done", text: answer });
    const events = await whole(session);
    expectLawful(events);
    const [first, second] = await agent.recordings();
    expect(first?.meta?.args).toContain("--session-id");
    expect(second?.meta?.args).toContain("--resume");
  });

  test("when the agent ignores a cancel", async () => {
    await using agent = new BadAgent("ignores-term", { replies: dreamy, deadlines: { cancel: 200 } });
    const session = await agent.session();
    const running = session.prompt("hello");
    for await (const event of running) if (event.type === "session.started") break;
    await running.cancel();
    expect(await running.result).toMatchObject({ outcome: "cancelled" });
    renameSync(standIn("good", { folder: agent.cwd }), agent.path);
    expect(await session.prompt("again").result).toMatchObject({ outcome: "done", text: answer });
    expectLawful(await whole(session));
  });
});

describe.concurrent("an agent with bad manners is still understood", () => {
  test("when it answers everything twice: one result, and the rest is a separate turn", async () => {
    await using agent = new BadAgent("answers-twice");
    const session = await agent.session();
    const first = await session.prompt("hello").result;
    expect(first).toMatchObject({ outcome: "done", text: answer });
    const events: ReinsEvent[] = [];
    for await (const event of session.events()) {
      events.push(event);
      if (countOf(events, "turn.completed") === 2) break;
    }
    expect(events).toContainEqual(expect.objectContaining({ type: "notice", code: "unexpected_answer" }));
    expect(events.filter((event) => event.type === "turn.started").map((event) => event.origin)).toEqual([
      "prompt",
      "agent",
    ]);
    expectLawful(await whole(session));
  });

  test("when it sends its result twice: the second is ignored", async () => {
    const print = [...turn.print, turn.print.at(-1)];
    await using agent = new BadAgent("good", { replies: [...deaf, { ...turn, print }] });
    const session = await agent.session();
    const first = await session.prompt("one").result;
    for await (const event of session.events({ after: first.seq })) if (event.type === "usage.updated") break;
    expect(await session.prompt("two").result).toMatchObject({ outcome: "done", text: answer });
    const events = await whole(session);
    expectLawful(events);
    expect(countOf(events, "turn.completed")).toBe(2);
  });

  test("when it prints garbage between its messages", async () => {
    const print = turn.print.flatMap((message) => ["no JSON at all", '{"type":', message, "null", "[]", { type: 42 }]);
    await using agent = new BadAgent("good", { replies: [...deaf, { ...turn, print }] });
    const session = await agent.session();
    expect(await session.prompt("hello").result).toMatchObject({ outcome: "done", text: answer });
    const events = await whole(session);
    expectLawful(events);
    expect(events).toContainEqual(expect.objectContaining({ type: "notice", code: "unparsed" }));
  });

  test("when it floods", async () => {
    await using agent = new BadAgent("floods", { flood: { count: 3_000, bytes: 2_000 } });
    const session = await agent.session();
    expect(await session.prompt("hello").result).toMatchObject({ outcome: "done", text: answer });
    const events = await whole(session);
    expectLawful(events);
    expect(countOf(events, "notice")).toBeLessThan(10);
  });

  test("when it ignores SIGTERM: it is killed", async () => {
    await using agent = new BadAgent("ignores-term");
    const session = await agent.session();
    expect(await session.prompt("hello").result).toMatchObject({ outcome: "done", text: answer });
    const events = await whole(session);
    expectLawful(events);
    expect(events.at(-1)).toMatchObject({ type: "process.exited", signal: "SIGKILL" });
  });

  test.each(["leaves-child", "leaves-setsid-child"] as const)("when it %s: its children end with it", async (kind) => {
    await using agent = new BadAgent(kind);
    const session = await agent.session();
    expect(await session.prompt("hello").result).toMatchObject({ outcome: "done", text: answer });
    const [left = 0] = leftPids(agent.path);
    expect(isAlive(left)).toBe(true);
    expectLawful(await whole(session));
    expect(isAlive(left)).toBe(false);
  });
});
