/** `reins doctor --prove` with a real program, and with one behind a wrapper that breaks a capability. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { proofOf } from "../../src/testing/index.ts";
import type { ProveReport } from "../../src/testing/prove/index.ts";
import { programOf } from "./support/program.ts";
import { createWorkspace } from "./support/workspace.ts";

// Each test runs several scenarios with cold starts of the program.
vi.setConfig({ testTimeout: 180_000 });
const bin = fileURLToPath(new URL("../../bin/reins.js", import.meta.url));
const program = programOf(await proofOf("claude"));

async function proveResume(command: string) {
  const workspace = createWorkspace();
  onTestFinished(() => workspace[Symbol.dispose]());
  const args = [bin, "doctor", "--prove", "claude", "--only", "resume"];
  const env = { ...workspace.env, REINS_CLAUDE_COMMAND: command };
  const run = (...more: string[]) =>
    promisify(execFile)(process.execPath, [...args, ...more], { env, cwd: workspace.cwd }).then(
      ({ stdout }) => ({ code: 0, stdout }),
      (error: unknown) => error as { code: number; stdout: string },
    );
  return run;
}

test("proves the capabilities that hold, without network", async () => {
  const { code, stdout } = await (await proveResume(program))("--json");
  const report = JSON.parse(stdout) as ProveReport;
  expect(report).toMatchObject({ agent: "claude", network: "cut", drift: [] });
  expect(report.results.some(({ state }) => state === "proven")).toBe(true);
  expect(code).toBe(0);
});

test("names a capability that a wrapper breaks", async () => {
  const workspace = createWorkspace();
  onTestFinished(() => workspace[Symbol.dispose]());
  const wrapper = join(workspace.home, "forgetful");
  // The wrapper never resumes an earlier conversation.
  const script = `#!${process.execPath}
const args = process.argv.slice(2).flatMap((arg, at, all) => (arg === "--resume" || all[at - 1] === "--resume" ? [] : [arg]));
const child = require("node:child_process").spawn(${JSON.stringify(program)}, args, { stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));
`;
  writeFileSync(wrapper, script, { mode: 0o755 });
  const { code, stdout } = await (await proveResume(wrapper))();
  expect(stdout).toMatch(/^resumes in a new process +✘/m);
  expect(stdout).toMatch(/^✘ claude .*\(declared: .*resume.*\)\n {2}\S/m);
  expect(code).toBe(1);
});
