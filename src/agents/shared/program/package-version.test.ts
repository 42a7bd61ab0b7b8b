import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/processes.ts";
import { packageVersion } from "./program.ts";

test("reads the version of a program that npm linked from its package, and of no other program", async () => {
  using folder = temporaryFolder();
  const home = join(folder.path, "node_modules", "@some", "agent");
  mkdirSync(join(home, "bin"), { recursive: true });
  mkdirSync(join(folder.path, "bin"));
  writeFileSync(join(home, "package.json"), JSON.stringify({ name: "@some/agent", version: "1.2.3" }));
  writeFileSync(join(home, "bin", "agent.js"), "");
  const link = join(folder.path, "bin", "agent");
  symlinkSync(join(home, "bin", "agent.js"), link);
  expect(await packageVersion(link, "@some/agent")).toBe("1.2.3");
  expect(await packageVersion(link, "@another/agent")).toBeUndefined();
  writeFileSync(join(home, "package.json"), "{");
  expect(await packageVersion(link, "@some/agent")).toBeUndefined();
  expect(await packageVersion("/nowhere/agent", "@some/agent")).toBeUndefined();
});
