import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPuppet } from "../../../test/support/puppet.ts";
import { testStore } from "../../../test/support/store.ts";
import type { Reins } from "../api.ts";
import { createReins } from "../reins.ts";

function place() {
  const puppet = createPuppet();
  puppet.onPrompt = (session) =>
    session.say({ type: "turn.ended", outcome: "done", usage: { input: 60, output: 0 }, costUsd: 0.5 });
  const { store, folder } = testStore();
  const another = (): Reins => {
    const env = { PATH: process.env["PATH"], HOME: folder, REINS_HOME: folder };
    const reins = createReins({ agents: [puppet.entry], env, store, guardian: false });
    onTestFinished(() => reins.close());
    return reins;
  };
  return { puppet, folder, another };
}

test("counts spending of the session in an earlier process", async () => {
  const { folder, another } = place();
  const first = another();
  const options = { agent: "puppet", cwd: folder, budget: { session: { tokens: 100 } } };
  const session = await first.session(options);
  expect(await session.prompt("one").result).toMatchObject({ outcome: "done" });
  expect(await session.prompt("two").result).toMatchObject({ outcome: "done" });
  await first.close();
  const resumed = await another().session({ ...options, resume: session.id });
  expect(await resumed.prompt("three").result).toMatchObject({
    outcome: "budget",
    error: { message: "The budget is spent: 120 of 100 tokens for this session." },
  });
});

test("shares the day's budget between processes with the same store", async () => {
  const { folder, another } = place();
  const options = { agent: "puppet", cwd: folder, budget: { day: { usd: 1 } } };
  for (const outcome of ["done", "done", "budget"]) {
    const reins = another();
    expect(await (await reins.session(options)).prompt("go").result).toMatchObject({ outcome });
    await reins.close();
  }
});

test("resumes a session only with the agent file that it started with", async () => {
  const { puppet, folder, another } = place();
  const file = join(folder, "agents", "careful.md");
  mkdirSync(join(folder, "agents"));
  writeFileSync(file, "---\nagent: puppet\nmode: read\ntools:\n  disallowed: shell\n---\nBe careful.");
  const first = another();
  const session = await first.session({ agent: "careful", cwd: folder });
  await session.prompt("one").result;
  await first.close();
  const second = another();
  await second.session({ cwd: folder, resume: session.id });
  expect(puppet.session.options).toMatchObject({
    mode: "read",
    tools: { disallowed: ["shell"] },
    systemPrompt: { text: "Be careful." },
  });
  await second.close();
  rmSync(file);
  const third = another();
  await expect(third.session({ cwd: folder, resume: session.id })).rejects.toMatchObject({
    message: "The agent file careful of this session does not exist.",
    help: "Restore it, or name an agent.",
  });
  expect((await third.session({ cwd: folder, resume: session.id, agent: "puppet" })).id).toBe(session.id);
});
