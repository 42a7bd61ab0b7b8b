import { expect, test } from "vitest";
import { createPuppet } from "../../test/support/puppet.ts";
import type { AgentContext } from "../agents/contract.ts";
import { Registry } from "./registry.ts";

test("an agent is loaded once, and repairs once what a crash left, whether or not it can", async () => {
  const puppet = createPuppet();
  const registry = new Registry([puppet.entry], {} as AgentContext);
  const [one, two] = await Promise.all([registry.get("puppet"), registry.get("puppet")]);
  expect(one).toBe(two);
  expect(puppet.recovered).toBe(1);
});
