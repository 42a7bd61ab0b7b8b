import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/support/processes.ts";
import { createPuppet } from "../../test/support/puppet.ts";
import type { SessionOptions } from "./api.ts";
import { createReins } from "./reins.ts";

/** What an agent is given that an agent file names, and what is said about it. */
async function given(elsewhere: boolean, options: SessionOptions = {}) {
  const folder = temporaryFolder();
  const home = join(folder.path, "home");
  mkdirSync(join(home, "agents"), { recursive: true });
  writeFileSync(
    join(home, "agents", "mine.md"),
    "---\nagent: puppet\nenv:\n  DB_PASSWORD: abcdefgh\n  LEVEL: high\n---\n",
  );
  const puppet = createPuppet({ capabilities: { elsewhere } });
  puppet.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "done" });
  const reins = createReins({ agents: [puppet.entry], env: { HOME: home, REINS_HOME: home }, guardian: false });
  onTestFinished(async () => {
    await reins.close();
    folder[Symbol.dispose]();
  });
  const session = await reins.session({ cwd: folder.path, agent: "mine", ...options });
  const said: string[] = [];
  for await (const event of session.prompt("hi")) if (event.type === "notice") said.push(event.message);
  return { env: puppet.session.options.env, said };
}

test("secrets of an agent file go along on this machine alone, unless the call names them", async () => {
  expect(await given(false)).toEqual({ env: { DB_PASSWORD: "abcdefgh", LEVEL: "high" }, said: [] });
  expect(await given(true)).toEqual({
    env: { LEVEL: "high" },
    said: [
      expect.stringMatching(/works elsewhere and is not given DB_PASSWORD: no call names it for Puppet/) as string,
    ],
  });
  const env = { DB_PASSWORD: "of the call" };
  expect(await given(true, { env })).toEqual({ env: { ...env, LEVEL: "high" }, said: [] });
});

test("secrets that were named for one agent do not leave the machine with the next", async () => {
  const folder = temporaryFolder();
  const env = { HOME: folder.path, REINS_HOME: folder.path };
  const here = createPuppet({ id: "here" });
  const there = createPuppet({ id: "there", capabilities: { elsewhere: true } });
  const error = { code: "quota_exhausted", message: "Used up.", retryable: false } as const;
  here.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "failed", error });
  there.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "done" });
  const reins = createReins({ agents: [here.entry, there.entry], env, guardian: false });
  onTestFinished(async () => {
    await reins.close();
    folder[Symbol.dispose]();
  });
  const named = { HERE_API_KEY: "abcdefgh", LEVEL: "high" };
  const session = await reins.session({ cwd: folder.path, agent: "here", fallback: ["there"], env: named });
  const said: string[] = [];
  for await (const event of session.prompt("hi")) if (event.type === "notice") said.push(event.message);
  expect(here.session.options.env).toEqual(named);
  expect(there.session.options.env).toEqual({ LEVEL: "high" });
  expect(said.join()).toContain("is not given HERE_API_KEY");
});
