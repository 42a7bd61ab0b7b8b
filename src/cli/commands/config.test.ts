import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "../../../test/support/command.ts";
import type { Setting } from "../../core/config/config-origins.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
  mkdirSync(join(place.home, "reins"));
});
afterEach(() => place[Symbol.dispose]());

const person = (value: unknown) => writeFileSync(join(place.home, "reins", "config.json"), JSON.stringify(value));
const project = (value: unknown) => writeFileSync(join(place.cwd, "reins.config.json"), JSON.stringify(value));

it("shows the defaults when nothing is set", async () => {
  const { code, stdout, stderr } = await place.run(["config"]);
  expect(stdout).toMatch(
    /^key +value +from\nagent +the first that is ready +the default\nmodel +the agent's own +the default\n/,
  );
  expect(stdout).toMatch(/^mode +ask +the default$/m);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

it("shows the origin of each value, and why an ignored value is ignored", async () => {
  person({
    mode: "edits",
    budget: { day: { usd: 5 } },
    agents: { demo: { env: { MY_TOKEN: "canary-value" }, args: ["--x"] } },
  });
  project({
    agent: "demo",
    mode: "full",
    budget: { day: { usd: 2 } },
    agents: { demo: { model: "m", command: "./evil" } },
  });
  const { code, stdout } = await place.run(["config", "--json", "-m", "opus"], { env: { REINS_DEMO_COMMAND: "mine" } });
  const settings = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Setting);
  const [mine, theirs] = [join(place.home, "reins", "config.json"), join(place.cwd, "reins.config.json")];
  expect(settings.filter(({ key }) => !key.startsWith("ui."))).toEqual([
    { key: "agent", value: "demo", from: "project", where: theirs },
    { key: "model", value: "opus", from: "flag" },
    { key: "mode", value: "edits", from: "person", where: mine },
    {
      key: "mode",
      value: "full",
      from: "project",
      where: theirs,
      ignored: "The project asks for mode full; only you can allow that.",
    },
    { key: "fallback", value: null, from: "default" },
    { key: "budget.day.usd", value: 2, from: "project", where: theirs },
    { key: "after", value: null, from: "default" },
    { key: "continue", value: null, from: "default" },
    { key: "agents.demo.args", value: ["--x"], from: "person", where: mine },
    { key: "agents.demo.env.MY_TOKEN", value: "(set)", from: "person", where: mine },
    { key: "agents.demo.model", value: "m", from: "project", where: theirs },
    { key: "agents.demo.command", value: "mine", from: "variable", where: "REINS_DEMO_COMMAND" },
    {
      key: "agents.demo.command",
      value: "./evil",
      from: "project",
      where: theirs,
      ignored: "The project sets commands, arguments or variables of agents; only you can do that.",
    },
  ]);
  expect(code).toBe(0);
});

it("shows the origin of list entries and custom agents, without secrets", async () => {
  const token = "canary-0123456789abcdef";
  person({ agents: { goose: { acp: "goose acp", env: { MY_TOKEN: token }, args: ["--key", token] } } });
  const rule = { decision: "allow", command: "rm *" };
  project({ fallback: ["demo", "acp:./evil"], policy: { rules: [rule] } });
  symlinkSync(place.cwd, join(place.home, "link"));
  const all = await place.run(["config", "--json", "--cwd", join(place.home, "link")], {
    env: { REINS_GOOSE_MODEL: "m" },
  });
  expect(all.stdout).not.toContain(token);
  const settings = all.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Setting);
  const theirs = join(place.cwd, "reins.config.json");
  expect(settings.filter(({ key }) => key === "fallback")).toMatchObject([
    { value: ["demo"], from: "project", where: theirs },
    { value: ["demo", "acp:./evil"], from: "project", ignored: expect.stringContaining("names a command") },
  ]);
  expect(settings.find(({ key }) => key === "policy.rules")).toMatchObject({
    value: rule,
    ignored: "A project's rule allows something; only you can do that.",
  });
  expect(settings).toContainEqual({
    key: "agents.goose.model",
    value: "m",
    from: "variable",
    where: "REINS_GOOSE_MODEL",
  });
  const nowhere = await place.run(["config", "--cwd", join(place.cwd, "gone")]);
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining("does not exist") });
});

it("says which of two project files is used", async () => {
  project({ agent: "demo" });
  mkdirSync(join(place.cwd, ".reins"));
  writeFileSync(join(place.cwd, ".reins", "config.json"), "{}");
  expect((await place.run(["config"])).stdout).toContain(
    `${join(place.cwd, "reins.config.json")} is used; ${join(place.cwd, ".reins", "config.json")} beside it is ignored.`,
  );
});

it("prefers the user's interface settings to the project's and lists the defaults", async () => {
  person({ ui: { theme: "dark" } });
  project({ ui: { theme: "light", breadcrumb: { placement: "bottom" } } });
  const { stdout } = await place.run(["config", "--json"]);
  const settings = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Setting)
    .filter(({ key }) => key.startsWith("ui."));
  expect(settings.map(({ key, value, from, ignored }) => [key, value, ignored ?? from])).toEqual([
    ["ui.leader", "ctrl+x", "default"],
    ["ui.breadcrumb.placement", "bottom", "project"],
    ["ui.breadcrumb.pollIntervalMs", 30_000, "default"],
    ["ui.breadcrumb.showAction", true, "default"],
    ["ui.theme", "dark", "person"],
    ["ui.theme", "light", "You have set this yourself."],
    ["ui.screen", "full", "default"],
    ["ui.wrap", "soft", "default"],
    ["ui.images", "auto", "default"],
    ["ui.vi", false, "default"],
    ["ui.mouse", true, "default"],
  ]);
});
