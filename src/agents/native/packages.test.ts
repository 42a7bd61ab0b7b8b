import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { installedVersion, loaded, missingHelp, packagesFor, versions, probe, type PackageName } from "./program.ts";

test("has the versions of package.json, which are installed", () => {
  const path = new URL("../../../package.json", import.meta.url);
  const { devDependencies } = JSON.parse(readFileSync(path, "utf8")) as { devDependencies: object };
  expect(devDependencies).toMatchObject(versions);
  for (const [name, version] of Object.entries(versions)) expect(installedVersion(name as PackageName)).toBe(version);
});

const without =
  (...missing: PackageName[]) =>
  (name: PackageName) =>
    missing.includes(name) ? undefined : "1.0.0";
const env = { ANTHROPIC_API_KEY: "made-up" };

test("reports a missing package with the command to install it", async () => {
  expect(missingHelp(packagesFor("google"), without())).toBeUndefined();
  expect(missingHelp(packagesFor("google"), without("ai", "@ai-sdk/google"))).toBe(
    `Install what it needs with \`npm install ai@${versions.ai} @ai-sdk/google@${versions["@ai-sdk/google"]}\`, where Reins is installed.`,
  );
  expect(await probe({ env }, without("@ai-sdk/anthropic"))).toMatchObject({
    ready: false,
    signedIn: "yes",
    help: expect.stringContaining("npm install @ai-sdk/anthropic@") as string,
  });
  expect(await probe({ env }, without("ai"))).toMatchObject({ ready: false, installed: false, version: undefined });
  const name = "no-such-package" as PackageName;
  await expect(loaded([name], () => Promise.reject(new Error("It is not asked for.")))).rejects.toMatchObject({
    code: "not_installed",
    help: expect.stringContaining(name) as string,
  });
});

test.each([
  [{}, { ready: false, signedIn: "no", help: expect.stringContaining("ANTHROPIC_API_KEY") as string }],
  [env, { ready: true, signedIn: "yes", signedInHow: "Anthropic (ANTHROPIC_API_KEY)", help: undefined }],
  [
    { REINS_NATIVE_BASE_URL: "http://x/v1" },
    { ready: false, help: expect.stringContaining("REINS_NATIVE_MODEL") as string },
  ],
  [
    { REINS_NATIVE_BASE_URL: "http://x/v1", REINS_NATIVE_MODEL: "m" },
    { ready: true, models: [{ id: "compatible/m" }] },
  ],
  [{ REINS_NATIVE_BASE_URL: "nonsense" }, { ready: false, signedIn: "unknown" }],
  [
    { ...env, REINS_NATIVE_MODEL: "google/x" },
    { ready: false, help: expect.stringContaining("GEMINI_API_KEY") as string },
  ],
])("with %j the probe returns %j", async (given, expected) => {
  const found = await probe({ env: given }, without());
  expect(found).toMatchObject(expected);
  expect(JSON.stringify(found)).not.toContain("made-up");
});
