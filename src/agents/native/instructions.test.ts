import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { instructionsFor } from "./instructions.ts";

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), "reins-instructions-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "work"));
  writeFileSync(join(root, "secret.md"), "not the project's");
  return join(root, "work");
}

test("include the folder and the project's instructions, up to a limit", async () => {
  const cwd = folder();
  const bare = await instructionsFor({ options: { cwd, directories: ["/further"] }, mode: "ask" });
  expect(bare).toContain(`Working folder: ${cwd}\nFurther folders: /further`);
  expect(bare).not.toContain("AGENTS.md");
  writeFileSync(join(cwd, "AGENTS.md"), `Use tabs.\n${"ü".repeat(40_000)}`);
  const long = await instructionsFor({ options: { cwd }, mode: "ask" });
  expect(long).toContain("(AGENTS.md):\n\nUse tabs.");
  expect(long.length).toBeLessThan(20_000);
  expect(long).not.toContain("\ufffd");
});

test("ignore a link out of the folder, and a folder of that name", async () => {
  const cwd = folder();
  symlinkSync("../secret.md", join(cwd, "AGENTS.md"));
  expect(await instructionsFor({ options: { cwd }, mode: "ask" })).not.toContain("not the project's");
  rmSync(join(cwd, "AGENTS.md"));
  mkdirSync(join(cwd, "AGENTS.md"));
  expect(await instructionsFor({ options: { cwd }, mode: "ask" })).not.toContain("AGENTS.md");
});

test("put an appended system prompt last, and use a replacing one alone", async () => {
  const cwd = folder();
  writeFileSync(join(cwd, "AGENTS.md"), "Use tabs.");
  const appended = await instructionsFor({
    options: { cwd, systemPrompt: { text: "Be kind.", how: "append" } },
    mode: "ask",
  });
  expect(appended).toMatch(/Use tabs\.\n\nBe kind\.$/);
  const replaced: Parameters<typeof instructionsFor>[0] = {
    options: { cwd, systemPrompt: { text: "Be kind.", how: "replace" } },
    mode: "ask",
  };
  expect(await instructionsFor(replaced)).toBe("Be kind.");
  // A subagent still gets its own instructions.
  expect(await instructionsFor({ ...replaced, subagent: true })).toContain("Your last message is your report");
});

test("mention planning only in plan mode", async () => {
  const cwd = folder();
  expect(await instructionsFor({ options: { cwd }, mode: "plan" })).toContain("propose_plan");
  expect(await instructionsFor({ options: { cwd }, mode: "ask" })).not.toContain("propose_plan");
  expect(await instructionsFor({ options: { cwd }, mode: "plan", subagent: true })).not.toContain("propose_plan");
});
