import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** Resolves when Claude Code has these words on disk: it writes a conversation down a tenth of a second late. */
export async function writtenDown(home: string, words: string): Promise<void> {
  const folder = join(home, ".claude", "projects");
  const isThere = () =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .some((name) => readFileSync(join(folder, name), "utf8").includes(words));
  await expect.poll(isThere, { timeout: 10_000, interval: 20 }).toBe(true);
}
