import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/processes.ts";
import { createPuppet } from "../../test/support/puppet.ts";
import type { AgentEntry } from "../agents/contract.ts";
import { createReins } from "./reins.ts";

function withKeys(id: string): AgentEntry {
  const { entry } = createPuppet({ id });
  const load: AgentEntry["load"] = async () => {
    const { createAgent } = await entry.load();
    return { createAgent: (context) => ({ ...createAgent(context), keyVariables: ["ONE_KEY", "OTHER_KEY"] }) };
  };
  return { ...entry, load };
}

test("the keys that are set, by name: in the environment, and in the configuration for one agent alone", async () => {
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

test("a family is nobody by itself, and one of it is somebody", async () => {
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
