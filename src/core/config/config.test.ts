import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { loadConfiguration, loadPersonsAgents } from "./config.ts";

let root: string;
let clean: () => void;
beforeEach(() => {
  const folder = temporaryFolder();
  root = folder.path;
  clean = () => folder[Symbol.dispose]();
  mkdirSync(join(root, "home"));
  mkdirSync(join(root, "project", "deep", "deeper"), { recursive: true });
});
afterEach(() => clean());

const env = () => ({ REINS_HOME: join(root, "home") });
function person(value: unknown): void {
  writeFileSync(join(root, "home", "config.json"), typeof value === "string" ? value : JSON.stringify(value));
}
const projectFile = () => join(root, "project", "reins.config.json");
function project(value: unknown): void {
  writeFileSync(projectFile(), typeof value === "string" ? value : JSON.stringify(value));
}
function oldProject(value: unknown): void {
  mkdirSync(join(root, "project", ".reins"), { recursive: true });
  writeFileSync(join(root, "project", ".reins", "config.json"), JSON.stringify(value));
}
const load = (more: Record<string, string> = {}) =>
  loadConfiguration(join(root, "project", "deep", "deeper"), { ...env(), ...more });

test("is empty without files", async () => {
  expect(await load()).toEqual({
    agents: {},
    ignored: {},
    remarks: [],
    files: {},
    projectsAfter: false,
    projectsAgent: false,
    projectsFallback: false,
  });
});

test("prefers the project, also from a parent folder, over the user, and the environment over both", async () => {
  person({ agent: "one", model: "m1" });
  project({ agent: "two" });
  expect(await load()).toMatchObject({ agent: "two", model: "m1" });
  expect(await load({ REINS_AGENT: "three", REINS_MODEL: "m3" })).toMatchObject({ agent: "three", model: "m3" });
});

test("lets a user name a command as agent, but not a project", async () => {
  project({ agent: "acp:./evil.sh" });
  expect(await load()).toMatchObject({ agent: undefined });
  person({ agent: "acp:mine" });
  expect(await load()).toMatchObject({ agent: "acp:mine" });
});

test.each([
  ["read", undefined, "read"],
  ["ask", undefined, "ask"],
  ["edits", undefined, undefined],
  ["full", undefined, undefined],
  ["full", "edits", "edits"],
  ["edits", "full", "edits"],
  ["plan", "full", "plan"],
])("lets a project's mode only narrow: %s with the user's %s is %s", async (projects, persons, mode) => {
  project({ mode: projects });
  if (persons !== undefined) person({ mode: persons });
  const loaded = await load();
  expect(loaded.mode).toBe(mode);
  expect(loaded.ignored.mode === undefined).toBe(mode === projects);
});

test.each([
  ["{ not json", "it is not JSON, from line 1 on"],
  ['{\n "agent": "a",\n}', "it is not JSON, from line 3 on"],
  ['{"agent": 7}', "line 1: agent must be text"],
  ['{\n\n"agnet": "x"}', "line 3: there is no key agnet; did you mean agent"],
  ['{"frobnicate": "x"}', "there is no key frobnicate; there are agent, model, mode,"],
  ['{"mode": "wild"}', "mode must be one of read, plan, ask, edits, full"],
  ["[]", "it must be an object"],
  ['{"agents": {"Mine": {"acp": "x"}}}', "an agent's id is lower-case letters, digits and hyphens"],
  ['{"agents": {"mine": {"acp": []}}}', "agents.mine.acp must not be empty"],
  ['{"agents": {\n"mine": {\n"acpp": "x"}}}', "line 3: there is no key agents.mine.acpp; did you mean acp"],
  ['{"budget": {"day": {"dollars": 1}}}', "there is no key budget.day.dollars; there are tokens, usd, seconds, turns"],
  ['{"budget": {"turn": {"turns": 1}}}', "there is no key budget.turn.turns"],
  ['{"budget": {"turn": {"usd": -1}}}', "budget.turn.usd must be more than 0"],
  ['{"agent": "a",\n"fallback": ["b",\n"a"]}', "line 3: fallback.1: the agent a falls back to itself"],
  ['{"fallback": ["b", "c", "b"]}', "fallback.2: the agent b occurs twice"],
  ['{"after": 7}', "after: it must be a command line, or a list of command lines"],
  ['{"continue": [{"prompt": "Go"}]}', "a rule needs at least one of outcome, text and after"],
  ['{"continue": [{"outcome": "cancelled"}]}', "continue.0.outcome must be one of done,"],
  ['{"continue": [{"text": "x", "times": 6}]}', "continue.0.times must be 5 or less"],
  ['{"agnet": 1, "modle": 2, "mode": 3}', "there is no key agnet; did you mean agent (and 2 more)"],
])("refuses a configuration like %j: %s", async (text, why) => {
  for (const write of [person, project]) {
    write(text);
    await expect(load()).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/^The configuration \/.*config\.json cannot be used: .+\.$/),
    });
    await expect(load()).rejects.toThrow(why);
    write("{}");
  }
});

test("refuses a symlink to a device", async () => {
  symlinkSync("/dev/zero", projectFile());
  await expect(load()).rejects.toThrow(`The configuration ${projectFile()} cannot be used: it is not a file.`);
});

test("reports an unreadable file instead of ignoring its restrictions", async () => {
  mkdirSync(projectFile());
  await expect(load()).rejects.toThrow(`${projectFile()} cannot be used: it is not a file.`);
});

test("accepts a byte order mark and $schema", async () => {
  person(`\uFEFF${JSON.stringify({ $schema: "https://example.com/x.json", agent: "one" })}`);
  expect(await load()).toMatchObject({ agent: "one" });
});

test("reads the old location, unless the new file exists, and says so", async () => {
  oldProject({ agent: "old" });
  expect(await load()).toMatchObject({ agent: "old", remarks: [] });
  project({ agent: "new" });
  const { agent, remarks } = await load();
  expect(agent).toBe("new");
  expect(remarks).toEqual([
    `${projectFile()} is used; ${join(root, "project", ".reins", "config.json")} beside it is ignored.`,
  ]);
});

test("lets a project lower a budget but not raise it, and ignores commands as fallbacks", async () => {
  person({ budget: { day: { usd: 5, turns: 10 }, turn: { tokens: 1000 } }, fallback: ["acp:mine"] });
  project({
    budget: { day: { usd: 2, turns: 20 }, session: { seconds: 60 } },
    fallback: ["one", "acp:./evil.sh"],
  });
  const { budget, fallback, ignored } = await load();
  expect(budget).toEqual({ turn: { tokens: 1000 }, session: { seconds: 60 }, day: { usd: 2, turns: 10 } });
  expect(fallback).toEqual(["one"]);
  expect(ignored).toEqual({
    budget: "The project asks for a higher budget (day.turns) than you set; yours counts.",
    fallback: "The project names a command as a fallback; only you can start one.",
  });
});

test("knows whether the after-steps come from the project", async () => {
  person({ after: "npm test" });
  expect(await load()).toMatchObject({ after: "npm test", projectsAfter: false });
  project({ after: [["npm", "run", "build"]], continue: [{ after: "failed" }] });
  expect(await load()).toMatchObject({ after: [["npm", "run", "build"]], projectsAfter: true });
});

test("knows which agent and fallback only the project selects", async () => {
  project({ agent: "one", fallback: ["two"] });
  expect(await load()).toMatchObject({ projectsAgent: true, projectsFallback: true });
  expect(await load({ REINS_AGENT: "one" })).toMatchObject({ projectsAgent: false });
  person({ agent: "one" });
  expect(await load()).toMatchObject({ projectsAgent: false });
});

test("takes only models from a project's agents, nothing that could run", async () => {
  const command = { acp: "mine acp", name: "Mine", env: { A: "b" }, variables: ["KEY"] };
  person({ agents: { mine: command, one: { model: "m1", args: ["--x"] } } });
  project({ agents: { one: { model: "m2" }, two: { model: "m3" } } });
  expect(await load()).toMatchObject({
    agents: { mine: command, one: { model: "m2", args: ["--x"] }, two: { model: "m3" } },
    ignored: {},
  });
  project({ agents: { evil: { acp: "./evil.sh" }, one: { command: "./evil.sh", args: ["--yolo"], env: { A: "c" } } } });
  const loaded = await load();
  expect(loaded.agents).toEqual({
    mine: { ...command, model: undefined },
    one: { model: "m1", args: ["--x"] },
    evil: {},
  });
  expect(loaded.ignored.agents).toContain("only you can do that");
  expect(await loadPersonsAgents(env())).toMatchObject({ mine: command });
});

test("reports an invalid agent id", async () => {
  person({ agents: { "My Agent": { acp: "x" } } });
  await expect(load()).rejects.toThrow("an agent's id is lower-case letters, digits and hyphens");
});

test("ignores empty and relative folder variables", async () => {
  const config = join(root, "home", ".config", "reins");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.json"), JSON.stringify({ agent: "one" }));
  const near = join(root, "near");
  mkdirSync(join(near, "reins"), { recursive: true });
  writeFileSync(join(near, "reins", "config.json"), JSON.stringify({ mode: "full" }));
  const empty = { REINS_HOME: "", REINS_AGENT: "", REINS_MODEL: "", HOME: join(root, "home") };
  for (const XDG_CONFIG_HOME of ["", relative(process.cwd(), near)])
    expect(await load({ ...empty, XDG_CONFIG_HOME })).toMatchObject({
      agent: "one",
      model: undefined,
      mode: undefined,
    });
});
