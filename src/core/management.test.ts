import { expect, test } from "vitest";
import { createPuppet } from "../../test/support/puppet.ts";
import type { AgentEntry, AgentManagement } from "../agents/contract.ts";
import { createReins } from "./reins.ts";

async function managed(manage: AgentManagement, env: Record<string, string> = {}) {
  const puppet = createPuppet();
  const load: AgentEntry["load"] = async () => {
    const { createAgent } = await puppet.entry.load();
    return { createAgent: (context) => ({ ...createAgent(context), manage }) };
  };
  const reins = createReins({ guardian: false, env, agents: [{ ...puppet.entry, load }] });
  return reins.manage("puppet");
}

test("what an agent can do is done, without secrets", async () => {
  const manage = await managed(
    {
      login: async () => ({ command: "puppet", args: ["login"] }),
      about: async () => [{ label: "key", value: "it is hush-hush-hush-1234567890" }],
      mcp: { list: async () => [{ name: "one", status: "connected" }] },
    },
    { SOME_KEY: "hush-hush-hush-1234567890" },
  );
  expect(await manage.login()).toEqual({ command: "puppet", args: ["login"] });
  expect(JSON.stringify(await manage.about())).not.toContain("hush-hush");
  expect(await manage.mcp.list()).toEqual([{ name: "one", status: "connected" }]);
});

test("what it cannot do is refused, with what to do instead", async () => {
  const manage = await managed({ instead: { login: "Set PUPPET_KEY." } });
  await expect(manage.login()).rejects.toMatchObject({ code: "unsupported", help: "Set PUPPET_KEY." });
  await expect(manage.mcp.enable("x")).rejects.toMatchObject({ code: "unsupported", help: undefined });
  await expect(manage.models()).rejects.toMatchObject({ code: "unsupported" });
});
