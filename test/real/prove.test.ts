/** The engine of `reins doctor --prove`, with an installed agent and with one that breaks its declaration. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { contract } from "../../src/testing/contract/index.ts";
import { proofOf } from "../../src/testing/proofs.ts";
import { prove } from "../../src/testing/prove/index.ts";
import { programOf } from "./support/program.ts";

const scenarios = contract.filter(({ id }) => ["text", "deltas", "permission-denied", "history"].includes(id));

test("proves the capabilities that hold, in an empty home and without network", async () => {
  const proof = await proofOf("claude");
  const env = { PATH: process.env["PATH"], HOME: "/nowhere", REINS_CLAUDE_COMMAND: programOf(proof) };
  const progress: number[] = [];
  const report = await prove("claude", { env, scenarios, onProgress: ({ done }) => progress.push(done) });
  expect(report).toMatchObject({ agent: "claude", network: "cut", version: proof.install!.version, drift: [] });
  expect(report.results.map(({ state }) => state)).toEqual(["proven", "proven", "proven", "not_declared"]);
  expect(progress).toEqual([1, 2, 3, 4]);
});

test("names the capability when a program does not stream deltas", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reins-broken-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "claude");
  const program = programOf(await proofOf("claude"));
  const script = `#!${process.execPath}
const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");
const child = spawn(${JSON.stringify(program)}, process.argv.slice(2), { stdio: ["inherit", "pipe", "inherit"] });
createInterface({ input: child.stdout }).on("line", (line) => {
  if (!line.includes('"content_block_delta"')) process.stdout.write(line + "\\n");
});
child.on("exit", (code) => process.exit(code ?? 1));
`;
  writeFileSync(file, script, { mode: 0o755 });
  const report = await prove("claude", { env: { PATH: `${folder}:${process.env["PATH"]}` }, scenarios });
  expect(report.path).toBe(file);
  expect(report.drift.map(({ capability }) => capability)).toEqual(["deltas"]);
});

test("reports a missing agent as missing", async () => {
  await expect(prove("claude", { env: { PATH: "/nowhere" } })).rejects.toMatchObject({ code: "not_installed" });
});
