import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/processes.ts";
import { addPrompt, loadPrompts } from "./prompt-history.ts";

const lineOf = (prompt: string): string => `${JSON.stringify(prompt)}\n`;

test("prompts come back in their order, without broken lines and without very long ones", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "prompts.jsonl");
  expect(await loadPrompts(file)).toEqual([]);
  await addPrompt(file, "one\nline");
  writeFileSync(file, "not JSON\n{}\n", { flag: "a" });
  await addPrompt(file, "x".repeat(20_001));
  await addPrompt(file, "two");
  expect(await loadPrompts(file)).toEqual(["one\nline", "two"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a file of too many prompts keeps the last ones", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "prompts.jsonl");
  const all = Array.from({ length: 2_001 }, (_, at) => `prompt ${at}`);
  writeFileSync(file, all.map(lineOf).join(""));
  expect(await loadPrompts(file)).toEqual(all.slice(-1_000));
  expect(readFileSync(file, "utf8")).toBe(all.slice(-1_000).map(lineOf).join(""));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(["prompts.jsonl"]);
});

test("a file of too many characters does too, and one that is short enough is left alone", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "prompts.jsonl");
  const long = "x".repeat(15_000);
  writeFileSync(file, Array.from({ length: 300 }, () => lineOf(long)).join(""));
  expect((await loadPrompts(file)).length).toBeGreaterThan(100);
  expect(statSync(file).size).toBeLessThan(2_000_001);
  const before = statSync(file).ino;
  await loadPrompts(file);
  expect(statSync(file).ino).toBe(before);
});
