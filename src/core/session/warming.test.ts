/** Warmed sessions: who gets them, and who must not. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import type { ReinsOptions, Session } from "../api.ts";
import { createReins } from "../reins.ts";

function stage(warm: ReinsOptions["warm"] = {}) {
  const puppet = createPuppet();
  puppet.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "done" });
  const reins = createReins({ guardian: false, env: {}, agents: [puppet.entry], warm });
  onTestFinished(() => reins.close());
  return { puppet, reins, cwd: tmpdir(), agent: "puppet" };
}

async function notices(session: Session): Promise<readonly string[]> {
  const said: string[] = [];
  for await (const event of session.prompt("go")) if (event.type === "notice") said.push(event.message);
  return said;
}

test("gives a session that is still warming to its caller, and starts one agent for two warm calls", async () => {
  const { puppet, reins, cwd, agent } = stage();
  const opens = Promise.withResolvers<void>();
  puppet.onOpen = () => {
    opens.resolve();
    // Long enough for the other calls to arrive.
    return new Promise((resolve) => setTimeout(resolve, 50));
  };
  const first = reins.warm({ agent, cwd });
  await opens.promise;
  await Promise.all([first, reins.warm({ agent, cwd }).then(() => reins.session({ agent, cwd }))]);
  expect(puppet.sessions).toHaveLength(1);
});

test("does not hand out a session whose agent died, and warms another", async () => {
  const { puppet, reins, cwd, agent } = stage();
  await reins.warm({ agent, cwd });
  puppet.session.die();
  await expect.poll(() => puppet.session.closed).toBe(true);
  await reins.warm({ agent, cwd });
  expect(puppet.sessions).toHaveLength(2);
  puppet.session.die();
  await expect.poll(() => puppet.session.closed).toBe(true);
  await reins.session({ agent, cwd });
  expect(puppet.session.options.state).toBeUndefined();
});

test("does not hand out a session whose folder was replaced", async () => {
  using folder = temporaryFolder();
  const { puppet, reins, agent } = stage();
  const cwd = join(folder.path, "work");
  mkdirSync(cwd);
  await reins.warm({ agent, cwd });
  rmSync(cwd, { recursive: true });
  await expect(reins.session({ agent, cwd })).rejects.toMatchObject({ code: "invalid_input" });
  mkdirSync(cwd);
  await reins.session({ agent, cwd });
  expect(puppet.sessions).toHaveLength(2);
});

test("reports the notices of the caller that takes the session", async () => {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, ".reins"));
  writeFileSync(join(folder.path, ".reins", "config.json"), '{"mode": "full"}');
  const { puppet, reins, agent } = stage();
  const cwd = folder.path;
  const ignored = "The project asks for mode full; only you can allow that.";
  await reins.warm({ agent, cwd, mode: "ask" });
  expect(await notices(await reins.session({ agent, cwd }))).toEqual([ignored]);
  await reins.warm({ agent, cwd });
  expect(await notices(await reins.session({ agent, cwd, mode: "ask" }))).toEqual([]);
  expect(puppet.sessions).toHaveLength(2);
});

test("a single prompt run takes it too, and can be cancelled", async () => {
  const { puppet, reins, cwd, agent } = stage();
  await reins.warm({ agent, cwd });
  const { signal } = new AbortController();
  expect(await reins.run("go", { agent, cwd, signal, whenBusy: "queue" }).result).toMatchObject({ outcome: "done" });
  expect(puppet.sessions).toHaveLength(1);
});

test("an infinite time is not immediate, and a pool of size 0 starts nothing", async () => {
  const { puppet, reins, cwd, agent } = stage({ poolMs: Number.POSITIVE_INFINITY });
  await reins.warm({ agent, cwd });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(puppet.session.closed).toBe(false);
  const none = stage({ pool: 0 });
  await none.reins.warm({ agent, cwd });
  expect(none.puppet.sessions).toHaveLength(0);
});

test("does not keep a session that fails to start", async () => {
  const { puppet, reins, cwd, agent } = stage();
  puppet.onOpen = () => Promise.reject(new Error("no"));
  await expect(reins.warm({ agent, cwd })).rejects.toMatchObject({ message: "no" });
  puppet.onOpen = () => {};
  await reins.session({ agent, cwd });
  expect(puppet.sessions).toHaveLength(1);
});

test("leaves no agent behind when closed at any moment", async () => {
  for (let ticks = 0; ticks < 40; ticks++) {
    const { puppet, reins, cwd, agent } = stage();
    const outcomes = Promise.allSettled([reins.warm({ agent, cwd }), reins.session({ agent, cwd, mode: "full" })]);
    for (let tick = 0; tick < ticks; tick++) await new Promise((resolve) => setImmediate(resolve));
    await reins.close();
    await outcomes;
    expect(puppet.sessions.every(({ closed }) => closed)).toBe(true);
  }
});
