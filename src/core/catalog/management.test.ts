import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import type { AgentContext, AgentEntry, AgentManagement, Readiness } from "../../agents/contract.ts";
import { createReins } from "../reins.ts";

const key = { SOME_KEY: "hush-hush-hush-1234567890" };

async function managed(manage: AgentManagement, env: Record<string, string> = {}, found: Partial<Readiness> = {}) {
  const puppet = createPuppet();
  const load: AgentEntry["load"] = async () => {
    const { createAgent } = await puppet.entry.load();
    const agent = (context: AgentContext) => ({ ...createAgent(context), manage });
    return {
      createAgent: (context) => ({
        ...agent(context),
        probe: async () => ({ ...(await agent(context).probe()), ...found }),
      }),
    };
  };
  const home = temporaryFolder();
  onTestFinished(() => home[Symbol.dispose]());
  const reins = createReins({
    guardian: false,
    env: { REINS_HOME: home.path, ...env },
    agents: [{ ...puppet.entry, load }],
  });
  onTestFinished(() => reins.close());
  return Object.assign(await reins.manage("puppet"), { reins });
}

test("performs actions that the agent offers, without secrets", async () => {
  const manage = await managed(
    {
      login: async () => ({ command: "puppet", args: ["login"] }),
      about: async () => [{ label: "key", value: "it is hush-hush-hush-1234567890" }],
      mcp: { list: async () => [{ name: "one", status: "connected" }] },
    },
    key,
  );
  expect(await manage.login()).toEqual({ command: "puppet", args: ["login"] });
  expect(JSON.stringify(await manage.about())).not.toContain("hush-hush");
  expect(await manage.mcp.list()).toEqual([{ name: "one", status: "connected" }]);
});

test("refuses other actions with advice", async () => {
  const manage = await managed({ instead: { login: "Set PUPPET_KEY." } });
  await expect(manage.login()).rejects.toMatchObject({ code: "unsupported", help: "Set PUPPET_KEY." });
  await expect(manage.mcp.enable("x")).rejects.toMatchObject({ code: "unsupported", help: undefined });
  await expect(manage.models()).rejects.toMatchObject({ code: "unsupported" });
});

test("redacts errors and model names", async () => {
  const failing = () => Promise.reject(new Error(`It said ${key.SOME_KEY}.`));
  const models = async () => [{ id: "m", description: `from ${key.SOME_KEY}` }];
  const manage = await managed({ login: failing, models, mcp: { list: failing, enable: failing } }, key);
  for (const asked of [manage.login(), manage.mcp.list(), manage.mcp.enable("x")])
    await expect(asked).rejects.toMatchObject({ message: expect.stringMatching(/^It said (?!hush)/) });
  expect(JSON.stringify(await manage.models({ fresh: true }))).not.toContain("hush-hush");
  expect(JSON.stringify(await manage.reins.agent("puppet"))).not.toContain("hush-hush");
});

test("has no command for a program that is not installed", async () => {
  const update = () => expect.unreachable("It would install it.");
  const manage = await managed({ update }, {}, { ready: false, installed: false });
  await expect(manage.update()).rejects.toMatchObject({ code: "not_installed", help: "Pull its strings." });
  await expect(manage.login()).rejects.toMatchObject({ code: "unsupported" });
});
