import { expect, test } from "vitest";
import {
  allLines,
  hurried,
  isAlive,
  launchSpec,
  marked,
  shellScript,
  temporaryFolder,
  testProcesses,
  until,
} from "../../../test/support/processes.ts";
import type { Deadlines } from "../../events/deadlines.ts";
import type { Child, LaunchSpec } from "../types.ts";

const run = `stop-test-${process.pid}`;

/** Starts a script, waits for its line "ready", and checks that no marked process is left after `use`. */
async function withReady(
  body: string,
  use: (child: Child) => Promise<void>,
  spec: Partial<LaunchSpec> = {},
  deadlines: Partial<Deadlines> = {},
): Promise<void> {
  using folder = temporaryFolder();
  const processes = testProcesses(folder.path, { runId: run, deadlines: { ...hurried, ...deadlines } });
  try {
    const command = shellScript(folder.path, "agent", body);
    const child = await processes.launch(launchSpec({ command, cwd: folder.path, ...spec }));
    for await (const batch of child.lines) if (batch.lines.includes("ready")) break;
    await use(child);
    if (process.platform === "linux") expect(marked(run)).toEqual([]);
  } finally {
    await processes.close();
  }
}

test("ends a cooperative child by closing its stdin", async () => {
  await withReady(
    "echo ready; cat >/dev/null; exit 7",
    async (child) => {
      expect(await child.stop()).toEqual({ code: 7, signal: null });
    },
    { stdin: "pipe" },
    { politeClose: 600_000 },
  );
});

test("sends TERM to a child that does not read its stdin", async () => {
  await withReady(
    "echo ready; exec sleep 60",
    async (child) => {
      expect(await child.stop()).toEqual({ code: null, signal: "SIGTERM" });
    },
    { stdin: "pipe" },
    { term: 600_000 },
  );
});

test("sends KILL to a child that ignores TERM, and gives all callers the same exit", async () => {
  await withReady(
    "trap '' TERM; echo ready; while :; do sleep 60; done",
    async (child) => {
      const exits = await Promise.all([child.stop(), child.stop(), child.stop({ politely: false })]);
      expect(exits).toEqual(Array(3).fill({ code: null, signal: "SIGKILL" }));
      expect(await child.stop()).toEqual(exits[0]);
    },
    { stdin: "pipe" },
  );
});

test("skips the polite close with `politely: false`, even while it waits", async () => {
  using folder = temporaryFolder();
  const processes = testProcesses(folder.path, {
    deadlines: { ...hurried, politeClose: 600_000, term: 600_000 },
  });
  const command = shellScript(folder.path, "agent", "echo ready; exec sleep 60");
  const child = await processes.launch(launchSpec({ command, cwd: folder.path, stdin: "pipe" }));
  const polite = child.stop();
  expect(await child.stop({ politely: false })).toEqual({ code: null, signal: "SIGTERM" });
  expect(await polite).toEqual({ code: null, signal: "SIGTERM" });
  await processes.close();
});

test("ends the whole group, also members that ignore TERM", async () => {
  await withReady("sh -c 'trap \"\" TERM; while :; do sleep 60; done' & sleep 60 & echo ready; wait", async (child) => {
    await child.stop();
  });
});

test.runIf(process.platform === "linux")(
  "ends descendants that left the group, the session and their parent",
  async () => {
    await withReady(
      "(setsid sh -c 'sleep 60 & sleep 60' >/dev/null 2>&1 </dev/null &) ; setsid sleep 60 & echo ready; wait",
      async (child) => {
        await until(() => marked(run).length >= 5, "all have started");
        await child.stop();
      },
    );
  },
);

test.runIf(process.platform === "linux")(
  "ends the descendants of a child that exits by itself, and its lines",
  async () => {
    using folder = temporaryFolder();
    const processes = testProcesses(folder.path, { runId: `${run}-self` });
    const command = shellScript(
      folder.path,
      "agent",
      "sleep 60 & setsid sleep 60 & (env -i /bin/sleep 60 & echo $!); exit 0",
    );
    const child = await processes.launch(launchSpec({ command, cwd: folder.path }));
    const [pid] = await allLines(child.lines);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    await until(() => marked(`${run}-self`).length === 0 && !isAlive(Number(pid)), "what it left is gone");
    await processes.close();
  },
);

test.runIf(process.platform === "linux")("leaves other children of the same Reins running", async () => {
  using folder = temporaryFolder();
  const processes = testProcesses(folder.path);
  const command = shellScript(folder.path, "agent", "setsid sleep 60 & exec sleep 60");
  const [one, two] = await Promise.all([1, 2].map(() => processes.launch(launchSpec({ command, cwd: folder.path }))));
  await one?.stop();
  expect(isAlive(two?.pid ?? 0)).toBe(true);
  expect(isAlive(one?.pid ?? 0)).toBe(false);
  await processes.close();
  expect(isAlive(two?.pid ?? 0)).toBe(false);
});
