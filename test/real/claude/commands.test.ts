/** Claude Code's own commands, and prompts that are sent while it works. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, messages, one, whole } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { asked } from "./support/requests.ts";

const echo = (words: string) => scenarioPrompt("echo", words);

test("compacts the conversation with /compact", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  await real.turn(session, echo("a-long-story"));
  const { result, events } = await real.turn(session, "/compact");
  expect(result.outcome).toBe("done");
  expect(one(events, "context.compacted")).toMatchObject({ trigger: "manual", before: expect.any(Number) });
  expect(all(events, "turn.phase").map((event) => event.phase)).toContain("compact");
  const after = await real.turn(session, echo("after"));
  expect(after.result).toMatchObject({ outcome: "done", text: "after" });
});

test("forgets the conversation with /clear and has a new state that can be resumed", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const before = (await real.turn(session, echo("forget-me"))).result.state;
  const { result, events } = await real.turn(session, "/clear");
  expect(all(events, "session.updated")).toMatchObject([
    { reset: true, by: "agent" },
    { state: result.state, by: "agent" },
  ]);
  expect(result.outcome).toBe("done");
  expect(result.state).not.toBe(before);
  const after = await real.turn(session, echo("remember-me"));
  expect(asked(real.model).at(-1)!.messages).not.toContain("forget-me");
  expect(after.result.state).toBe(result.state);
  await session.close();
  const later = await real.session({ resume: after.result.state });
  await real.turn(later, echo("later"));
  expect(asked(real.model).at(-1)!.messages).toContain("remember-me");
  expect(asked(real.model).at(-1)!.messages).not.toContain("forget-me");
});

test("runs a command that needs no model", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const { result } = await real.turn(session, "/context");
  expect(result.outcome).toBe("done");
  expect(result.text).toContain("Context");
  expect(asked(real.model)).toHaveLength(0);
});

test("lists its commands", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  await real.turn(session, scenarioPrompt("text"));
  const { commands } = all(real.said(session), "session.updated").find((event) => event.commands !== undefined)!;
  expect(commands!.map((command) => command.name)).toEqual(expect.arrayContaining(["compact", "clear", "context"]));
});

test("rejects a prompt while a turn runs", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const turn = session.prompt(scenarioPrompt("slow-text"));
  await real.when(session, "message.delta");
  await expect(session.prompt(echo("no")).result).rejects.toMatchObject({ code: "session_busy", retryable: true });
  real.model.release("slow");
  expect((await turn.result).text).toBe("The first half, and the second.");
  expect(asked(real.model)).toHaveLength(1);
});

test("queues a prompt as a separate turn", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const first = session.prompt(scenarioPrompt("slow-text"));
  await real.when(session, "message.delta");
  const second = session.prompt(echo("second"), { whenBusy: "queue" });
  const third = session.prompt(echo("third"), { whenBusy: "queue" });
  real.model.release("slow");
  const results = await Promise.all([first.result, second.result, third.result]);
  expect(results.map((result) => result.text)).toEqual(["The first half, and the second.", "second", "third"]);
  await real.when(session, "turn.completed", (event) => event.turnId === third.id);
  expect(all(real.said(session), "turn.started").map((event) => event.turnId)).toEqual([first.id, second.id, third.id]);
  expect(all(real.said(session), "input.added").map((event) => event.how)).toEqual(["queue", "queue"]);
});

test("steers a prompt into the turn, after the message that streams", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  const first = session.prompt(scenarioPrompt("slow-text"));
  await real.when(session, "message.delta");
  const steered = session.prompt(echo("steered"), { whenBusy: "steer" });
  await real.when(session, "input.added", (event) => event.how === "steer");
  real.model.release("slow");
  const { result, events } = await whole(first);
  expect(result).toMatchObject({ outcome: "done", text: "steered" });
  expect((await steered.result).turnId).toBe(result.turnId);
  expect(messages(events)).toEqual(["The first half, and the second.", "steered"]);
});

test("steers a prompt into the turn, after the tool that runs", async () => {
  const real = await realAgent("claude");
  const session = await real.session({ mode: "full" });
  const first = session.prompt(scenarioPrompt("shell", "until [ -e go ]; do sleep 0.05; done; echo went"));
  await real.when(session, "tool.started");
  const steered = session.prompt(echo("steered"), { whenBusy: "steer" });
  await real.when(session, "input.added", (event) => event.how === "steer");
  writeFileSync(join(real.cwd, "go"), "");
  const { result, events } = await whole(first);
  expect((await steered.result).turnId).toBe(result.turnId);
  expect(one(events, "tool.completed").output.text).toBe("went");
  // The steered prompt is part of a system message.
  expect(asked(real.model).at(-1)!.messages).toContain("scenario:echo:steered");
});
