import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { decodeState, encodeState, signIn } from "./program.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "reins-test-"));
  await mkdir(join(home, ".qwen"));
});
afterEach(() => rm(home, { recursive: true }));

const settings = (value: unknown) => writeFile(join(home, ".qwen", "settings.json"), JSON.stringify(value));

test("names variables that are sufficient together", async () => {
  const env = { HOME: home, OPENAI_API_KEY: "sk-hush", OPENAI_BASE_URL: "http://x/v1", OPENAI_MODEL: "m" };
  const found = await signIn(env);
  expect(found).toEqual({ signedIn: "yes", signedInHow: "API key (OPENAI_API_KEY)" });
  expect(await signIn({ ...env, OPENAI_MODEL: "" })).toMatchObject({ signedIn: "no", help: expect.any(String) });
});

test("reads the sign-in that its settings choose", async () => {
  await settings({ security: { auth: { selectedType: "openai" } } });
  expect(await signIn({ HOME: home })).toEqual({ signedIn: "yes", signedInHow: "its settings (openai)" });
  expect(await signIn({ HOME: "/nowhere", QWEN_HOME: join(home, ".qwen") })).toMatchObject({ signedIn: "yes" });
  // The free sign-in was discontinued.
  await settings({ security: { auth: { selectedType: "qwen-oauth" } } });
  expect(await signIn({ HOME: home })).toMatchObject({ signedIn: "no" });
  await writeFile(join(home, ".qwen", "settings.json"), "{");
  expect(await signIn({ HOME: home })).toMatchObject({ signedIn: "no" });
});

test("reports an unknown sign-in when keys may be in files that Reins does not read", async () => {
  await writeFile(join(home, ".env"), "OPENAI_API_KEY=x");
  expect(await signIn({ HOME: home })).toEqual({ signedIn: "unknown" });
});

const id = "11111111-2222-4333-8444-555555555555";

test("restores the conversation from a state, and rejects states of other agents", () => {
  expect(encodeState(id)).toBe(`qwen:1:${id}`);
  expect(decodeState(encodeState(id))).toBe(id);
  for (const state of ["", `claude:1:${id}`, "qwen:1:--yolo", `qwen:2:${id}`])
    expect(() => decodeState(state)).toThrow(expect.objectContaining({ code: "session_not_found" }));
});
