import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readRecordings } from "./recordings.ts";

vi.mock("node:timers/promises", () => ({ setTimeout: () => Promise.reject(new Error("It waited.")) }));

test("reads a recording without an exit record and does not wait for one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-recordings-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "01.ndjson"), '{"t":0,"dir":"out","text":"{cwd}/a"}\n');
  await expect(readRecordings(folder, { cwd: "/w" })).resolves.toMatchObject([
    { entries: [{ dir: "out", text: "/w/a" }], meta: undefined },
  ]);
});
