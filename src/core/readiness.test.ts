import { expect, test } from "vitest";
import type { Agent, Readiness } from "../agents/contract.ts";
import { Readinesses } from "./readiness.ts";

function asked(answers: readonly boolean[]) {
  const seen = { times: 0 };
  const probe = (): Promise<Readiness> =>
    Promise.resolve({ ready: answers[seen.times++] ?? true, installed: true, signedIn: "unknown" });
  return { seen, agent: { id: "one", probe } as unknown as Agent };
}

test("a yes is remembered until it may have changed", async () => {
  const { seen, agent } = asked([true, true, true]);
  const readiness = new Readinesses();
  await Promise.all([readiness.of(agent), readiness.of(agent)]);
  expect(seen.times).toBe(1);
  await readiness.of(agent, true);
  expect(seen.times).toBe(2);
  readiness.drop("one");
  await readiness.of(agent);
  await readiness.of(agent);
  expect(seen.times).toBe(3);
});

test("a no is asked again", async () => {
  const { seen, agent } = asked([false, true]);
  const readiness = new Readinesses();
  expect((await readiness.of(agent)).ready).toBe(false);
  expect((await readiness.of(agent)).ready).toBe(true);
  await readiness.of(agent);
  expect(seen.times).toBe(2);
});

test("while somebody signs in or out nothing is remembered", async () => {
  const { seen, agent } = asked([]);
  const readiness = new Readinesses();
  await readiness.of(agent);
  readiness.changing("one");
  await readiness.of(agent);
  await readiness.of(agent);
  expect(seen.times).toBe(3);
});
