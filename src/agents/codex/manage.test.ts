import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readMessages } from "../../../test/fixtures/codex/replay.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { Processes } from "../../process/types.ts";
import { record, text } from "../../protocols/json.ts";
import { management, mcpServersIn, modelsIn } from "./manage.ts";
import { signInOf } from "./program.ts";

const status = new URL("../../../test/fixtures/codex/login-status.json", import.meta.url);
const said = record(JSON.parse(readFileSync(status, "utf8")));

test.for([
  [said["none"], {}, { signedIn: "no" }],
  [said["none"], { CODEX_API_KEY: "x" }, { signedIn: "yes", signedInHow: "API key (CODEX_API_KEY)" }],
  [said["key"], { CODEX_API_KEY: "x" }, { signedIn: "yes", signedInHow: "API key" }],
  [said["key"], {}, { signedIn: "yes", signedInHow: "API key" }],
  ["Logged in using ChatGPT\n", {}, { signedIn: "yes", signedInHow: "subscription" }],
  ["Logged in using an API key - sk-***\n", {}, { signedIn: "yes", signedInHow: "API key" }],
  ["Logged in using access token\n", {}, { signedIn: "yes", signedInHow: "access token" }],
  ["", {}, { signedIn: "unknown" }],
] as const)("reads %j with %j as %j", ([words, env, known]) => {
  expect(signInOf(String(words), env)).toMatchObject(known);
});

test("lists the models of the app server", () => {
  const lists = readMessages("app-basic").map(({ result }) => record(result)["data"]);
  const data = lists.find((list) => Array.isArray(list) && text(record(list[0])["displayName"]) !== undefined);
  const models = modelsIn(data, "gpt-5.5");
  expect(models.length).toBeGreaterThan(5);
  expect(models.find((model) => model.default)?.id).toBe("gpt-6.1-sol");
  expect(models.filter((model) => model.current).map(({ id }) => id)).toEqual(["gpt-5.5"]);
  expect(models[0]).toMatchObject({ provider: "openai", thinking: expect.arrayContaining(["high"]) as string[] });
  expect(modelsIn(undefined, undefined)).toEqual([]);
});

test("lists servers without possible secrets", () => {
  const list = [
    {
      name: "files",
      enabled: true,
      disabled_reason: null,
      transport: { type: "stdio", command: "files", args: ["-a"], env: { K: "secret" } },
      auth_status: "unsupported",
    },
    {
      name: "web",
      enabled: true,
      transport: { type: "streamable_http", url: "https://x/mcp?key=secret" },
      auth_status: "not_logged_in",
    },
    { name: "off", enabled: false, disabled_reason: "by policy", transport: {} },
    {},
  ];
  const servers = mcpServersIn(JSON.stringify(list));
  expect(servers).toEqual([
    { name: "files", target: "files -a", transport: "stdio", status: "unknown", detail: "unsupported" },
    { name: "web", target: "https://x/mcp", transport: "http", status: "needs_login", detail: "not logged in" },
    { name: "off", target: undefined, transport: undefined, status: "disabled", detail: "by policy" },
  ]);
  expect(mcpServersIn("no JSON")).toEqual([]);
});

test("gives commands for the user to run", async () => {
  const manage = management({
    processes: {} as Processes,
    env: { REINS_CODEX_COMMAND: "/opt/codex", HOME: "/home/me" },
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact: createRedactor({}),
  });
  expect(await manage.login!()).toMatchObject({
    command: "/opt/codex",
    args: ["login"],
    withoutBrowser: expect.stringContaining("--device-auth"),
  });
  expect(await manage.logout!()).toEqual({ command: "/opt/codex", args: ["logout"] });
  expect(await manage.update!()).toEqual({ command: "/opt/codex", args: ["update"] });
  expect(await manage.mcp!.login!("web")).toEqual({ command: "/opt/codex", args: ["mcp", "login", "web"] });
  expect(await manage.about!()).toContainEqual({ label: "settings", value: "/home/me/.codex/config.toml" });
  expect(Object.keys(manage.instead!)).toEqual(["verify", "mcp.enable", "mcp.disable"]);
});
