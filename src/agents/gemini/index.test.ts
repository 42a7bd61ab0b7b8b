import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { LaunchSpec, Output, Processes } from "../../process/types.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { createAgent } from "./index.ts";
import { mcpServersIn } from "../shared/program/mcp-list.ts";
import { mcpLine } from "./manage.ts";
import { ownModel, servesModel } from "./models.ts";
import { program, stateOf } from "./program.ts";

const modes = {
  currentModeId: "default",
  availableModes: ["default", "autoEdit", "yolo", "plan"].map((id) => ({ id, name: id })),
};
const models = {
  currentModelId: "auto",
  availableModels: [
    { modelId: "auto", name: "Auto", description: "Chooses." },
    { modelId: "gemini-3", name: "Three" },
  ],
};

/** The parts of Gemini CLI that these tests need. */
class Gemini extends StandInChild {
  readonly #version: string;

  constructor(version = "0.61.0") {
    super();
    this.#version = version;
  }

  override write(text: string): Promise<void> {
    const { id, method } = JSON.parse(text) as { id?: number; method?: string };
    void super.write(text);
    const capabilities = {
      protocolVersion: 1,
      agentCapabilities: { loadSession: true },
      agentInfo: { version: this.#version },
    };
    if (method === "initialize") this.print({ id, result: capabilities });
    else if (method === "session/new" || method === "session/load")
      this.print({ id, result: { sessionId: "5e55", modes, models } });
    else if (method !== "session/prompt" && id !== undefined) this.print({ id, result: {} });
    return Promise.resolve();
  }

  asked(method: string): object[] {
    return this.received.filter((message) => message["method"] === method).map(({ params }) => params as object);
  }
}

/** A program that does not know these arguments. */
function old(...unknown: string[]): StandInChild {
  const child = new StandInChild();
  child.stderrTail = () => `Unknown arguments: ${unknown.join(", ")}\nUsage: gemini`;
  setImmediate(() => child.exit({ code: 1, signal: null }));
  return child;
}

function agentWith(children: (() => StandInChild)[], more: Partial<AgentContext> = {}, output: Partial<Output> = {}) {
  const launched: LaunchSpec[] = [];
  const started: StandInChild[] = [];
  const ran: object[] = [];
  const nothing = { stdout: "0.61.0\n", stderr: "", code: 0, signal: null, timedOut: false, truncated: false };
  const processes = {
    launch: (spec: LaunchSpec) => {
      launched.push(spec);
      const child = (children.shift() ?? (() => new Gemini()))();
      started.push(child);
      return Promise.resolve(child);
    },
    run: (spec: object) => {
      ran.push(spec);
      return Promise.resolve({ ...nothing, ...output });
    },
  };
  const home = testFolder();
  const agent = createAgent({
    processes: processes as unknown as Processes,
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact: createRedactor({}),
    ...more,
    env: { HOME: home, REINS_HOME: join(home, "reins"), REINS_GEMINI_COMMAND: process.execPath, ...more.env },
  });
  const open = (options: Partial<OpenOptions> = {}) =>
    agent.open({ sessionId: "s", cwd: testFolder(), mode: "ask", ...options });
  return { agent, open, launched, started, ran, home };
}

const privateFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`reins-gemini-${process.pid}-`));

test("puts policy, model and folders on the command line, keys and instructions elsewhere, and leaves nothing behind", async () => {
  const before = privateFolders();
  const { open, launched, started } = agentWith([]);
  const session = await open({
    mode: "read",
    model: "flash",
    directories: ["/d"],
    systemPrompt: { text: "secret words", how: "replace" },
  });
  const { args, env } = launched[0]!;
  expect(args.slice(0, 2)).toEqual(["--acp", "--admin-policy"]);
  expect(args.slice(3)).toEqual(["--model", "flash", "--include-directories", "/d"]);
  expect(args.join(" ")).not.toContain("secret");
  expect(env["GEMINI_SYSTEM_MD"]).toContain("system.md");
  expect(env["GEMINI_CLI_SYSTEM_DEFAULTS_PATH"]).toContain("defaults-any.json");
  expect(env["GEMINI_CLI_TRUST_WORKSPACE"]).toBeUndefined();
  expect((started[0] as Gemini).asked("session/set_mode")).toMatchObject([{ modeId: "plan" }]);
  await session.close();
  expect(privateFolders()).toEqual(before);
});

test("loads an earlier session, does not trust a project that allows tools, and reports that and missing servers", async () => {
  const cwd = testFolder();
  mkdirSync(join(cwd, ".gemini"));
  writeFileSync(join(cwd, ".gemini", "settings.json"), JSON.stringify({ tools: { allowed: ["x"] } }));
  const { open, launched, started } = agentWith([], { env: { GEMINI_CLI_TRUST_WORKSPACE: "true" } });
  const mcpServers = { files: { command: "files" } };
  const session = await open({ cwd, state: stateOf("5e55"), mcpServers });
  expect((started[0] as Gemini).asked("session/load")).toMatchObject([{ sessionId: "5e55" }]);
  expect(launched[0]!.env["GEMINI_CLI_TRUST_WORKSPACE"]).toBe("false");
  const events: AgentEvent[] = [];
  void (async () => {
    for await (const batch of session.events) events.push(...batch);
  })();
  await session.prompt({ text: "go" });
  await vi.waitFor(() => expect(events.filter(({ type }) => type === "notice")).toHaveLength(2));
  await session.close();
});

test.each([
  ["no ACP", ["acp", "admin-policy", "adminPolicy"]],
  ["no policy from Reins", ["admin-policy", "adminPolicy"]],
])("refuses a program that knows %s, with its version and how to update it", async (_, unknown) => {
  const before = privateFolders();
  const { open } = agentWith([() => old(...unknown)], {}, { stdout: "0.1.5\n" });
  await expect(open()).rejects.toMatchObject({
    code: "version_unsupported",
    message: `Gemini CLI 0.1.5 is older than the oldest version Reins works with (${program.minimalVersion}).`,
    help: expect.stringContaining("npm install"),
  });
  expect(privateFolders()).toEqual(before);
});

test("refuses a program that speaks ACP and reports an older version", async () => {
  const { open } = agentWith([() => new Gemini("0.2.0")]);
  await expect(open()).rejects.toMatchObject({
    code: "version_unsupported",
    message: expect.stringContaining("Gemini CLI 0.2.0 is older"),
  });
});

test("offers management", async () => {
  const printed = "Configured MCP servers:\n\n✓ good: node x.js (stdio) - Connected\n";
  const { agent, ran, started } = agentWith([], {}, { stderr: printed });
  const { manage } = agent;
  expect(await manage.login!()).toMatchObject({ command: process.execPath, args: [] });
  expect(await manage.update!()).toMatchObject({ command: "npm" });
  expect((await manage.about!()).map(({ label }) => label)).toContain("settings");
  expect(await manage.models!()).toMatchObject([
    { id: "auto", label: "Auto", description: "Chooses.", default: true, current: true },
    { id: "gemini-3", label: "Three" },
  ]);
  expect(started[0]!.received.length).toBeGreaterThan(0);
  expect(await manage.mcp!.list!()).toMatchObject([{ name: "good", status: "connected" }]);
  expect(ran).toMatchObject([{ args: ["mcp", "list"], env: { GEMINI_CLI_TRUST_WORKSPACE: "true" } }]);
  expect(Object.keys(manage.instead!)).toEqual(["logout", "mcp.enable", "mcp.disable", "mcp.login"]);
});

test.each([
  [{}, 200, "no_key"],
  [{ GEMINI_API_KEY: "k" }, 200, "works"],
  [{ GEMINI_API_KEY: "k" }, 400, "refused"],
  [{ GEMINI_API_KEY: "k" }, 503, "unreachable"],
  [{ GEMINI_API_KEY: "k" }, undefined, "unreachable"],
])("checks a key %o: %s", async (env, status, outcome) => {
  const asked: string[] = [];
  const fetch = (url: string) => {
    asked.push(url);
    return status === undefined ? Promise.reject(new Error("down")) : Promise.resolve(new Response("{}", { status }));
  };
  const { agent } = agentWith([], { env, fetch: fetch as unknown as typeof globalThis.fetch });
  expect(await agent.manage.verify!()).toMatchObject({ outcome });
  expect(asked.join()).not.toContain("k=");
});

/** Printed by 0.61.0. */
const printed = `Configured MCP servers:

✓ good: /usr/bin/node /opt/mcp-server.ts (stdio) - Connected
✗ bad: /no/such --x y (stdio) - Disconnected
✗ web: http://127.0.0.1:9/mcp (http) - Disconnected
○ off: x  (stdio) - Disabled
`;

test("reads the printed list of servers", () => {
  expect(mcpServersIn(printed, mcpLine)).toMatchObject([
    { name: "good", target: "/usr/bin/node /opt/mcp-server.ts", transport: "stdio", status: "connected" },
    { name: "bad", target: "/no/such --x y", status: "failed" },
    { name: "web", target: "http://127.0.0.1:9/mcp", transport: "http", status: "failed" },
    { name: "off", target: "x", status: "disabled" },
  ]);
  expect(mcpServersIn("No MCP servers configured.\n", mcpLine)).toEqual([]);
});

test("selects Gemini CLI for its model names", () => {
  for (const name of ["gemini-2.5-pro", "pro", "flash", "flash-lite"]) expect(servesModel(name)).toBe(true);
  for (const name of ["opus", "auto", "flashy", "my-gemini-x"]) expect(servesModel(name)).toBe(false);
  expect(ownModel("gemini-flash")).toBe("flash");
  expect(ownModel("gemini-2.5-pro")).toBeUndefined();
});
