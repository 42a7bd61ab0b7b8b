import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/processes.ts";
import { loadConfiguration, loadPersonsAgents } from "./configuration.ts";

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
function project(value: unknown): void {
  mkdirSync(join(root, "project", ".reins"), { recursive: true });
  writeFileSync(join(root, "project", ".reins", "config.json"), JSON.stringify(value));
}
const load = (more: Record<string, string> = {}) =>
  loadConfiguration(join(root, "project", "deep", "deeper"), { ...env(), ...more });

test("without files there is nothing", async () => {
  expect(await load()).toEqual({ agent: undefined, model: undefined, mode: undefined, agents: {}, ignored: {} });
});

test("the project's word, from a folder above too, goes before the person's, and the environment before both", async () => {
  person({ agent: "one", model: "m1" });
  project({ agent: "two" });
  expect(await load()).toMatchObject({ agent: "two", model: "m1" });
  expect(await load({ REINS_AGENT: "three", REINS_MODEL: "m3" })).toMatchObject({ agent: "three", model: "m3" });
});

test("a project names an agent, never a command; a person may", async () => {
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
])("a project's mode narrows and never widens: %s with the person's %s is %s", async (projects, persons, mode) => {
  project({ mode: projects });
  if (persons !== undefined) person({ mode: persons });
  const loaded = await load();
  expect(loaded.mode).toBe(mode);
  expect(loaded.ignored.mode === undefined).toBe(mode === projects);
});

test.each([
  ["{ not json"],
  ['{"agent": 7}'],
  ['{"agnet": "x"}'],
  ['{"mode": "wild"}'],
  ["[]"],
  ['{"agents": {"Mine": {"acp": "x"}}}'],
  ['{"agents": {"mine": {"acp": []}}}'],
  ['{"agents": {"mine": {"acpp": "x"}}}'],
])("a configuration like %s is refused with its path and loses nothing", async (text) => {
  person(text);
  await expect(load()).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("config.json"),
  });
});

test("what a project says about agents is their models, and nothing that could be run", async () => {
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

test("an id that is none is said to be", async () => {
  person({ agents: { "My Agent": { acp: "x" } } });
  await expect(load()).rejects.toThrow("an agent's id is lower-case letters, digits and hyphens");
});

test("variables that are empty, or lead from the current folder, lead nowhere", async () => {
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
