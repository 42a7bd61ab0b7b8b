import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  allLines,
  launchSpec,
  shellScript,
  temporaryFolder,
  testProcesses,
  until,
} from "../../../test/support/processes.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { Child, LaunchSpec } from "../types.ts";

/** Starts a script in a folder of its own; closes and removes everything after the test. */
async function withScript(
  body: string,
  use: (child: Child, folder: string) => Promise<void>,
  spec: Partial<LaunchSpec> = {},
): Promise<void> {
  using folder = temporaryFolder();
  const processes = testProcesses(folder.path);
  try {
    const command = shellScript(folder.path, "agent", body);
    await use(await processes.launch(launchSpec({ command, cwd: folder.path, ...spec })), folder.path);
  } finally {
    await processes.close();
  }
}

test("passes stdin, lines, stderr and the exit code", async () => {
  await withScript(
    `echo warning >&2; read -r line; echo "got $line in $(pwd)"; printf 'no newline'; exit 3`,
    async (child, folder) => {
      await child.write("hello\n");
      expect(await allLines(child.lines)).toEqual([`got hello in ${folder}`, "no newline"]);
      expect(await child.exited).toEqual({ code: 3, signal: null });
      expect(child.stderrTail()).toBe("warning\n");
    },
    { stdin: "pipe" },
  );
});

test("passes arguments unchanged, without a shell", async () => {
  const args = ["$HOME", "a b", "; echo no", "-x", "", "ü'\"\\"];
  await withScript(
    `for arg in "$@"; do echo "<$arg>"; done`,
    async (child) => {
      expect(await allLines(child.lines)).toEqual(args.map((arg) => `<${arg}>`));
    },
    { args },
  );
});

test("passes only the given environment and the marks", async () => {
  await withScript(
    "env",
    async (child) => {
      const names = (await allLines(child.lines)).map((line) => line.split("=")[0]);
      expect(new Set(names)).toEqual(
        new Set([
          "PATH",
          "ONLY",
          "REINS_RUN",
          "REINS_CHILD",
          "PWD",
          ...names.filter((name) => name === "_" || name === "SHLVL" || name === "OLDPWD"),
        ]),
      );
    },
    { env: { PATH: process.env["PATH"] ?? "", ONLY: "this" } },
  );
});

test("gives the child an empty stdin with `ignore`", async () => {
  await withScript("cat; echo done", async (child) => {
    await child.write("nobody hears this");
    child.closeStdin();
    expect(await allLines(child.lines)).toEqual(["done"]);
  });
});

test("does not fail a write when the child has closed its stdin or exited", async () => {
  await withScript(
    "exec 0<&-; echo closed; exec cat /dev/zero >/dev/null",
    async (child) => {
      for await (const batch of child.lines) if (batch.lines.length > 0) break;
      await child.write("x".repeat(1_000_000));
      await child.stop();
      await child.write("after the end");
    },
    { stdin: "pipe" },
  );
});

test("passes ten megabytes through stdin", async () => {
  await withScript(
    "wc -c",
    async (child) => {
      await child.write("x".repeat(10_000_000));
      child.closeStdin();
      expect(await allLines(child.lines)).toEqual(["10000000"]);
    },
    { stdin: "pipe" },
  );
});

test("pauses the child while nobody reads, and keeps the rest after its exit", async () => {
  await withScript(
    `i=0; while [ $i -lt 3000 ]; do echo "line $i ${"x".repeat(200)}"; i=$((i+1)); done; touch finished`,
    async (child, folder) => {
      const lines = child.lines[Symbol.asyncIterator]();
      const first = await lines.next();
      let count = first.done ? 0 : first.value.lines.length;
      expect(existsSync(join(folder, "finished"))).toBe(false);
      for (let next = await lines.next(); !next.done; next = await lines.next()) count += next.value.lines.length;
      expect(count).toBe(3000);
    },
  );
});

test("counts a line over the limit", async () => {
  using folder = temporaryFolder();
  const processes = testProcesses(folder.path, { limits: { ...defaultLimits, lineBytes: 1000 } });
  const command = shellScript(folder.path, "agent", "echo before; head -c 500000 /dev/zero; echo; echo after");
  const child = await processes.launch(launchSpec({ command, cwd: folder.path }));
  let overlong = 0;
  const lines: string[] = [];
  for await (const batch of child.lines) {
    lines.push(...batch.lines);
    overlong += batch.overlong;
  }
  expect([lines, overlong]).toEqual([["before", "after"], 1]);
  await processes.close();
});

test("drains any amount of stderr and redacts it", async () => {
  using folder = temporaryFolder();
  const redact = createRedactor({ ACME_API_KEY: "acme-secret-value-1234" });
  const processes = testProcesses(folder.path, { redact });
  const command = shellScript(
    folder.path,
    "agent",
    "head -c 3000000 /dev/zero | tr '\\0' e >&2; echo 'bad key acme-secret-value-1234' >&2",
  );
  const child = await processes.launch(launchSpec({ command, cwd: folder.path }));
  await child.exited;
  const tail = child.stderrTail();
  expect(tail).toMatch(/^e+bad key /);
  expect(tail).not.toContain("acme-secret");
  expect(tail.length).toBeLessThanOrEqual(defaultLimits.stderrBytes);
  await processes.close();
});

test("writes a private ledger before the start and removes it on close", async () => {
  using folder = temporaryFolder();
  const home = join(folder.path, "home");
  const processes = testProcesses(home, { runId: "the-run" });
  const ledger = join(home, "run", "the-run.ndjson");
  const command = shellScript(folder.path, "agent", `cat '${ledger}'; read -r forever`);
  const child = await processes.launch(launchSpec({ command, cwd: folder.path, stdin: "pipe", sessionId: "s1" }));
  const [owner, intent] = (await child.lines[Symbol.asyncIterator]().next()).value?.lines ?? [];
  expect(JSON.parse(owner ?? "")).toMatchObject({ run: "the-run", pid: process.pid });
  expect(JSON.parse(intent ?? "")).toMatchObject({ agent: "test", session: "s1" });
  expect(statSync(join(home, "run")).mode & 0o777).toBe(0o700);
  expect(statSync(ledger).mode & 0o777).toBe(0o600);
  expect(readFileSync(ledger, "utf8")).toContain(`"pid":${child.pid}`);
  await processes.close();
  expect(existsSync(ledger)).toBe(false);
});

test("starts nothing and explains what to do when the home is not writable", async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "file"), "");
  const processes = testProcesses(join(folder.path, "file"));
  const command = shellScript(folder.path, "agent", "touch started");
  await expect(processes.launch(launchSpec({ command, cwd: folder.path }))).rejects.toMatchObject({
    code: "invalid_input",
    help: /REINS_HOME/,
  });
  await processes.close();
  expect(existsSync(join(folder.path, "started"))).toBe(false);
});

test("stops running and starting children on close, and refuses later starts", async () => {
  using folder = temporaryFolder();
  const processes = testProcesses(folder.path);
  const command = shellScript(folder.path, "agent", "exec sleep 60");
  const spec = launchSpec({ command, cwd: folder.path });
  const child = await processes.launch(spec);
  const starting = processes.launch(spec).then(
    (late) => late.exited,
    (error: unknown) => error,
  );
  await processes.close();
  expect(await child.exited).toEqual({ code: null, signal: "SIGTERM" });
  await starting;
  await expect(processes.launch(spec)).rejects.toMatchObject({ code: "invalid_input" });
  await processes.close();
});

test("rewrites a full ledger with the running children only", async () => {
  using folder = temporaryFolder();
  const processes = testProcesses(folder.path, { runId: "long" });
  const quick = shellScript(folder.path, "quick", "true");
  const slow = shellScript(folder.path, "slow", "exec sleep 60");
  const sessionId = "s".repeat(30_000);
  const child = await processes.launch(launchSpec({ command: slow, cwd: folder.path }));
  for (let i = 0; i < 3; i++) await processes.run(launchSpec({ command: quick, cwd: folder.path, sessionId }), 10_000);
  const ledger = join(folder.path, "run", "long.ndjson");
  await until(() => statSync(ledger).size < 150_000, "the ledger is short again");
  expect(readFileSync(ledger, "utf8")).toContain(`"pid":${child.pid}`);
  expect(JSON.parse(readFileSync(ledger, "utf8").split("\n")[0] ?? "")).toMatchObject({ run: "long" });
  await processes.close();
});
