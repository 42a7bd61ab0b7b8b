import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import type { RunProgram } from "../shared/program/program.ts";
import { signInOf } from "./program.ts";

/** A program that lists the models of one service, and records whether it was started. */
function program() {
  const asked: string[][] = [];
  const stdout = "provider  model\nmine      small\n";
  const run: RunProgram = async (...args) => {
    asked.push(args);
    return { stdout, stderr: "", code: 0, timedOut: false } as Awaited<ReturnType<RunProgram>>;
  };
  return { run, asked };
}

test("finds a key or a saved sign-in without starting the program", async () => {
  using folder = temporaryFolder();
  const home = join(folder.path, ".pi/agent");
  mkdirSync(home, { recursive: true });
  const { run, asked } = program();
  const env = { HOME: folder.path };
  expect(await signInOf(env, run)).toMatchObject({ signedIn: "no", help: expect.stringContaining("/login") });
  expect(await signInOf({ ...env, GROQ_API_KEY: "made-up" }, run)).toEqual({
    signedIn: "yes",
    signedInHow: "API key (GROQ_API_KEY)",
  });
  const kept = JSON.stringify({ anthropic: { type: "oauth", access: "made-up" } });
  writeFileSync(join(home, "auth.json"), kept);
  writeFileSync(join(home, "models.json"), "{}");
  expect(await signInOf(env, run)).toEqual({ signedIn: "yes", signedInHow: "anthropic (oauth)" });
  expect(await signInOf({ PI_CODING_AGENT_DIR: home }, run)).toMatchObject({ signedInHow: "anthropic (oauth)" });
  expect(await signInOf({ HOME: "/nowhere" }, run)).toMatchObject({ signedIn: "no" });
  expect(asked).toEqual([]);
});

test("asks the program when a service may be configured elsewhere", async () => {
  using folder = temporaryFolder();
  const home = join(folder.path, ".pi/agent");
  mkdirSync(home, { recursive: true });
  const { run, asked } = program();
  const env = { HOME: folder.path };
  const mine = { signedIn: "yes", signedInHow: "mine" };
  expect(await signInOf({ ...env, AWS_PROFILE: "work" }, run)).toEqual(mine);
  expect(await signInOf({ ...env, CLOUDFLARE_API_KEY: "made-up" }, run)).toEqual(mine);
  expect(await signInOf({ PI_CODING_AGENT_DIR: "~/elsewhere" }, run)).toEqual(mine);
  writeFileSync(join(home, "auth.json"), "{");
  expect(await signInOf(env, run)).toEqual(mine);
  writeFileSync(join(home, "auth.json"), "{}");
  expect(await signInOf(env, run)).toMatchObject({ signedIn: "no" });
  writeFileSync(join(home, "models.json"), "{}");
  expect(await signInOf(env, run)).toEqual(mine);
  expect(asked).toEqual(Array.from({ length: 5 }, () => ["--list-models"]));
});
