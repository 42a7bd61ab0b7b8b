import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  isAlive,
  marked,
  shellScript,
  temporaryFolder,
  testProcesses,
  until,
} from "../../../test/support/processes.ts";
import { clampSize, loadNodePty, openPty, type Pty } from "./open-pty.ts";

interface Opened {
  readonly pty: Pty;
  readonly output: () => string;
  readonly folder: string;
}

async function withPty(body: string, use: (opened: Opened) => Promise<void>): Promise<void> {
  using folder = temporaryFolder();
  const processes = testProcesses(join(folder.path, "home"), { runId: "ptyrun" });
  const chunks: Buffer[] = [];
  try {
    const pty = await openPty(processes, {
      argv: [shellScript(folder.path, "program", body), "a b"],
      cwd: folder.path,
      env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" },
      columns: 90,
      rows: 30,
      agent: "test",
      onOutput: (bytes) => chunks.push(bytes),
    });
    await use({ pty, output: () => Buffer.concat(chunks).toString(), folder: folder.path });
  } finally {
    await processes.close();
  }
}

test("gives the program a terminal of the given size, passes keys and reports the exit code", async () => {
  await withPty(
    `stty size; tty -s && echo "arg $1"; read -r line; echo "got $line"; exit 7`,
    async ({ pty, output }) => {
      await until(() => output().includes("arg a b"), "the first output");
      pty.write("hello\r");
      expect(await pty.exited).toEqual({ code: 7, signal: null });
      expect(output()).toBe("30 90\r\narg a b\r\nhello\r\ngot hello\r\n");
      pty.write("too late");
      pty.resize(10, 10);
    },
  );
});

test("keeps the last output of a program, however late it is read", async () => {
  await withPty(`echo ready; read -r line; seq 300; echo last`, async ({ pty, output }) => {
    await until(() => output().includes("ready"), "the first output");
    // The output is unread when the program ends, as on an overloaded machine.
    pty.pause();
    pty.write("go\r");
    expect(await pty.exited).toEqual({ code: 0, signal: null });
    expect(output()).toMatch(/\b300\r\nlast\r\n$/);
  });
});

test("reports the exit even when another process still uses the terminal", async () => {
  await withPty(`trap '' HUP; (while :; do echo noise; done) & echo "other $!"; exit 4`, async ({ pty, output }) => {
    expect(await pty.exited).toEqual({ code: 4, signal: null });
    expect(output()).toContain("other ");
    await pty.stop();
    await until(() => marked("ptyrun").length === 0, "the end of the other one");
  });
});

test("passes bytes that are not text unchanged, and a new size", async () => {
  await withPty(
    `printf '\\377\\200x\\n'; trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done`,
    async ({ pty, output }) => {
      await until(() => output().includes("ready"), "the trap");
      pty.resize(41, 11);
      await pty.exited;
      expect(output()).toContain("11 41");
    },
  );
});

test("records the child in the ledger, marks it, and stops its descendants too", async () => {
  await withPty(
    "trap '' HUP TERM; setsid sleep 60 & sleep 60 & echo ready; while :; do sleep 1; done",
    async (opened) => {
      const { pty, output, folder } = opened;
      await until(() => output().includes("ready"), "the start");
      const [name = ""] = readdirSync(join(folder, "home", "run"));
      expect(readFileSync(join(folder, "home", "run", name), "utf8")).toContain(`"pid":${pty.pid}`);
      expect(marked("ptyrun").length).toBeGreaterThanOrEqual(3);
      expect(await pty.stop()).toEqual({ code: null, signal: "SIGKILL" });
      expect(marked("ptyrun")).toEqual([]);
    },
  );
});

test("reports a missing program as not_installed", async () => {
  using folder = temporaryFolder();
  const processes = testProcesses(folder.path);
  const size = { columns: 80, rows: 24, agent: "test", onOutput: () => undefined };
  await expect(
    openPty(processes, { argv: ["reins-no-such-program"], cwd: folder.path, env: { PATH: "/bin" }, ...size }),
  ).rejects.toMatchObject({ code: "not_installed" });
  await processes.close();
});

test("leaves no process after kill -9 of Reins, not even one that left the session", async () => {
  using folder = temporaryFolder();
  const program = shellScript(folder.path, "program", "trap '' HUP TERM; setsid sleep 60 & echo ready; sleep 60");
  const script = `
    import { openPty } from ${JSON.stringify(join(import.meta.dirname, "open-pty.ts"))};
    import { testProcesses } from ${JSON.stringify(join(import.meta.dirname, "../../../test/support/processes.ts"))};
    const processes = testProcesses(${JSON.stringify(join(folder.path, "home"))}, { guardian: true, runId: "ptykill" });
    const env = { PATH: process.env.PATH };
    const show = (bytes) => process.stdout.write(bytes);
    const options = { cwd: "/", env, columns: 80, rows: 24, agent: "test", onOutput: show };
    await openPty(processes, { argv: [${JSON.stringify(program)}], ...options });
  `;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void owner.kill("SIGKILL"));
  await once(owner.stdout, "data");
  await until(() => marked("ptykill").length >= 3, "the program and what it started");
  const pids = marked("ptykill");
  owner.kill("SIGKILL");
  await until(() => !pids.some(isAlive), "the guardian's work");
});

test("reports the missing package and how to install it", () => {
  const load = (): never => {
    throw new Error("Cannot find module");
  };
  expect(() => loadNodePty(load)).toThrow("The optional package @lydell/node-pty");
});

test.each([
  [80, 24, 80, 24],
  [0, 0, 80, 24],
  [Number.NaN, -3, 80, 24],
  [1, 1, 1, 1],
  [1e9, 12.7, 1_000, 12],
])("clamps the size %s x %s to %s x %s", (columns, rows, width, height) => {
  expect(clampSize(columns, rows)).toEqual({ columns: width, rows: height });
});
