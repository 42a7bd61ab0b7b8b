import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { agentContext } from "../../../test/support/stand-in-program.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import { createProcesses } from "../../process/index.ts";
import type { Processes } from "../../process/types.ts";
import { management, mcpServersIn, mcpToolsIn, modelsIn } from "./manage.ts";
import { probe, requireCursor } from "./program.ts";

const printed = `Available models

auto - Auto (default)
made-up-5.1-low - Made\u200B Up  5.1 Low
made-up-5.1-max-fast - Made Up 5.1 (Max) Fast  (current)
other_1 - Other (current, default)
bare - 

Tip: use --model <id> (or /model <id> in interactive mode) to switch. Parameterized models also accept quoted overrides.
`;

test("reads the list of models without header, tip and marks", () => {
  expect(modelsIn(printed)).toEqual([
    { id: "auto", label: "Auto", default: true },
    { id: "made-up-5.1-low", label: "Made Up 5.1 Low" },
    { id: "made-up-5.1-max-fast", label: "Made Up 5.1 (Max) Fast", current: true },
    { id: "other_1", label: "Other", default: true, current: true },
  ]);
});

test("ignores colours and CRLF", () => {
  expect(modelsIn("\u001b[1mauto\u001b[0m - Auto \u001b[2m(default)\u001b[0m\r\n")).toEqual([
    { id: "auto", label: "Auto", default: true },
  ]);
});

test("accepts any output", () => {
  fc.assert(fc.property(fc.string(), (said) => modelsIn(said).every(({ id }) => id !== "")));
  expect(modelsIn("Error: nothing here")).toEqual([]);
});

test.for([
  ["files: ready", { name: "files", status: "connected" }],
  ["files: not loaded (needs approval)", { name: "files", status: "disabled", detail: "not loaded (needs approval)" }],
  ["files: disabled", { name: "files", status: "disabled", detail: "disabled" }],
  ["web: requires_authentication", { name: "web", status: "needs_login", detail: "requires_authentication" }],
  ["web: Error: Connection failed", { name: "web", status: "failed", detail: "Connection failed" }],
  ["odd: name: not loaded (needs approval)", { name: "odd: name", status: "disabled" }],
  ["\u001b[33m○ files: loading\u001b[0m", { name: "files", status: "unknown", detail: "loading" }],
  ["files: resting", { name: "files", status: "unknown", detail: "resting" }],
] as const)("reads %j as a server", ([line, server]) => {
  expect(mcpServersIn(`Loading MCPs...\n${line}\n`)).toMatchObject([server]);
});

test.for([
  "No MCP servers configured (expected in .cursor/mcp.json or ~/.cursor/mcp.json)\n",
  "Tip: run something else\n",
  ": ready",
  "",
])("finds no server in %j", (said) => {
  expect(mcpServersIn(said)).toEqual([]);
});

test("reads tools with their parameters", () => {
  const printed = "Tools for files (3):\n- look ()\n- copy (from, to)\n- odd\n";
  expect(mcpToolsIn(printed)).toEqual([
    { name: "look", parameters: [] },
    { name: "copy", parameters: ["from", "to"] },
    { name: "odd", parameters: [] },
  ]);
});

test("accepts any output", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(":", " ", "a", "ready", "\n", "- ", "(", ")", "Error")), (words) => {
      const said = words.join("");
      expect(mcpServersIn(said).every(({ name }) => name !== "")).toBe(true);
      expect(mcpToolsIn(said).every(({ name }) => name !== "")).toBe(true);
    }),
  );
});

let home: string;
let processes: Processes;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "cursor-manage-"));
  const redact = createRedactor({});
  const deadlines = { ...defaultDeadlines, term: 100 };
  processes = createProcesses({ env: {}, home, guardian: false, deadlines, limits: defaultLimits, redact });
});

afterEach(async () => {
  await processes.close();
  rmSync(home, { recursive: true, force: true });
});

/** A program of that name that prints these texts for its arguments. */
function program(name: string, cases: Readonly<Record<string, string>>, folder = "bin"): string {
  const path = join(home, folder, name);
  mkdirSync(join(home, folder), { recursive: true });
  const branches = Object.entries(cases).map(([words, does]) => `${JSON.stringify(words)}) ${does};;`);
  const script = `#!/bin/sh\ncase "$*" in\n${branches.join("\n")}\n*) echo "unknown: $*" >&2; exit 9;;\nesac\n`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

const version = "echo 2026.10.01-e373342";
const context = (env: Record<string, string> = {}) =>
  agentContext({
    processes,
    env: { PATH: `${join(home, "bin")}:${join(home, "later")}:/usr/bin:/bin`, HOME: home, ...env },
  });

test("skips another program called agent and finds the right one further on", async () => {
  const stranger = program("agent", { "--version": "echo grok-build 0.4.1" });
  await expect(requireCursor(context())).rejects.toMatchObject({
    code: "not_installed",
    message: expect.stringContaining(`${stranger} is something else`),
  });
  expect(await probe(context())).toMatchObject({
    ready: false,
    installed: false,
    help: expect.stringContaining("install"),
  });
  const own = program("agent", { "--version": version, "status --format json": "echo Not logged in" }, "later");
  expect(await requireCursor(context())).toEqual({ path: own, args: [] });
  expect(await probe(context())).toMatchObject({
    path: own,
    version: "2026.10.01-e373342",
    ready: false,
    signedIn: "no",
  });
});

test("does not call a program another one when it is too slow to print its version", async () => {
  const path = program("agent", { "--version": "exec sleep 60" });
  const hurried = { ...context(), deadlines: { ...defaultDeadlines, probe: 50 } };
  await expect(requireCursor(hurried)).rejects.toMatchObject({
    message: expect.stringContaining(`${path} did not report its version in time`),
  });
});

test("gives no key to an unknown program, and caches its answer until the program changes", async () => {
  const asked = join(home, "asked");
  program("agent", { "--version": `printenv CURSOR_API_KEY >> ${asked}; echo x >> ${asked}` });
  const env = { CURSOR_API_KEY: "made-up" };
  await expect(requireCursor(context(env))).rejects.toMatchObject({ code: "not_installed" });
  await expect(requireCursor(context(env))).rejects.toMatchObject({ code: "not_installed" });
  expect(readFileSync(asked, "utf8")).toBe("x\n");
  program("agent", { "--version": `${version}; exit 0` });
  expect(await requireCursor(context(env))).toMatchObject({ path: join(home, "bin", "agent") });
});

test("does not start a program in its installer's folder to identify it", async () => {
  const there = program("cursor-agent", {}, "share/cursor-agent/versions/2026.10.01-e373342");
  mkdirSync(join(home, "bin"));
  symlinkSync(there, join(home, "bin", "agent"));
  expect(await requireCursor(context())).toMatchObject({ path: join(home, "bin", "agent") });
});

test("trusts a program that the user names", async () => {
  expect(await requireCursor(context({ REINS_CURSOR_COMMAND: '["node","/x.js"]' }))).toEqual({
    path: "node",
    args: ["/x.js"],
  });
  const bad = await probe(context({ REINS_CURSOR_COMMAND: "[" }));
  expect(bad).toMatchObject({ ready: false, help: expect.stringContaining("REINS_CURSOR_COMMAND") });
});

test("counts a key in the environment as signed in", async () => {
  program("cursor-agent", { "--version": version });
  expect(await probe(context({ CURSOR_API_KEY: "made-up" }))).toMatchObject({
    ready: true,
    signedInHow: "API key (CURSOR_API_KEY)",
  });
});

test("names the found program in commands for the user", async () => {
  const path = program("agent", { "--version": version });
  const manage = management(context());
  expect(await manage.login?.()).toMatchObject({ command: path, args: ["login"], withoutBrowser: expect.any(String) });
  expect(await manage.logout?.()).toEqual({ command: path, args: ["logout"] });
  expect(await manage.update?.()).toEqual({ command: path, args: ["update"] });
  expect(await manage.mcp?.login?.("web")).toEqual({ command: path, args: ["mcp", "login", "web"] });
  expect(() => manage.mcp?.login?.("--force")).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("lists its models, and says what to do when not signed in", async () => {
  program("cursor-agent", {
    "--version": version,
    models: "echo 'Available models'; echo; echo 'auto - Auto (default)'",
  });
  expect(await management(context()).models?.()).toEqual([{ id: "auto", label: "Auto", default: true }]);
  const refusal = "Error: Authentication required. Run 'agent login'.";
  program("cursor-agent", { "--version": version, models: `echo "${refusal}" >&2; exit 1` });
  await expect(management(context()).models?.()).rejects.toMatchObject({
    code: "not_authenticated",
    help: expect.stringContaining("reins login cursor"),
  });
});

test("reports known facts and those the program adds", async () => {
  program("cursor-agent", { "--version": version });
  const labels = async () => (await management(context()).about?.())?.map(({ label }) => label);
  expect(await labels()).toEqual(["protocol", "settings", "sessions"]);
  program("cursor-agent", { "--version": version, "about --format json": `echo '{"subscriptionTier":"Pro"}'` });
  expect(await labels()).toEqual(["protocol", "settings", "sessions", "plan"]);
});

test("lists and enables MCP servers in their folder", async () => {
  const cwd = join(home, "project");
  mkdirSync(cwd);
  program("cursor-agent", {
    "--version": version,
    "mcp list": 'echo "$(basename "$PWD"): ready"',
    "mcp list-tools web": "printf 'Tools for web (1):\\n- look (where)\\n'",
    "mcp list-tools shy": "echo 'Failed to list tools: it has not been approved'",
    "mcp enable web": "touch enabled",
    "mcp disable gone": 'echo "gone not found in configuration"',
  });
  const { mcp } = management(context());
  expect(await mcp?.list?.({ cwd })).toEqual([{ name: "project", status: "connected" }]);
  expect(await mcp?.tools?.("web", { cwd })).toEqual([{ name: "look", parameters: ["where"] }]);
  await expect(mcp?.tools?.("shy", { cwd })).rejects.toMatchObject({ message: expect.stringContaining("approved") });
  await mcp?.enable?.("web", { cwd });
  expect(existsSync(join(cwd, "enabled"))).toBe(true);
  await expect(mcp?.disable?.("gone", { cwd })).rejects.toMatchObject({ code: "invalid_input" });
});

test("creates an empty conversation and ends a program that does not exit", async () => {
  const id = "7d0b1c0e-5a52-4c8e-9d1e-0d6f2f3a4b5c";
  program("cursor-agent", { "--version": version, "create-chat": `echo ${id}; exec sleep 600` });
  expect(await management(context()).createConversation?.({ cwd: home })).toBe(`cursor:1:empty:${id}`);
  program("cursor-agent", { "--version": version, "create-chat": "echo 'Error: Not logged in' >&2; exit 1" });
  await expect(management(context()).createConversation?.()).rejects.toMatchObject({ code: "not_authenticated" });
  program("cursor-agent", { "--version": version, "create-chat": "echo no id" });
  await expect(management(context()).createConversation?.()).rejects.toMatchObject({ code: "protocol_error" });
});
