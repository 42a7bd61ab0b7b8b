import { expect, test } from "vitest";
import { createPuppet } from "../../../test/support/puppet.ts";
import type { AgentContext } from "../../agents/contract.ts";
import { Registry } from "./registry.ts";

const context = {} as AgentContext;

test("loads an agent once and runs its crash recovery once, even if that fails", async () => {
  const puppet = createPuppet();
  const registry = new Registry([puppet.entry], context);
  const [one, two] = await Promise.all([registry.get("puppet"), registry.get("puppet")]);
  expect(one).toBe(two);
  expect(puppet.recovered).toBe(1);
});

test("selects another agent when one cannot be loaded", async () => {
  const broken = { ...createPuppet({ id: "broken" }).entry, load: () => Promise.reject(new Error("It is broken.")) };
  expect((await new Registry([broken, createPuppet().entry], context).choose({}, [])).id).toBe("puppet");
  await expect(new Registry([broken], context).choose({}, [])).rejects.toMatchObject({
    code: "not_installed",
    help: "Puppet: It is broken.",
  });
  const demo = { ...createPuppet({ id: "demo" }).entry, builtIn: true };
  await expect(new Registry([broken, demo], context).choose({}, [])).rejects.toMatchObject({
    help: expect.stringMatching(/^The built-in agent demo needs no account: .+ Puppet: It is broken\.$/),
  });
});

test("does not wait for agents after the first ready one", async () => {
  const slow = createPuppet({ id: "slow" }).entry;
  const load = async () => {
    const { createAgent } = await slow.load();
    return { createAgent: () => ({ ...createAgent(context), probe: () => new Promise<never>(() => {}) }) };
  };
  const registry = new Registry([createPuppet().entry, { ...slow, load }], context);
  expect((await registry.choose({}, [])).id).toBe("puppet");
});
