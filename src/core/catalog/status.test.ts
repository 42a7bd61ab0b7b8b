import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Agent, AgentEntry, Readiness } from "../../agents/contract.ts";
import { createReins } from "../reins.ts";
import { ReinsError } from "../../events/errors.ts";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import { Readinesses } from "./status.ts";

function withKeys(id: string): AgentEntry {
  const { entry } = createPuppet({ id });
  const load: AgentEntry["load"] = async () => {
    const { createAgent } = await entry.load();
    return { createAgent: (context) => ({ ...createAgent(context), keyVariables: ["ONE_KEY", "OTHER_KEY"] }) };
  };
  return { ...entry, load };
}

test("lists keys that are set by name, in the environment and in one agent's configuration", async () => {
  using folder = temporaryFolder();
  const home = join(folder.path, "home");
  mkdirSync(home);
  const agents = { aa: { env: { OTHER_KEY: "made-up-and-secret" } }, bb: { env: { ONE_KEY: "" } } };
  writeFileSync(join(home, "config.json"), JSON.stringify({ agents }));
  await using reins = createReins({
    guardian: false,
    env: { REINS_HOME: home, PATH: "/nowhere", ONE_KEY: "made-up-as-well" },
    agents: [withKeys("aa"), withKeys("bb"), withKeys("cc")],
  });
  const found = await Promise.all(["aa", "bb", "cc"].map((id) => reins.agent(id)));
  expect(found.map(({ keysSet }) => keysSet)).toEqual([["ONE_KEY", "OTHER_KEY"], [], ["ONE_KEY"]]);
  expect(JSON.stringify(found)).not.toContain("made-up");
});

test("marks only the family id as a family", async () => {
  using folder = temporaryFolder();
  const { entry } = createPuppet({ id: "kin" });
  const load: AgentEntry["load"] = async () => {
    const { createAgent } = await entry.load();
    return { createAgent: (context, id = "kin") => ({ ...createAgent(context), id }) };
  };
  await using reins = createReins({
    guardian: false,
    env: { REINS_HOME: folder.path },
    agents: [{ ...entry, load, family: true }],
  });
  const [kin, one] = [await reins.agent("kin"), await reins.agent("kin:one")];
  expect([kin.family, one.family]).toEqual([true, undefined]);
});

function asked(answers: readonly boolean[]) {
  const seen = { times: 0 };
  const probe = (): Promise<Readiness> =>
    Promise.resolve({ ready: answers[seen.times++] ?? true, installed: true, signedIn: "unknown" });
  return { seen, agent: { id: "one", probe } as unknown as Agent };
}

test("remembers a ready agent until it may have changed", async () => {
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

test("probes an agent again that was not ready", async () => {
  const { seen, agent } = asked([false, true]);
  const readiness = new Readinesses();
  expect((await readiness.of(agent)).ready).toBe(false);
  expect((await readiness.of(agent)).ready).toBe(true);
  await readiness.of(agent);
  expect(seen.times).toBe(2);
});

test("remembers nothing while a user signs in or out", async () => {
  const { seen, agent } = asked([]);
  const readiness = new Readinesses();
  await readiness.of(agent);
  readiness.changing("one");
  await readiness.of(agent);
  await readiness.of(agent);
  expect(seen.times).toBe(3);
});

test.each(["not_installed", "not_authenticated", "version_unsupported", "overloaded"] as const)(
  "probes again after %s on open, when that code means not ready",
  async (code) => {
    const puppet = createPuppet();
    const seen = { times: 0 };
    const load: AgentEntry["load"] = async () => {
      const { createAgent } = await puppet.entry.load();
      const probe = (): Promise<Readiness> => {
        seen.times++;
        return Promise.resolve({ ready: true, installed: true, signedIn: "yes" });
      };
      return { createAgent: (context) => ({ ...createAgent(context), probe }) };
    };
    await using reins = createReins({ guardian: false, env: {}, agents: [{ ...puppet.entry, load }] });
    await reins.agent("puppet");
    puppet.onOpen = () => Promise.reject(new ReinsError(code, "No."));
    await expect(reins.session({ agent: "puppet" })).rejects.toMatchObject({ code });
    await reins.agent("puppet");
    expect(seen.times).toBe(code === "overloaded" ? 1 : 2);
  },
);
