import { expect, test } from "vitest";
import type { AgentContext, AgentEntry, OpenOptions } from "../../agents/contract.ts";
import { configuredEntries } from "./configured-agents.ts";

const opened: Partial<OpenOptions>[] = [];
const contexts: AgentContext[] = [];
const some: AgentEntry = {
  id: "some",
  name: "Some",
  load: () =>
    Promise.resolve({
      createAgent: (context: AgentContext) => {
        contexts.push(context);
        const open = (options: OpenOptions) => Promise.resolve(opened.push(options));
        return { id: "some", capabilities: { elsewhere: context.env["ELSEWHERE"] === "1" }, open } as never;
      },
    }),
};
const options = { sessionId: "s", cwd: "/", mode: "ask" } as const;
const context = (env: Record<string, string> = {}) => ({ env }) as unknown as AgentContext;

test("defines a custom agent with its id and name that is never selected automatically", async () => {
  const [entry] = configuredEntries([some], { mine: { acp: "toy --acp 'a b'", name: "Mine" } });
  expect(entry).toMatchObject({ id: "mine", name: "Mine", experimental: true });
  const agent = (await entry!.load()).createAgent(context());
  expect(agent).toMatchObject({ id: "mine", name: "Mine", capabilities: { modes: ["ask", "full"] } });
  expect(configuredEntries([some], { mine: { acp: ["toy"] } })[0]).toMatchObject({ name: "mine" });
});

test.each([
  ["toy; rm -rf /", "This command line contains ;, which only a shell understands, and Reins uses no shell."],
  ["toy $(x)", "This command line contains $, which only a shell understands, and Reins uses no shell."],
])("refuses %s in one sentence when the agent is used", async (acp, message) => {
  const [entry] = configuredEntries([], { mine: { acp } });
  await expect(entry!.load()).rejects.toMatchObject({ code: "invalid_input", message });
});

test.each([
  [{ some: { acp: "toy" } }, "There is an agent some already."],
  [{ mine: { acp: "toy", command: "toy" } }, "The agent mine has two commands"],
  [{ sone: { model: "m" } }, "The configuration names an unknown agent sone."],
])("rejects %o", (agents, message) => {
  expect(() => configuredEntries([some], agents)).toThrow(message);
});

test("gives an existing agent its program, arguments and variables, with the caller's options last", async () => {
  const settings = { command: ["node", "/x.js"], args: ["--a"], env: { KEY: "k", B: "c" } };
  const [entry] = configuredEntries([some], { some: settings });
  const { createAgent } = await entry!.load();
  const agent = createAgent(context({ KEY: "other" }));
  expect(contexts.at(-1)?.env).toEqual({ KEY: "k", B: "c", REINS_SOME_COMMAND: '["node","/x.js"]' });
  await agent.open({ ...options, extraArgs: ["--b"], env: { B: "d" } });
  expect(opened.at(-1)).toMatchObject({ extraArgs: ["--a", "--b"], env: { KEY: "k", B: "d" } });
  createAgent(context({ REINS_SOME_COMMAND: "mine" }));
  expect(contexts.at(-1)?.env["REINS_SOME_COMMAND"]).toBe("mine");
});

test("keeps configured variables of a remote agent on this machine, and passes the caller's", async () => {
  const [entry] = configuredEntries([some], { some: { env: { THE_KEY: "k", ELSEWHERE: "1" } } });
  const agent = (await entry!.load()).createAgent(context());
  expect(contexts.at(-1)?.env).toMatchObject({ THE_KEY: "k" });
  await agent.open(options);
  expect(opened.at(-1)).toEqual(options);
  await agent.open({ ...options, env: { B: "d" } });
  expect(opened.at(-1)?.env).toEqual({ B: "d" });
});

test("leaves the agent unchanged when only a model is set", async () => {
  const [entry] = configuredEntries([some], { some: { model: "m" } });
  const agent = (await entry!.load()).createAgent(context());
  await agent.open(options);
  expect(opened.at(-1)).toEqual(options);
});
