import { expect, test } from "vitest";
import { launchSpec, shellScript, temporaryFolder, testProcesses } from "../../../test/support/processes.ts";
import type { Output } from "../types.ts";

async function run(body: string, deadlineMs = 30_000): Promise<Output> {
  using folder = temporaryFolder();
  const processes = testProcesses(folder.path);
  const command = shellScript(folder.path, "tool", body);
  try {
    return await processes.run(launchSpec({ command, cwd: folder.path }), deadlineMs);
  } finally {
    await processes.close();
  }
}

test("returns the output and the exit of a command", async () => {
  expect(await run("echo 1.2.3; echo careful >&2; cat; exit 2")).toEqual({
    code: 2,
    signal: null,
    stdout: "1.2.3\n",
    stderr: "careful\n",
    timedOut: false,
    truncated: false,
  });
});

test("stops a command at the deadline and returns the output so far", async () => {
  expect(await run("trap '' TERM; echo partial; while :; do sleep 1; done", 200)).toMatchObject({
    signal: "SIGKILL",
    stdout: "partial\n",
    timedOut: true,
  });
});

test("keeps the first megabyte of a flood", async () => {
  const { stdout, truncated } = await run("head -c 5000000 /dev/zero");
  expect(stdout).toHaveLength(1024 * 1024);
  expect(truncated).toBe(true);
});

test("does not wait for a grandchild that holds the pipe", async () => {
  expect(await run("sleep 60 & echo done")).toMatchObject({ code: 0, stdout: "done\n", timedOut: false });
});
