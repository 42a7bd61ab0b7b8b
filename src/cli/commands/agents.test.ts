import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "../../../test/support/command.ts";
import type { AgentStatus } from "../../core/api.ts";
import { withModels } from "../../core/catalog/status.ts";
import { agentDetails } from "../render/agents-table.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

it("lists every agent, with the next step for a missing one", async () => {
  const { code, stdout, stderr } = await place.run(["agents"], { env: { PATH: "/nowhere" } });
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^agent +ready +version +signed in +found$/m);
  expect(stdout).toMatch(/^demo +yes +\S+ +not needed +built in$/m);
  expect(stdout).toMatch(/^claude +no .*\n +→ .*install/m);
  expect(code).toBe(0);
});

it("prints one agent per line with --json", async () => {
  const { code, stdout } = await place.run(["agents", "--json"], { env: { PATH: "/nowhere" } });
  const agents = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; ready: boolean });
  expect(agents).toContainEqual(expect.objectContaining({ id: "demo", ready: true, builtIn: true }));
  expect(agents).toContainEqual(expect.objectContaining({ id: "claude", ready: false, installed: false }));
  expect(code).toBe(0);
});

it("lists agent files with their problems, and shows one with its agent", async () => {
  const folder = join(place.cwd, ".reins", "agents");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "reviewer.md"), "---\ndescription: Reviews\nagent: demo\nmode: full\n---\nYou review.");
  writeFileSync(join(folder, "broken.md"), "No front matter.");
  writeFileSync(join(folder, "demo.md"), "---\n---\n");
  const { stdout } = await place.run(["agents"], { env: { PATH: "/nowhere" } });
  expect(stdout).toMatch(/^agent file +agent +model +mode +what it is +found$/m);
  expect(stdout).toMatch(/^broken .*\n +→ The agent file .*broken\.md cannot be used: it has no front matter/m);
  expect(stdout).toMatch(/^demo .*\n +→ It is not used, because an agent has that name\.$/m);
  expect(stdout).toMatch(/^reviewer +demo +Reviews .*\n +→ The project's agent file asks for mode full; only you/m);
  const one = await place.run(["agents", "reviewer", "--json"]);
  expect(
    one.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { id: "demo", ready: true },
    { id: "reviewer", agent: "demo", whose: "project" },
  ]);
  const ran = await place.run(["run", "-a", "reviewer", "say Hello."]);
  expect(ran).toMatchObject({ code: 0, stdout: "Hello.\n" });
});

it("shows one agent with its models and modes", async () => {
  const { code, stdout, stderr } = await place.run(["agents", "demo"]);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^Demo \(demo\)\n {2}ready {6}yes\n/);
  expect(stdout).toMatch(/^ {2}modes {6}read, plan, ask, edits, full\n {2}models {5}scripted {2}Scripted: /m);
  expect(code).toBe(0);
});

it("shows which hooks fire, as a table and as JSON", async () => {
  const env = { PATH: "/nowhere", REINS_CURSOR_CHANNEL: "print" };
  const { stdout } = await place.run(["agents", "cursor"], { env });
  expect(stdout).toMatch(/^ {2}hooks {6}fire: sessionStart, sessionEnd, preCompact\n {13}do not fire: .*stop/m);
  expect(stdout).toMatch(/^ {13}not known: preToolUse, /m);
  const json = await place.run(["agents", "cursor", "--json"], { env });
  expect(JSON.parse(json.stdout)).toMatchObject({
    capabilities: { hooks: { fires: ["sessionStart", "sessionEnd", "preCompact"] } },
  });
  expect((await place.run(["agents", "demo"])).stdout).not.toMatch(/^ {2}hooks/m);
});

it("says what to do for a missing or unknown agent", async () => {
  const missing = await place.run(["agents", "claude"], { env: { PATH: "/nowhere" } });
  expect(missing).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ {2}found {6}no$[\s\S]*^→ .*install/m) });
  const unknown = await place.run(["agents", "demoo"]);
  expect(unknown).toMatchObject({
    code: 2,
    stdout: "",
    stderr: "reins: There is no agent demoo.\nDid you mean demo?\n",
  });
});

it("asks a ready agent's program for its models, and reports when that fails", async () => {
  const about = {
    id: "x",
    name: "X",
    ready: true,
    installed: true,
    signedIn: "unknown",
    experimental: false,
    capabilities: { modes: ["ask"] },
  } as unknown as AgentStatus;
  const asked = await withModels(about, async () => [{ id: "big", label: "Big" }]);
  expect(agentDetails(asked)).toContain("  models     big  Big\n");
  const failing = await withModels(about, () => Promise.reject(new Error("It is asleep.")));
  expect(agentDetails(failing)).toContain("→ Its models could not be listed: It is asleep.\n");
});
