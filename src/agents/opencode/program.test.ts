import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { signInOf } from "./program.ts";

const kept = (service: string) => JSON.stringify({ [service]: { type: "oauth", access: "made-up" } });

test("names services from its own file and keys from variables", async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, ".local/share/opencode");
  mkdirSync(data, { recursive: true });
  writeFileSync(join(data, "auth.json"), kept("anthropic"));
  const env = { HOME: folder.path };
  expect(await signInOf(env)).toEqual({ signedIn: "yes", signedInHow: "anthropic (oauth)" });
  expect(await signInOf({ ...env, OPENAI_API_KEY: "made-up" })).toEqual({
    signedIn: "yes",
    signedInHow: "anthropic (oauth), API key (OPENAI_API_KEY)",
  });
  expect(await signInOf({ ...env, XDG_DATA_HOME: "/nowhere" })).toEqual({ signedIn: "unknown" });
  expect(await signInOf({ HOME: "/nowhere", XDG_DATA_HOME: join(folder.path, ".local/share") })).toMatchObject({
    signedInHow: "anthropic (oauth)",
  });
  expect(await signInOf({ ...env, OPENCODE_AUTH_CONTENT: kept("openai") })).toMatchObject({
    signedInHow: "openai (oauth)",
  });
  // Content that cannot be parsed is ignored, and the file is used.
  expect(await signInOf({ ...env, OPENCODE_AUTH_CONTENT: "{" })).toMatchObject({ signedInHow: "anthropic (oauth)" });
  writeFileSync(join(data, "auth.json"), "{}");
  expect(await signInOf(env)).toEqual({ signedIn: "unknown" });
});

test("reports an unknown sign-in without evidence", async () => {
  const env = { HOME: "/nowhere" };
  expect(await signInOf(env)).toEqual({ signedIn: "unknown" });
  expect(await signInOf({ ...env, OPENAI_API_KEY: "" })).toEqual({ signedIn: "unknown" });
  // The key of a service whose address is not known.
  expect(await signInOf({ ...env, AZURE_API_KEY: "made-up" })).toEqual({ signedIn: "unknown" });
  expect(await signInOf({ ...env, AZURE_API_KEY: "made-up", AZURE_RESOURCE_NAME: "x" })).toMatchObject({
    signedInHow: "API key (AZURE_API_KEY)",
  });
});
