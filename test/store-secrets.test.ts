/** A secret of the environment is in no byte of the store. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createReins } from "../src/core/reins.ts";
import { testStore } from "./support/store.ts";

const canary = "Canary-5fd2c0ffee91a7b3";

test("the store does not contain the secret", async () => {
  const { store, folder } = testStore();
  const cwd = join(folder, "work");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "secret.txt"), `key=${canary}\n${"x".repeat(60_000)}${canary}`);
  const env = { PATH: process.env["PATH"], HOME: folder, REINS_HOME: folder, SOME_API_KEY: canary };
  {
    await using reins = createReins({ env, store, guardian: false });
    const session = await reins.session({ agent: "demo", cwd, mode: "full", raw: true });
    const prompts = [
      `say ${canary}; think ${canary}; read secret.txt; run cat secret.txt`,
      `write ${canary}.txt ${canary}; run ${canary}; fail ${canary}`,
      `say ${"y".repeat(60_000)}${canary}`,
    ];
    for (const prompt of prompts) await session.prompt(prompt).result;
    await reins.sessions.rename(session.id, `about ${canary}`);
    expect(await reins.sessions.search("redacted")).not.toEqual([]);
  }
  const blobs = join(folder, "blobs");
  const kept = ["reins.db", "reins.db-wal"].map((name) => join(folder, name));
  for (const name of readdirSync(blobs)) {
    for (const rest of readdirSync(join(blobs, name))) kept.push(join(blobs, name, rest));
  }
  expect(kept.length).toBeGreaterThan(2);
  expect(kept.filter((path) => readFileSync(path).includes(canary.slice(0, -4)))).toEqual([]);
});
