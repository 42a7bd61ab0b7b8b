import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { createPuppet, type Puppet } from "../../../test/support/puppet.ts";
import type { AgentEntry } from "../../agents/contract.ts";
import type { ReinsOptions, SessionOptions } from "../api.ts";
import { createReins } from "../reins.ts";

const named = (id: string, more: Partial<AgentEntry> = {}): { puppet: Puppet; entry: AgentEntry } => {
  const puppet = createPuppet({ id });
  puppet.onPrompt = (session) => session.say({ type: "turn.ended", outcome: "done" });
  return { puppet, entry: { ...puppet.entry, name: id, servesModel: (model) => model.startsWith(`${id}-`), ...more } };
};

/** Two agents, `aa` and `bb`, with the models `aa-...` and `bb-...`. */
function stage(options: Omit<ReinsOptions, "agents"> = {}, config?: object) {
  const folder = temporaryFolder();
  const [aa, bb] = [named("aa"), named("bb", { ownModel: (model) => (model === "bb-1" ? "own/bb-1" : undefined) })];
  const env = { REINS_HOME: join(folder.path, "home"), PATH: "/nowhere", ...options.env };
  mkdirSync(env.REINS_HOME);
  if (config !== undefined) writeFileSync(join(env.REINS_HOME, "config.json"), JSON.stringify(config));
  const reins = createReins({ guardian: false, ...options, env, agents: [aa.entry, bb.entry] });
  onTestFinished(async () => {
    await reins.close();
    folder[Symbol.dispose]();
  });
  const open = async (wanted: SessionOptions = {}) => {
    const session = await reins.session({ cwd: folder.path, ...wanted });
    const { model, fallbackModel } = (session.agent === "aa" ? aa : bb).puppet.session.options;
    return { session, agent: session.agent, model, fallbackModel };
  };
  return { reins, open };
}

test("selects the agent that offers the configured model when no agent is configured", async () => {
  expect(await stage({}, { model: "bb-1" }).open()).toMatchObject({ agent: "bb", model: "own/bb-1" });
  expect(await stage({ env: { REINS_MODEL: "bb-2" } }).open()).toMatchObject({ agent: "bb", model: "bb-2" });
  expect(await stage({ defaults: { model: "bb-1" } }).open()).toMatchObject({ agent: "bb", model: "own/bb-1" });
});

test("does not pass a default model to an agent that does not offer it", async () => {
  for (const { open } of [stage({}, { model: "bb-1" }), stage({ defaults: { model: "bb-1" } })])
    expect(await open({ agent: "aa" })).toMatchObject({ agent: "aa", model: undefined });
  // A requested model is passed on.
  expect(await stage().open({ agent: "aa", model: "bb-1" })).toMatchObject({ agent: "aa", model: "bb-1" });
});

test("reports a configured model that the configured agent does not offer", async () => {
  const { session, model } = await stage({}, { agent: "aa", model: "bb-1" }).open();
  expect(model).toBeUndefined();
  const said: string[] = [];
  for await (const event of session.prompt("go")) if (event.type === "notice") said.push(event.message);
  expect(said).toEqual(["Puppet does not have the configured model bb-1; it uses its own."]);
});

test("applies the model variable of an agent in the right order", async () => {
  const env = { REINS_BB_MODEL: "bb-1" };
  expect(await stage({ env }).open({ agent: "bb" })).toMatchObject({ model: "own/bb-1" });
  expect(await stage({ env }, { model: "bb-2" }).open({ agent: "bb" })).toMatchObject({ model: "own/bb-1" });
  expect(await stage({ env, defaults: { model: "bb-3" } }).open({ agent: "bb" })).toMatchObject({ model: "bb-3" });
  expect(await stage({ env }).open({ model: "bb-2" })).toMatchObject({ agent: "bb", model: "bb-2" });
  expect(await stage({ env: { REINS_BB_MODEL: "" } }).open({ agent: "bb" })).toMatchObject({ model: undefined });
});

test("spells the fallback model like the agent does", async () => {
  expect(await stage().open({ agent: "bb", fallbackModel: "bb-1" })).toMatchObject({ fallbackModel: "own/bb-1" });
});

test.each(["", "  ", 5 as never])("refuses %j as a model name", async (model) => {
  await expect(stage().open({ agent: "aa", model })).rejects.toMatchObject({ code: "invalid_input" });
});
