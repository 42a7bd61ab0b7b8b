import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** Resolves when Qwen Code has saved these words. */
export async function writtenDown(home: string, words: string): Promise<void> {
  const folder = join(home, ".qwen", "projects");
  const isThere = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .some((name) => readFileSync(join(folder, name), "utf8").includes(words));
  await expect.poll(isThere, { timeout: 10_000, interval: 20 }).toBe(true);
}
