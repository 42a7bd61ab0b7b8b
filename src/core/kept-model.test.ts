import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fc } from "../../test/support/fast-check.ts";
import { temporaryFolder } from "../../test/support/processes.ts";
import { createPuppet } from "../../test/support/puppet.ts";
import type { AgentContext } from "../agents/contract.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { SessionOptions } from "./api.ts";
import { splitState, withModel } from "./kept-model.ts";
import { createReins } from "./reins.ts";

const stateParts = fc.array(fc.oneof(fc.string(), fc.constant("@model="), fc.constant("%41")), { minLength: 1 });

test("a state and a model are told apart again, whatever they are", () => {
  fc.assert(
    fc.property(stateParts, fc.option(fc.string({ minLength: 1 }), { nil: undefined }), (parts, model) => {
      const state = `puppet:1:${parts.join("")}`;
      const { state: read, model: kept } = splitState(withModel(state, model));
      expect([read, kept]).toEqual([state, model]);
    }),
  );
  for (const state of ["puppet:1:x", "puppet:1:x@model=%", "@model=x"]) expect(splitState(state)).toEqual({ state });
});

test.each([["pi:1:sessions/--w-a@model=b--/1.jsonl"], ["acp:run --as x@model=y:1:c2Vz"], ["acp:run a@model=b c:1:eA"]])(
  "%s has no model in it, and is handed out as it is",
  (state) => {
    expect(splitState(state)).toEqual({ state });
    expect(withModel(state, undefined)).toBe(state);
  },
);

/** An agent with a configured model, which starts a tool in every turn. */
function stage() {
  const folder = temporaryFolder();
  const home = join(folder.path, "home");
  mkdirSync(home);
  writeFileSync(join(home, "config.json"), JSON.stringify({ agents: { puppet: { model: "usual" } } }));
  const puppet = createPuppet();
  puppet.onPrompt = (session) =>
    session.say(
      { type: "tool.started", callId: "c", tool: "read", nativeName: "read", kind: "read", title: "Read", input: {} },
      { type: "tool.completed", callId: "c", output: { text: "", bytes: 0, kept: 0 } },
      { type: "turn.ended", outcome: "done" },
    );
  const env = { REINS_HOME: home, PATH: "/nowhere" };
  const reins = createReins({ guardian: false, env, agents: [puppet.entry] });
  onTestFinished(async () => {
    await reins.close();
    folder[Symbol.dispose]();
  });
  const cwd = folder.path;
  const open = (wanted: SessionOptions) => reins.session({ agent: "puppet", cwd, ...wanted });
  return { puppet, reins, cwd, open, opened: () => puppet.session.options };
}

test("resumed it goes on with the model that was chosen for it, and not with the usual one", async () => {
  const { open, opened } = stage();
  const first = await open({ model: "mine/one:high" });
  const { state } = await first.prompt("go").result;
  expect(state).toBe("puppet:1:0@model=mine%2Fone%3Ahigh");
  expect(first.state).toBe(state);
  const second = await open({ resume: state });
  expect(opened()).toMatchObject({ model: "mine/one:high", state: "puppet:1:0" });
  // It stays so from one to the next.
  expect((await second.prompt("go").result).state).toBe(state);
  await open({ resume: state, model: "another" });
  expect(opened()).toMatchObject({ model: "another", state: "puppet:1:0" });
});

test("where nobody chose, the usual model counts", async () => {
  const { open, opened } = stage();
  const { state } = await (await open({})).prompt("go").result;
  expect([opened().model, state]).toEqual(["usual", "puppet:1:0"]);
  await open({ resume: state });
  expect(opened().model).toBe("usual");
});

test("a model that was chosen later is in every state that is told from then on", async () => {
  const { open, opened } = stage();
  const session = await open({});
  const states: (string | undefined)[] = [];
  const keep = (event: ReinsEvent) => "state" in event && states.push(event.state);
  for await (const event of session.prompt("one")) keep(event);
  await session.configure({ model: "later" });
  for await (const event of session.prompt("two")) keep(event);
  expect(new Set(states)).toEqual(new Set(["puppet:1:0", "puppet:1:0@model=later"]));
  expect(states.at(-1)).toBe("puppet:1:0@model=later");
  await open({ resume: states.at(-1) });
  expect(opened()).toMatchObject({ model: "later", state: "puppet:1:0" });
});

test("a model that was asked for counts as chosen, also where the agent was started ahead with it as the usual one", async () => {
  const { puppet, reins, cwd, open } = stage();
  await reins.warm({ agent: "puppet", cwd });
  expect(puppet.sessions).toHaveLength(1);
  expect((await open({ model: "usual" })).state).toBe("puppet:1:0@model=usual");
  expect(puppet.sessions).toHaveLength(1);
});

test("what would be sent is asked with the state as the agent knows it, and with the model", async () => {
  const { puppet, reins, cwd } = stage();
  const asked: object[] = [];
  const { createAgent } = await puppet.entry.load();
  const context = async (options: object) => (asked.push(options), { messages: [] });
  // It is the same agent every time.
  Object.assign(createAgent({} as AgentContext, "puppet"), { context });
  await reins.context({ cwd, resume: "puppet:1:0@model=mine" });
  expect(asked).toMatchObject([{ state: "puppet:1:0", model: "mine" }]);
  expect(JSON.stringify(asked)).not.toContain("@model=");
});
