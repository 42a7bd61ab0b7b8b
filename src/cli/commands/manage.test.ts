/** The commands that manage agents, with a stand-in program on the PATH. */
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { type } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { cloudService } from "../../../test/support/cloud.ts";
import { Place } from "../../../test/support/command.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

/** A `claude` on the PATH that answers the questions of these commands. */
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

it("status shows all facts of one agent, without a key", async () => {
  const { code, stdout } = await place.run(["status", "claude"], { env: env(installed("bin", answers)) });
  expect(stdout).toMatch(/^Claude Code \(claude\)\n {2}ready +yes\n {2}version +2\.1\.325\n/);
  expect(stdout).toMatch(/^ {2}keys set +ANTHROPIC_API_KEY$/m);
  expect(stdout).toMatch(/^ {2}settings +.*\.claude\/settings\.json$/m);
  expect(stdout).not.toContain("made-up");
  expect(code).toBe(0);
});

it("doctor shows every agent, also an unused one, with the next step", async () => {
  const path = env(installed("bin", answers), installed("other", answers));
  const { code, stdout } = await place.run(["doctor"], { env: path });
  expect(stdout).toMatch(/^ +agent +version +proven +signed in +keys set +found$/m);
  expect(stdout).toMatch(/^✔ +claude +2\.1\.325 +by our tests +API key \(ANTHROPIC_API_KEY\) +ANTHROPIC_API_KEY /m);
  expect(stdout).toMatch(/→ Other installations, not used: .*other\/claude\./);
  expect(stdout).toMatch(/^demo +scripted$/m);
  expect(code).toBe(0);
  const json = await place.run(["doctor", "--json"], { env: path });
  const lines = json.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string; models?: unknown[] });
  expect(lines.find(({ id }) => id === "demo")?.models).toHaveLength(1);
});

it("logout and update run the agent's own commands and pass on their exit codes", async () => {
  const path = env(installed("bin", answers));
  expect(await place.run(["logout", "claude"], { env: path })).toMatchObject({
    code: 0,
    stdout: "bye\n",
    stderr: "$ claude auth logout\n",
  });
  expect(await place.run(["update", "claude"], { env: path })).toMatchObject({
    code: 1,
    stderr: "$ claude update\nThe command ended with exit code 3.\n",
  });
});

it("update of a missing agent installs nothing", async () => {
  expect(await place.run(["update", "gemini"], { env: { PATH: "/nowhere" } })).toMatchObject({
    code: 3,
    stdout: "",
    stderr: "reins: Gemini CLI is not installed.\nInstall it with `npm install -g @google/gemini-cli`.\n",
  });
});

it.runIf(existsSync("/usr/bin/script"))("leaves Ctrl-C to the command in the terminal", async () => {
  const login = "trap 'echo caught' INT; echo ready; until read -r word; do :; done; echo got $word";
  const { child, screen } = place.startAtTerminal(
    ["login", "claude"],
    env(installed("bin", { ...answers, "auth login": login })),
  );
  await vi.waitFor(() => expect(screen.text).toContain("ready"));
  for (const times of [1, 2]) {
    child.stdin.write("\u0003");
    await vi.waitFor(() => expect(screen.text.match(/caught/g)).toHaveLength(times));
  }
  child.stdin.write("it\n");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(screen.text).toContain("got it");
});

it("passes a signal on to the agent's command", async () => {
  const path = env(installed("bin", { ...answers, "auth logout": "echo ready; exec sleep 600" }));
  const { child, printed } = place.start(["logout", "claude"], { env: path });
  await vi.waitFor(() => expect(printed.stdout).toContain("ready"));
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([143, null]);
});

it("forgets models that were listed during a logout", async () => {
  const list = join(place.home, "reins", "models", "claude.json");
  const logout = `mkdir -p '${dirname(list)}'; echo '{"at":1,"models":[]}' > '${list}'`;
  await place.run(["logout", "claude"], { env: env(installed("bin", { ...answers, "auth logout": logout })) });
  expect(existsSync(list)).toBe(false);
});

it("prints JSON without control characters, and --only needs --prove", async () => {
  const strange = { ...answers, "mcp list": "printf 'one: \\302\\233 server - ✔ Connected\\n'" };
  const { stdout } = await place.run(["mcp", "list", "claude", "--json"], { env: env(installed("bin", strange)) });
  expect(JSON.parse(stdout)).toMatchObject({ agent: "claude", servers: [{ target: "\u009b server" }] });
  expect(stdout).toContain("\\u009b");
  expect(await place.run(["doctor", "--only", "resume"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: "reins: `--only` needs `--prove`.\n",
  });
});

it("reports problems of doctor --prove with their own exit code", async () => {
  expect(await place.run(["doctor", "--prove", "claude", "--only", "resumee"])).toMatchObject({
    code: 2,
    stderr: "reins: Nothing of the contract is about resumee.\nDid you mean resume?\n",
  });
  expect(await place.run(["doctor", "--prove", "claude"], { env: { PATH: "/nowhere" } })).toMatchObject({ code: 3 });
});

it("login needs a terminal, and says what to do without a browser", async () => {
  const { code, stderr } = await place.run(["login", "claude"], { env: env(installed("bin", answers)) });
  expect(stderr).toMatch(/^reins: Signing in needs a terminal\.\nRun `claude auth login` in a terminal\. /);
  expect(code).toBe(2);
});

it("mcp lists servers, and says what to do when an agent cannot", async () => {
  const path = env(installed("bin", answers));
  const { stdout } = await place.run(["mcp", "list", "claude"], { env: path });
  expect(stdout).toMatch(/^claude +one +connected +node server\.js\nclaude +two +failed +http:\/\/x\n +→ Failed/m);
  expect(await place.run(["mcp", "enable", "claude", "one"], { env: path })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^reins: Claude Code has no command to enable an MCP server\.\nOpen `claude`/),
  });
});

it("models shows the short names, and reports an unknown agent", async () => {
  const all = await place.run(["models"], { env: { PATH: "/nowhere" } });
  expect(all.stdout).toMatch(/^Demo \(demo\)\n {2}scripted /m);
  expect(all.stdout).toMatch(/^ {2}opus +claude-opus-/m);
  expect(await place.run(["models", "nobody"])).toMatchObject({ code: 2, stderr: expect.stringContaining("no agent") });
});

it("status --json has system, shell, session, models and the e-mail, if known", async () => {
  const printed = async (args: readonly string[], more = {}): Promise<Record<string, unknown>> =>
    JSON.parse((await place.run(args, { env: { SHELL: "/bin/zsh", ...more } })).stdout) as Record<string, unknown>;
  await place.run(["run", "-a", "demo", "say hello"]);
  expect(await printed(["status", "demo", "--json"])).toMatchObject({
    platform: { os: expect.stringContaining(type()) as string, shell: "zsh" },
    session: { id: expect.stringMatching(/^ses_/) as string, turns: 1 },
    ...{ model: "scripted", defaultModel: "scripted" },
    mcpHelp: expect.stringContaining("no MCP servers") as string,
  });
  expect(await printed(["models", "demo", "--json"])).toMatchObject({
    models: [{ id: "scripted", label: "Scripted", default: true, current: true }],
  });
  const failing = { ...answers, "mcp list": "printf 'one: npx x - ✔ Connected\\ntwo: npx y - ✗ Failed to connect\\n'" };
  const servers = await printed(["mcp", "list", "claude", "--json"], env(installed("bin", failing)));
  expect(servers).toMatchObject({
    servers: [
      { name: "one", state: "loaded" },
      { name: "two", state: "error", reason: expect.any(String) as string },
    ],
  });
  const { env: service } = await cloudService(place.cwd);
  expect(await printed(["status", "cursor-cloud", "--json"], service)).toMatchObject({ email: "ada@example.com" });
});
