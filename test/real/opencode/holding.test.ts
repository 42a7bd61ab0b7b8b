/** Our plugin holds every tool, whatever OpenCode's own rules and other plugins say. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { agentEntries } from "../../../src/agents/index.ts";
import type { PermissionRequest } from "../../../src/core/api.ts";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { recordAgent } from "../../../src/testing/wire/replay.ts";
import { all, messages, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const native = (name: string, tool: string, input: object): Scenario => ({
  name,
  steps: [[{ callNative: { name: tool, input } }], [{ say: "It said: {lastResult}" }]],
});

test("refuses a program that loads no plugin", { timeout: 240_000 }, async () => {
  const real = await realAgent("opencode");
  const wrapper = join(real.home, "opencode-pure");
  writeFileSync(wrapper, `#!/bin/sh\nexec "${real.env["REINS_OPENCODE_COMMAND"]}" "$@" --pure\n`);
  chmodSync(wrapper, 0o700);
  const reins = real.another({ env: { ...real.env, REINS_OPENCODE_COMMAND: wrapper } });
  await expect(real.session({ mode: "full" }, reins)).rejects.toMatchObject({
    code: "protocol_error",
    message: "OpenCode did not load the plugin with which Reins controls its tools.",
  });
});

test("keeps its server private, and hides the password from its tools", { timeout: 240_000 }, async () => {
  const real = await realAgent("opencode", {
    scenarios: [native("look", "bash", { command: "env", description: "Look" })],
  });
  const folder = join(real.home, "recorded");
  const entry = agentEntries.find(({ id }) => id === "opencode")!;
  const reins = real.another({ agents: [recordAgent(entry, folder)] });
  const { result } = await real.turn(await real.session({ mode: "full" }, reins), scenarioPrompt("look"));
  expect(result.text).toContain("OPENCODE=1");
  expect(result.text).not.toMatch(/OPENCODE_SERVER_PASSWORD|OPENCODE_CONFIG_CONTENT|npm_config_fetch_retries/);
  const recorded = readFileSync(join(folder, "01-opencode.ndjson"), "utf8");
  const url = /listening on (http:[\w.:/]+)/.exec(recorded)?.[1];
  expect((await fetch(`${url}/session`)).status).toBe(401);
  // The beginning of a header with the password.
  expect(recorded).not.toContain(Buffer.from("opencode:").toString("base64"));
});

test(
  "asks about tools of a project, of a subagent and outside the workspace, but not about reading",
  { timeout: 240_000 },
  async () => {
    const real = await realAgent("opencode", { scenarios: [native("launch", "launch", {})] });
    write(
      join(real.cwd, ".opencode/tool/launch.js"),
      `export default { description: "Launches.", args: {}, execute: async () => "Off it went." };`,
    );
    write(join(real.cwd, "notes.txt"), "hello");
    const asked: PermissionRequest[] = [];
    const session = await real.session({ mode: "edits", onPermission: (request) => (asked.push(request), "deny") });
    await real.turn(session, scenarioPrompt("read", "notes.txt"));
    expect(asked).toEqual([]);
    const { result } = await real.turn(session, scenarioPrompt("launch"));
    expect(asked).toMatchObject([{ tool: "other" }]);
    expect(result.text).not.toContain("Off it went.");
    const { events } = await real.turn(session, scenarioPrompt("subagent-permission", "sub.txt"));
    expect(asked[1]).toMatchObject({ tool: "shell", title: "Run touch sub.txt" });
    expect(asked[1]?.parent).toBe(all(events, "tool.started").find(({ tool }) => tool === "task")?.callId);
    expect(existsSync(join(real.cwd, "sub.txt"))).toBe(false);
    await real.turn(session, scenarioPrompt("read", "/etc/hostname"));
    expect(asked[2]).toMatchObject({ tool: "read", reason: "It is outside of the workspace." });
    expect(asked).toHaveLength(3);
  },
);

test(
  "respects the person's own rules: denied calls stay denied, and nothing is asked twice",
  { timeout: 240_000 },
  async () => {
    const real = await realAgent("opencode");
    const rules = { permission: { webfetch: "deny", edit: "ask", bash: { "*": "allow", "rm *": "deny" } } };
    write(join(real.home, ".config/opencode/opencode.json"), JSON.stringify(rules));
    const asked: PermissionRequest[] = [];
    const session = await real.session({ mode: "ask", onPermission: (request) => (asked.push(request), "allow") });
    await real.turn(session, scenarioPrompt("write", "x.txt"));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.diff).toContain("+hello world");
    await real.turn(session, scenarioPrompt("shell", "touch y.txt"));
    expect(asked).toHaveLength(2);
    await session.configure({ mode: "full" });
    const { events } = await real.turn(session, scenarioPrompt("shell", "rm x.txt"));
    expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
    expect(existsSync(join(real.cwd, "x.txt"))).toBe(true);
    const fetched = await real.turn(session, scenarioPrompt("fetch", `${real.model.url}/fetched`));
    expect(real.model.requests.some(({ path }) => path === "/fetched")).toBe(false);
    expect(messages(fetched.events)).not.toEqual([]);
  },
);
