import { existsSync, readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Owner, startOwner } from "../../../test/support/owned.ts";
import {
  isAlive,
  launchSpec,
  marked,
  shellScript,
  temporaryFolder,
  testProcesses,
  until,
} from "../../../test/support/processes.ts";

/** Three children: one ignores TERM, one is in its own session, one keeps forking. */
const stubborn = `trap '' TERM HUP INT
setsid sh -c 'trap "" TERM HUP; while :; do sleep 60; done' &
sh -c 'while :; do sleep 0.01; done' &
echo ready
while :; do sleep 60; done`;

/** Finds the guardians of a run by their arguments. */
function guardians(run: string): number[] {
  return readdirSync("/proc")
    .filter((name) => {
      try {
        const command = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, "latin1") : "";
        return command.includes("reins-guardian") && command.includes(run) && isAlive(Number(name));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** True when the process ignores the signal. A newly started shell does not yet. */
function ignores(pid: number, signal: NodeJS.Signals): boolean {
  const [, mask = "0"] = /^SigIgn:\s*(\w+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return ((BigInt(`0x${mask}`) >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
}

interface Scene {
  readonly owner: Owner;
  readonly run: string;
  readonly ledger: string;
}

let scenes = 0;
/** Starts a Reins with a guardian and stubborn children, and checks that nothing is left after `use`. */
async function withOwner(use: (scene: Scene) => Promise<void>, count = 1): Promise<void> {
  using folder = temporaryFolder();
  const run = `guardian-test-${process.pid}-${++scenes}`;
  const script = shellScript(folder.path, "agent", stubborn);
  const owner = startOwner({ home: folder.path, run, guardian: true, script, count });
  const ledger = join(folder.path, "run", `${run}.ndjson`);
  try {
    expect(await owner.next()).toBe("ready");
    expect(guardians(run)).toHaveLength(1);
    await use({ owner, run, ledger });
    await until(() => marked(run).length === 0, "no process of the run is left");
    await until(() => guardians(run).length === 0, "the guardian is gone");
    await until(() => !existsSync(ledger), "the ledger is gone");
  } finally {
    owner.process.kill("SIGKILL");
  }
}

describe.runIf(process.platform === "linux")("the guardian", () => {
  test("ends everything when Reins is killed with -9", async () => {
    await withOwner(async ({ owner, run }) => {
      expect(marked(run).length).toBeGreaterThan(6);
      await owner.kill("SIGKILL");
    }, 3);
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "survives %s, and ends everything when the signal ends Reins",
    async (signal) => {
      await withOwner(async ({ owner, run }) => {
        const [guardian = 0] = guardians(run);
        await until(() => ignores(guardian, signal), "the guardian has begun to wait");
        process.kill(guardian, signal);
        await owner.kill(signal);
      });
    },
  );

  test("ends everything after process.exit and after an uncaught error", async () => {
    for (const command of ["exit", "throw"]) await withOwner(({ owner }) => owner.tell(command));
  });

  test("exits with a Reins that closes properly", async () => {
    await withOwner(async ({ owner }) => {
      await owner.tell("close");
      await until(() => owner.process.exitCode === 0, "the owner ended");
    });
  });

  test("is restarted a few times after it was killed, and again with the next child", async () => {
    await withOwner(async ({ owner, run }) => {
      for (let killed = 0; killed < 4; killed++) {
        await until(() => guardians(run).length === 1, "there is a guardian");
        const [guardian = 0] = guardians(run);
        process.kill(guardian, "SIGKILL");
        await until(() => !isAlive(guardian), "it is killed");
      }
      await owner.tell("launch");
      expect(guardians(run)).toHaveLength(1);
      await owner.kill("SIGKILL");
    });
  });

  test("has its own group, no mark and none of Reins' output, and does not block the exit", async () => {
    using folder = temporaryFolder();
    const run = `guardian-test-${process.pid}-own`;
    const processes = testProcesses(folder.path, { runId: run, guardian: true });
    const command = shellScript(folder.path, "agent", "true");
    await processes.run(launchSpec({ command, cwd: folder.path }), 10_000);
    const [guardian = 0] = guardians(run);
    const [, , group, session] = readFileSync(`/proc/${guardian}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
    expect([Number(group), Number(session)]).toEqual([guardian, guardian]);
    expect(readFileSync(`/proc/${guardian}/environ`, "latin1")).not.toContain("REINS_");
    expect(marked(run)).toEqual([]);
    await processes.close();
    expect(guardians(run)).toEqual([]);
  });
});

test("starts no guardian and no ledger before the first child", async () => {
  using folder = temporaryFolder();
  const processes = testProcesses(join(folder.path, "home"), { guardian: true });
  await processes.reap();
  await processes.close();
  expect(existsSync(join(folder.path, "home"))).toBe(false);
});
