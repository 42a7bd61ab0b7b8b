import { expect, test } from "vitest";
import type { OpenOptions } from "../contract.ts";
import { argumentsOf, configOf, hiddenVariables, mcpConfigOf, serverEnvironment } from "./launch.ts";
import { environmentOf } from "./program.ts";

const options: OpenOptions = { sessionId: "s", cwd: "/w", mode: "ask" };

test("listens on loopback only, with nothing about the session on its command line", () => {
  expect(argumentsOf(options)).toEqual(["serve", "--hostname", "127.0.0.1", "--port", "0"]);
  const secret = { ...options, systemPrompt: { text: "secret", how: "replace" as const }, extraArgs: ["--print-logs"] };
  expect(argumentsOf(secret)).toEqual(["serve", "--hostname", "127.0.0.1", "--port", "0", "--print-logs"]);
});

test.for(["--pure", "--port=1", "--hostname", "--mdns", "--cors"])("rejects %s", (argument) => {
  expect(() => argumentsOf({ ...options, extraArgs: [argument] })).toThrow(
    expect.objectContaining({ code: "invalid_input", agent: "opencode" }),
  );
});

test("passes only declared variables, and none that would stop tools from being held", () => {
  const env = environmentOf({
    PATH: "/bin",
    ANTHROPIC_API_KEY: "k",
    OPENCODE_DB: "x",
    OTHER_SECRET: "no",
    OPENCODE_PURE: "1",
    OPENCODE_PID: "7",
    OPENCODE_SERVER_PASSWORD: "of-another",
    OPENCODE_EXPERIMENTAL_CODE_MODE: "1",
    OPENCODE_CONFIG_CONTENT: "{}",
  });
  expect(env).toEqual({ PATH: "/bin", ANTHROPIC_API_KEY: "k", OPENCODE_DB: "x", OPENCODE_DISABLE_AUTOUPDATE: "1" });
  expect(environmentOf({}, { MY_VAR: "1" })).toMatchObject({ MY_VAR: "1" });
  expect(() => environmentOf({}, { OPENCODE_PURE: "1" })).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("hides the server's secrets from programs that its tools start", () => {
  const server = serverEnvironment("password", "{}");
  expect(server["OPENCODE_SERVER_PASSWORD"]).toBe("password");
  expect(Object.keys(server)).toEqual(expect.arrayContaining([...hiddenVariables]));
});

test("keeps the user's configuration and adds the plugin last", () => {
  const given = JSON.stringify({
    model: "a/b",
    plugin: ["theirs"],
    agent: { build: { model: "c/d" }, mine: { x: 1 } },
  });
  expect(JSON.parse(configOf(given, { plugin: "/tmp/a b/hold.js" }))).toEqual({
    model: "a/b",
    plugin: ["theirs", "file:///tmp/a%20b/hold.js"],
    agent: { build: { model: "c/d" }, mine: { x: 1 } },
  });
  expect(JSON.parse(configOf(given, { plugin: "/p.js", systemPrompt: "/tmp/s.md" }))).toMatchObject({
    agent: {
      build: { model: "c/d", prompt: "{file:/tmp/s.md}" },
      plan: { prompt: "{file:/tmp/s.md}" },
      mine: { x: 1 },
    },
  });
  expect(JSON.parse(configOf(undefined, { plugin: "/p.js" }))).toEqual({ plugin: ["file:///p.js"] });
});

test.for(["{", "[]", "7"])("rejects a configuration that is %s", (given) => {
  expect(() => configOf(given, { plugin: "/p.js" })).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

test("converts MCP servers to OpenCode's format", () => {
  expect(mcpConfigOf({ command: "node", args: ["x.js"], env: { A: "1" } })).toEqual({
    type: "local",
    command: ["node", "x.js"],
    environment: { A: "1" },
  });
  expect(mcpConfigOf({ type: "http", url: "http://h/mcp", headers: { B: "2" } })).toEqual({
    type: "remote",
    url: "http://h/mcp",
    headers: { B: "2" },
  });
});
