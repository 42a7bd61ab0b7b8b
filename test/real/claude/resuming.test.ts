/** A conversation resumes from its state: in another process, another folder, or a fork. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { asked } from "./support/requests.ts";

const echo = (words: string) => scenarioPrompt("echo", words);

test("resumes in a new Reins", async () => {
  const real = await realAgent("claude");
  const first = await real.session();
  const { result } = await real.turn(first, echo("remember-me"));
  expect(result.state).toBe(first.state);
  await real.reins.close();
  const second = await real.session({ resume: result.state }, real.another());
  expect(second.state).toBe(result.state);
  const again = await real.turn(second, echo("and-me"));
  expect(again.result).toMatchObject({ outcome: "done", text: "and-me", state: result.state });
  expect(one(real.said(second), "session.started")).toMatchObject({ resumed: true, state: result.state });
  expect(asked(real.model).at(-1)!.messages).toContain("remember-me");
});

test("resumes from another folder", async () => {
  const real = await realAgent("claude");
  const first = await real.session();
  const { state } = (await real.turn(first, echo("remember-me"))).result;
  await first.close();
  const elsewhere = join(real.home, "elsewhere");
  mkdirSync(elsewhere);
  const second = await real.session({ resume: state, cwd: elsewhere, mode: "full" });
  const { result } = await real.turn(second, scenarioPrompt("shell", "pwd"));
  expect(asked(real.model).at(-1)!.messages).toContain("remember-me");
  expect(result.text).toContain(elsewhere);
  expect(one(real.said(second), "session.started").cwd).toBe(elsewhere);
});

test("forks, and the original is unchanged", async () => {
  const real = await realAgent("claude");
  const first = await real.session();
  const { state } = (await real.turn(first, echo("original"))).result;
  await first.close();
  const copy = await real.session({ resume: state, fork: true });
  const forked = await real.turn(copy, echo("only-in-the-copy"));
  expect(forked.result.state).not.toBe(state);
  await real.turn(copy, echo("still-the-copy"));
  expect(copy.state).toBe(forked.result.state);
  const back = await real.session({ resume: state });
  await real.turn(back, echo("back"));
  const { messages } = asked(real.model).at(-1)!;
  expect(messages).toContain("original");
  expect(messages).not.toContain("only-in-the-copy");
  await back.close();
  const again = await real.session({ resume: forked.result.state });
  await real.turn(again, echo("again"));
  expect(asked(real.model).at(-1)!.messages).toContain("only-in-the-copy");
});

test("forks while the original still runs", async () => {
  const real = await realAgent("claude");
  const first = await real.session();
  const { state } = (await real.turn(first, echo("original"))).result;
  const copy = await real.session({ resume: state, fork: true });
  const [one, other] = await Promise.all([real.turn(first, echo("one")), real.turn(copy, echo("other"))]);
  expect([one.result.text, other.result.text]).toEqual(["one", "other"]);
  expect(one.result.state).not.toBe(other.result.state);
});

test.each([
  ["a missing conversation", "claude:1:99999999-9999-4999-8999-999999999999"],
  ["a state of another version", "claude:9:99999999-9999-4999-8999-999999999999"],
  ["a damaged state", "claude:1:nonsense"],
  ["a state of another agent", "demo:1:99999999"],
  ["nonsense", "nonsense"],
])("rejects %s", async (_, state) => {
  const real = await realAgent("claude");
  await expect(real.session({ resume: state })).rejects.toMatchObject({
    code: "session_not_found",
    help: expect.any(String),
  });
  expect(real.model.requests).toEqual([]);
});

test("has no state before the first prompt", async () => {
  const real = await realAgent("claude");
  const session = await real.session();
  expect(session.state).toBeUndefined();
});

test("does not apply the first prompt's tools to a resumed conversation", async () => {
  const real = await realAgent("claude");
  const first = await real.session();
  const { state } = (await real.turn(first, echo("hello"))).result;
  await first.close();
  const session = await real.session({
    resume: state,
    tools: { allowed: ["shell(touch *)"], first: { disallowed: ["shell"] } },
  });
  const { result } = await real.turn(session, scenarioPrompt("shell", "touch made.txt"));
  expect(result.filesChanged).toEqual(["made.txt"]);
});
