import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { Output, Processes } from "../../process/types.ts";
import { createAgent } from "./index.ts";
import { mcpServersIn } from "./manage.ts";

interface Wanted {
  readonly env?: Record<string, string>;
  readonly output?: Partial<Output>;
  readonly child?: StandInChild;
}

/** An agent whose program prints this. */
function agent({ env = {}, output = {}, child }: Wanted = {}) {
  const printed: Output = {
    stdout: "GitHub Copilot CLI 1.0.102.\n",
    stderr: "",
    code: 0,
    signal: null,
    timedOut: false,
    truncated: false,
    ...output,
  };
  const processes = { run: () => Promise.resolve(printed), launch: () => Promise.resolve(child) };
  return createAgent({
    processes: processes as unknown as Processes,
    env: { HOME: testFolder(), REINS_COPILOT_COMMAND: process.execPath, ...env },
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact: createRedactor({}),
  });
}

function homeWith(file: string, text: string): string {
  const home = testFolder();
  mkdirSync(join(home, file, ".."), { recursive: true });
  writeFileSync(join(home, file), text);
  return home;
}

test.each([
  [{ COPILOT_PROVIDER_BASE_URL: "http://x" }, "own model service (COPILOT_PROVIDER_BASE_URL)"],
  [{ GITHUB_TOKEN: "b", COPILOT_GITHUB_TOKEN: "a" }, "token (COPILOT_GITHUB_TOKEN)"],
])("reports the sign-in by %o", async (env, signedInHow) => {
  expect(await agent({ env }).probe()).toMatchObject({ ready: true, version: "1.0.102", signedIn: "yes", signedInHow });
});

test("reports the account in its file, possibly one of gh, or none", async () => {
  const file = '// User settings belong in settings.json.\n{ "loggedInUsers": [{ "login": "ada", "host": "x" }] }';
  const HOME = homeWith(".copilot/config.json", file);
  expect(await agent({ env: { HOME } }).probe()).toMatchObject({ ready: true, signedInHow: "GitHub account ada" });
  const gh = homeWith(".config/gh/hosts.yml", "github.com:\n");
  expect(await agent({ env: { HOME: gh } }).probe()).toMatchObject({ ready: true, signedIn: "unknown" });
  const broken = homeWith(".copilot/config.json", "{");
  expect(await agent({ env: { HOME: broken } }).probe()).toMatchObject({
    ready: false,
    signedIn: "no",
    help: expect.stringContaining("copilot login"),
  });
});

test("manages it with the program's own commands", async () => {
  const { manage } = agent({ env: { REINS_COPILOT_COMMAND: '["node","/cli.js"]', COPILOT_HOME: "/c" } });
  expect(await manage.login?.()).toMatchObject({
    command: "node",
    args: ["/cli.js", "login"],
    withoutBrowser: expect.stringContaining("--device-code"),
  });
  expect(await manage.update?.()).toMatchObject({ args: ["/cli.js", "update"] });
  expect(manage.instead?.logout).toContain("/logout");
  expect(await manage.about?.()).toContainEqual({ label: "settings", value: join("/c", "settings.json") });
});

test("lists its MCP servers without their secrets", async () => {
  const json = JSON.stringify({
    mcpServers: {
      files: { type: "local", command: "npx", args: ["-y", "x", "secret1"], env: { TOKEN: "secret1" }, enabled: false },
      web: { type: "http", url: "https://mcp.example.com/x", headers: { Authorization: "secret2" }, enabled: true },
    },
  });
  expect(mcpServersIn(json)).toEqual([
    { name: "files", target: "npx", transport: "stdio", status: "disabled" },
    { name: "web", target: "https://mcp.example.com/x", transport: "http", status: "unknown" },
  ]);
  expect([mcpServersIn("{"), mcpServersIn("[]"), mcpServersIn("")]).toEqual([[], [], []]);
  const stderr = 'Warning: no MCP server named "x" is currently configured\n';
  await expect(agent({ output: { stderr } }).manage.mcp?.disable?.("x")).rejects.toThrow('no MCP server named "x"');
});

test("lists the models of a session", async () => {
  const child = new StandInChild();
  const asked = agent({ child }).manage.models?.();
  const answer = async (method: string, result: object) => {
    const { id } = await child.hears((message) => message["method"] === method);
    child.print({ id, result });
  };
  await answer("initialize", { protocolVersion: 1, agentCapabilities: { loadSession: true } });
  const id = "https://agentclientprotocol.com/protocol/session-modes#agent";
  const modes = { currentModeId: id, availableModes: [{ id, name: "Agent" }] };
  const availableModels = [
    { modelId: "gpt-6.1-sol", name: "Sol" },
    { modelId: "auto", name: "Auto" },
  ];
  await answer("session/new", { sessionId: "s", modes, models: { currentModelId: "auto", availableModels } });
  expect(await asked).toEqual([
    { id: "gpt-6.1-sol", label: "Sol" },
    { id: "auto", label: "Auto", current: true },
  ]);
  expect(child.stopped).toBeGreaterThan(0);
});
