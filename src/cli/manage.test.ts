/** The commands that look after agents, on a machine with a program that stands in for one. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "../../test/support/command.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

/** A `claude` on PATH that answers what these commands ask of it. */
function installed(name: string, lines: Record<string, string>): string {
  const folder = join(place.home, name);
  mkdirSync(folder, { recursive: true });
  const answers = Object.entries(lines).map(([args, answer]) => `"${args}") ${answer};;`);
  const script = `#!/bin/sh\ncase "$*" in\n${answers.join("\n")}\n*) exit 9;;\nesac\n`;
  writeFileSync(join(folder, "claude"), script, { mode: 0o755 });
  return folder;
}
const answers = {
  "--version": "echo '2.1.325 (Claude Code)'",
  "auth status": `echo '{"loggedIn":true,"authMethod":"api_key","apiKeySource":"ANTHROPIC_API_KEY"}'`,
  "auth logout": "echo bye; exit 0",
  update: "exit 3",
  "mcp list": "echo 'one: node server.js - ✔ Connected'; echo 'two: http://x (HTTP) - ✘ Failed to connect — gone'",
};
const env = (...folders: string[]) => ({
  PATH: [...folders, process.env["PATH"]].join(":"),
  ANTHROPIC_API_KEY: "made-up",
});

it("status tells of one agent everything it tells, and no key", async () => {
  const { code, stdout } = await place.run(["status", "claude"], { env: env(installed("bin", answers)) });
  expect(stdout).toMatch(/^Claude Code \(claude\)\n {2}ready +yes\n {2}version +2\.1\.325\n/);
  expect(stdout).toMatch(/^ {2}keys set +ANTHROPIC_API_KEY$/m);
  expect(stdout).toMatch(/^ {2}settings +.*\.claude\/settings\.json$/m);
  expect(stdout).not.toContain("made-up");
  expect(code).toBe(0);
});

it("doctor shows every agent, the one that is not used too, and what to do", async () => {
  const path = env(installed("bin", answers), installed("other", answers));
  const { code, stdout } = await place.run(["doctor"], { env: path });
  expect(stdout).toMatch(/^ +agent +version +proven +signed in +keys set +found$/m);
  expect(stdout).toMatch(/^✔ +claude +2\.1\.325 +by our tests +API key \(ANTHROPIC_API_KEY\) +ANTHROPIC_API_KEY /m);
  expect(stdout).toMatch(/→ There is another one, which is not used: .*other\/claude\./);
  expect(stdout).toMatch(/^demo +scripted$/m);
  expect(code).toBe(0);
  const json = await place.run(["doctor", "--json"], { env: path });
  const lines = json.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; models?: unknown[] });
  expect(lines.find(({ id }) => id === "demo")?.models).toHaveLength(1);
});

it("logout and update are the agent's own commands, and end as they end", async () => {
  const path = env(installed("bin", answers));
  expect(await place.run(["logout", "claude"], { env: path })).toMatchObject({
    code: 0,
    stdout: "bye\n",
    stderr: "$ claude auth logout\n",
  });
  expect(await place.run(["update", "claude"], { env: path })).toMatchObject({
    code: 1,
    stderr: "$ claude update\nIt ended with 3.\n",
  });
});

it("login needs a terminal, and says what to do without a browser", async () => {
  const { code, stderr } = await place.run(["login", "claude"], { env: env(installed("bin", answers)) });
  expect(stderr).toMatch(/^reins: Signing in needs a terminal, and this is none\.\nRun `claude auth login` in one\. /);
  expect(code).toBe(2);
});

it("mcp lists servers, and says what to do where an agent cannot", async () => {
  const path = env(installed("bin", answers));
  const { stdout } = await place.run(["mcp", "list", "claude"], { env: path });
  expect(stdout).toMatch(/^claude +one +connected +node server\.js\nclaude +two +failed +http:\/\/x\n +→ Failed/m);
  expect(await place.run(["mcp", "enable", "claude", "one"], { env: path })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^reins: Claude Code has no command to enable an MCP server\.\nOpen `claude`/),
  });
});

it("models shows the short names, and one that is unknown is said", async () => {
  const all = await place.run(["models"], { env: { PATH: "/nowhere" } });
  expect(all.stdout).toMatch(/^Demo \(demo\)\n {2}scripted /m);
  expect(all.stdout).toMatch(/^ {2}opus +claude-opus-/m);
  expect(await place.run(["models", "nobody"])).toMatchObject({ code: 2, stderr: expect.stringContaining("no agent") });
});
