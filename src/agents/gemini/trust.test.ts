import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { allowedByProject, defaultsFor, defaultsVariable, isTrusted } from "./launch.ts";
import { signInOf } from "./program.ts";

function homeWith(files: Readonly<Record<string, unknown>> = {}): string {
  const home = testFolder();
  mkdirSync(join(home, ".gemini"));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(home, ".gemini", name), typeof content === "string" ? content : JSON.stringify(content));
  return home;
}

test.each([
  [{ GEMINI_CLI_TRUST_WORKSPACE: "true" }, {}, true],
  [{ GEMINI_CLI_TRUST_WORKSPACE: "false" }, { "/": "TRUST_FOLDER" }, false],
  [{ GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_RESTRICTED_MODE: "true" }, {}, false],
  [{}, {}, false],
  [{}, { "/w": "TRUST_FOLDER" }, true],
  [{}, { "/w/app": "TRUST_FOLDER" }, true],
  [{}, { "/w/app/sub": "TRUST_FOLDER" }, false],
  [{}, { "/w/other": "TRUST_PARENT" }, true],
  [{}, { "/w": "TRUST_FOLDER", "/w/app": "DO_NOT_TRUST" }, false],
  [{}, { "/w/ap": "TRUST_FOLDER" }, false],
])("decides trust for %o %o", async (env, folders, trusted) => {
  const HOME = homeWith({ "trustedFolders.json": folders });
  expect(await isTrusted("/w/app", { HOME, ...env })).toBe(trusted);
});

test("can be switched off, and a broken file trusts nothing", async () => {
  const settings = { security: { folderTrust: { enabled: false } } };
  expect(await isTrusted("/w", { HOME: homeWith({ "settings.json": settings }) })).toBe(true);
  expect(await isTrusted("/w", { HOME: homeWith({ "trustedFolders.json": "{" }) })).toBe(false);
});

test.each([
  [undefined, []],
  [{ mcpServers: { a: { command: "x" } }, tools: { exclude: ["x"] } }, []],
  [{ tools: { allowed: [] } }, ["tools.allowed"]],
  [{ tools: { core: ["run_shell_command"] }, mcp: { allowed: ["*"] } }, ["tools.core", "mcp.allowed"]],
  [{ policyPaths: ["x"], adminPolicyPaths: ["y"] }, ["policyPaths", "adminPolicyPaths"]],
  [{ mcpServers: { a: { command: "x", trust: true } } }, ["mcpServers.trust"]],
  ['{ // "tools"\n "tools": { "allowed": [] } }', ["a file with comments or mistakes"]],
  ["[]", ["a file with comments or mistakes"]],
])("reads a project's settings: %o", async (settings, found) => {
  expect(await allowedByProject(homeWith(settings === undefined ? {} : { "settings.json": settings }))).toEqual(found);
});

test("puts Reins's defaults below a user's, an administrator's and any existing ones", async () => {
  const home = testFolder();
  const nowhere = join(home, "none.json");
  const env = { GEMINI_API_KEY: "k" };
  const { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: path } = await defaultsVariable(env, home, nowhere);
  expect(path).toBe(join(home, "gemini", "defaults-gemini-api-key.json"));
  expect(defaultsFor(env)).toMatchObject({
    general: { maxAttempts: 1 },
    security: { auth: { selectedType: "gemini-api-key" } },
  });
  expect(await defaultsVariable(env, home, nowhere)).toEqual({ GEMINI_CLI_SYSTEM_DEFAULTS_PATH: path });
  expect(await defaultsVariable({ GEMINI_CLI_SYSTEM_DEFAULTS_PATH: "/x" }, home, nowhere)).toEqual({});
  writeFileSync(nowhere, "{}");
  expect(await defaultsVariable(env, home, nowhere)).toEqual({});
  expect(await defaultsVariable(env, nowhere, join(home, "other.json"))).toEqual({});
});

test.each([
  [{}, {}, { signedIn: "no", help: "Run `gemini` and sign in there, or set GEMINI_API_KEY." }],
  [{ GEMINI_API_KEY: "k" }, {}, { signedIn: "yes", signedInHow: "API key (GEMINI_API_KEY)" }],
  [{ GOOGLE_GENAI_USE_VERTEXAI: "true", GOOGLE_API_KEY: "k" }, {}, { signedInHow: "Vertex AI (GOOGLE_API_KEY)" }],
  [{ GOOGLE_GENAI_USE_GCA: "true" }, {}, { signedIn: "unknown", signedInHow: "Google account" }],
  [{}, { "oauth_creds.json": "secret", "settings.json": selecting("oauth-personal") }, { signedIn: "yes" }],
  [{}, { "settings.json": selecting("gemini-api-key") }, { signedIn: "unknown", signedInHow: "API key" }],
  [{}, { "settings.json": selecting("gateway") }, { signedIn: "unknown", signedInHow: "gateway" }],
])("reports the sign-in with %o and %o", async (env, files, expected) => {
  expect(await signInOf({ HOME: homeWith(files), ...env })).toMatchObject(expected);
});

function selecting(selectedType: string): object {
  return { security: { auth: { selectedType } } };
}
