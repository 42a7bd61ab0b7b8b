import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchSpec, shellScript, temporaryFolder, testProcesses } from "../../../test/support/processes.ts";
import type { LaunchSpec } from "../types.ts";

test("explains why a program cannot be started and leaves nothing in the ledger", async () => {
  using folder = temporaryFolder();
  const { path: cwd } = folder;
  const processes = testProcesses(join(cwd, "home"));
  mkdirSync(join(cwd, "locked"), { mode: 0o600 });
  writeFileSync(join(cwd, "plain"), "#!/bin/sh\n");
  writeFileSync(join(cwd, "lost"), "#!/no/such/interpreter\n", { mode: 0o755 });
  const good = shellScript(cwd, "good", "true");
  const fails = async (spec: Partial<LaunchSpec>, code: string, message: string | RegExp): Promise<void> => {
    await expect(processes.launch(launchSpec({ command: good, cwd, ...spec }))).rejects.toMatchObject({
      code,
      agent: "test",
      message: expect.stringMatching(message) as unknown,
    });
  };
  await fails(
    { command: "reins-no-such-program" },
    "not_installed",
    'The program "reins-no-such-program" was not found on PATH.',
  );
  await fails({ command: join(cwd, "nothing") }, "not_installed", /was not found\.$/);
  await fails({ command: "" }, "not_installed", "was not found");
  await fails({ command: join(cwd, "plain") }, "not_installed", /plain is not executable\.$/);
  await fails({ command: join(cwd, "lost") }, "not_installed", "interpreter");
  await fails({ cwd: join(cwd, "missing") }, "invalid_input", /^The folder .*missing does not exist\.$/);
  await fails({ cwd: join(cwd, "plain") }, "invalid_input", /plain is not a folder\.$/);
  if (process.getuid?.() !== 0) await fails({ cwd: join(cwd, "locked") }, "invalid_input", "cannot be accessed");
  await fails({ args: ["a\0b"] }, "invalid_input", "null character");
  await fails({ args: ["x".repeat(3_000_000)] }, "invalid_input", "too long");
  const [ledger = ""] = readdirSync(join(cwd, "home", "run"));
  const lines = readFileSync(join(cwd, "home", "run", ledger), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { gone?: boolean });
  expect(lines.filter((line) => line.gone)).toHaveLength((lines.length - 1) / 2);
  await processes.close();
});
