/** Commands run in Codex's own sandbox; commands that need more ask. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionRequest } from "../../../src/index.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

/** The model asks to run the argument outside the sandbox. */
const escalate: Scenario = {
  name: "escalate",
  steps: [
    [
      {
        callNative: {
          name: "exec_command",
          input: { cmd: "{arg}", sandbox_permissions: "require_escalated", justification: "It writes a file." },
        },
      },
    ],
    [{ say: "It printed: {lastResult}" }],
  ],
};
const scenarios = [escalate];

test("reports a command that the sandbox refuses, although it has no item", async () => {
  const real = await realAgent("codex");
  const { events } = await real.turn(await real.session({ mode: "ask" }), scenarioPrompt("shell", "touch x.txt"));
  expect(one(events, "tool.started")).toMatchObject({ tool: "shell", title: "Run touch x.txt" });
  expect(one(events, "tool.failed")).toMatchObject({ reason: "error", error: { exitCode: 1 } });
  expect(one(events, "tool.failed").error.message).toMatch(/Read-only file system/);
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
});

test("asks a person about a command outside the sandbox, who may allow it for the session", async () => {
  const real = await realAgent("codex", { scenarios });
  const asked: PermissionRequest[] = [];
  const onPermission = (request: PermissionRequest) => (asked.push(request), "always" as const);
  const asks = await real.session({ mode: "ask", onPermission });
  await real.turn(asks, scenarioPrompt("escalate", "touch x.txt"));
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(true);
  await real.turn(asks, scenarioPrompt("escalate", "touch x.txt"));
  expect(asked).toMatchObject([
    {
      tool: "shell",
      title: "Run touch x.txt",
      input: { command: "touch x.txt", cwd: real.cwd },
      reason: "It writes a file.",
    },
  ]);
  expect(asked[0]!.options.map(({ id, scope }) => [id, scope])).toEqual([
    ["allow", "once"],
    ["always-session", "session"],
    ["always", "user"],
    ["deny", "once"],
    ["stop", "once"],
  ]);
  await real.turn(asks, scenarioPrompt("escalate", "touch y.txt"));
  expect(asked).toHaveLength(2);
});

test("denies it in mode read, even with a person there", async () => {
  const real = await realAgent("codex", { scenarios });
  const reads = await real.session({ mode: "read", onPermission: () => "allow" });
  const { result, events } = await real.turn(reads, scenarioPrompt("escalate", "touch x.txt"));
  expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "policy" });
  expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(result.outcome).toBe("done");
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
});

test("applies a narrower mode in the running turn", async () => {
  const scenario: Scenario = {
    name: "slow-command",
    steps: [
      [{ say: "Wait, " }, { gate: "narrow" }, { call: { tool: "shell", command: "touch x.txt" } }],
      [{ say: "It printed: {lastResult}" }],
    ],
  };
  const real = await realAgent("codex", { scenarios: [scenario] });
  const full = await real.session({ mode: "full" });
  const running = real.turn(full, scenarioPrompt("slow-command"));
  await real.when(full, "message.delta");
  await full.configure({ mode: "read" });
  real.model.release("narrow");
  expect(one((await running).events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "policy" });
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
});

test("fails commands when no sandbox is available, and runs none without", async () => {
  const real = await realAgent("codex");
  const wrapper = join(real.home, "confined");
  const confine = 'echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --bounding-set -all --no-new-privs "$@"';
  writeFileSync(
    wrapper,
    `#!/bin/sh\nexec unshare --user --map-root-user sh -c '${confine}' x '${real.env["REINS_CODEX_COMMAND"]}' "$@"\n`,
  );
  chmodSync(wrapper, 0o755);
  const reins = real.another({ env: { ...real.env, REINS_CODEX_COMMAND: wrapper } });
  const asks = await real.session({ mode: "ask", onPermission: () => "allow" }, reins);
  writeFileSync(join(real.cwd, "hello.txt"), "hello there\n");
  const { events } = await real.turn(asks, scenarioPrompt("shell", "cat hello.txt"));
  expect(one(events, "tool.failed")).toMatchObject({ reason: "error" });
  expect(all(events, "notice").map(({ code }) => code)).toEqual(["sandbox"]);
  await real.turn(asks, scenarioPrompt("shell", "touch x.txt"));
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
  // A patch needs no sandbox: it asks.
  await real.turn(asks, scenarioPrompt("write", "y.txt"));
  expect(readFileSync(join(real.cwd, "y.txt"), "utf8")).toBe("hello world\n");
});
