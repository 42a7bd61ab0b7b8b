import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bin, Place, waitFor } from "../../test/support/command.ts";
import { iterateUntil } from "./signals.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

/** Every process that was started in this place, found by the home folder in its environment. */
function left(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(place.home);
      } catch {
        return false;
      }
    });
}

/** Waits until the command handles signals itself; Node catches SIGINT and SIGTERM from its start, but not SIGHUP. */
async function handlesSignals(pid: number | undefined): Promise<void> {
  const caught = (): boolean => {
    const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
    return (BigInt(`0x${mask}`) & 1n) !== 0n;
  };
  await expect.poll(caught).toBe(true);
}

describe.runIf(process.platform === "linux")("ending a command", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("cancels the turn on %s, exits with %d and leaves no process", async (signal, expected) => {
    const { child, printed } = place.start(["run", "-a", "demo", "--mode", "full", "run sleep 600"]);
    await waitFor(child.stderr, /● Run sleep 600/);
    child.kill(signal);
    const [code] = await once(child, "close");
    expect(code).toBe(expected);
    expect(printed.stderr).toMatch(/cancelled after/);
    expect(printed.stderr).not.toContain("reins:");
    await expect.poll(left).toEqual([]);
  });

  it("exits at once on a second SIGINT, and the guardian ends the rest", async () => {
    const { child } = place.start(["run", "-a", "demo", "--mode", "full", `run sh -c "trap '' TERM; sleep 600"`]);
    await waitFor(child.stderr, /● Run sh/);
    child.kill("SIGINT");
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    expect(code).toBe(130);
    await expect.poll(left).toEqual([]);
  });

  it("prints nothing while it waits for its prompt", async () => {
    const { child, printed } = place.start(["run", "-a", "demo", "-"], { openInput: true, env: { REINS_DEBUG: "1" } });
    // Nothing is printed while it waits. From outside, only the consumed input shows that it is running.
    await new Promise<void>((resolve) => child.stdin.write("say never", () => resolve()));
    await handlesSignals(child.pid);
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    expect({ code, ...printed }).toEqual({ code: 130, stdout: "", stderr: "" });
  });

  it("exits with 130 while the turn sleeps", async () => {
    const { child, printed } = place.start(["run", "-a", "demo", "say before; sleep 60000"]);
    await waitFor(child.stdout, /before\n/);
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    expect({ code, stdout: printed.stdout }).toEqual({ code: 130, stdout: "before\n" });
  });

  it("stops the agent silently when the reader goes away", async () => {
    const { child, printed } = place.start(["run", "-a", "demo", "stream 100000; sleep 600000"]);
    await once(child.stdout, "data");
    child.stdout.destroy();
    const [code] = await once(child, "close");
    expect(code).toBe(141);
    expect(printed.stderr).not.toContain("reins:");
    await expect.poll(left).toEqual([]);
  });

  it("reports a full disk", () => {
    const command = [
      "-c",
      `exec "$0" "$@" > /dev/full`,
      process.execPath,
      bin,
      "run",
      "-a",
      "demo",
      "say hi; sleep 60000",
    ];
    const { status, stderr } = spawnSync("sh", command, {
      cwd: place.cwd,
      env: place.env,
      encoding: "utf8",
      input: "",
    });
    expect(status).toBe(1);
    expect(stderr).toContain("reins: The output could not be written (ENOSPC).\n");
  });
});

it("stops iterating at once when the command ends, even if the next value never comes", async () => {
  async function* values() {
    yield 1;
    await new Promise(() => {});
  }
  const ending = new AbortController();
  const seen: number[] = [];
  const iterating = (async () => {
    for await (const value of iterateUntil(ending.signal, values())) {
      seen.push(value);
      setImmediate(() => ending.abort());
    }
  })();
  await expect(iterating).rejects.toMatchObject({ code: "cancelled" });
  expect(seen).toEqual([1]);
});
