import { expect, test } from "vitest";
import { createPuppet } from "../../../test/support/puppet.ts";
import type { AgentContext } from "../../agents/contract.ts";
import { Registry } from "./registry.ts";

const context = {} as AgentContext;

test("an agent is loaded once, and repairs once what a crash left, whether or not it can", async () => {
  const puppet = createPuppet();
  const registry = new Registry([puppet.entry], context);
  const [one, two] = await Promise.all([registry.get("puppet"), registry.get("puppet")]);
  expect(one).toBe(two);
  expect(puppet.recovered).toBe(1);
});

test("one that cannot be loaded keeps nobody from using another", async () => {
  const broken = { ...createPuppet({ id: "broken" }).entry, load: () => Promise.reject(new Error("It is broken.")) };
  expect((await new Registry([broken, createPuppet().entry], context).choose({}, [])).id).toBe("puppet");
  await expect(new Registry([broken], context).choose({}, [])).rejects.toMatchObject({
    code: "not_installed",
    help: "Puppet: It is broken.",
  });
});

test("nobody waits for those behind the first that is ready", async () => {
  const slow = createPuppet({ id: "slow" }).entry;
  const load = async () => {
    const { createAgent } = await slow.load();
    return { createAgent: () => ({ ...createAgent(context), probe: () => new Promise<never>(() => {}) }) };
  };
  const registry = new Registry([createPuppet().entry, { ...slow, load }], context);
  expect((await registry.choose({}, [])).id).toBe("puppet");
});
