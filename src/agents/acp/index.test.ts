import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { LaunchSpec } from "../../process/types.ts";
import type { AgentContext } from "../contract.ts";
import { createAcpAgent, createAgent } from "./index.ts";
import { parseCommandLine } from "../../process/launch/command-line.ts";
import { knownCommands } from "./known.ts";

const folder = mkdtempSync(join(tmpdir(), "reins-acp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const launched: LaunchSpec[] = [];
const context = (env: Record<string, string> = {}): AgentContext => ({
  processes: {
    launch: (spec) => {
      launched.push(spec);
      return Promise.reject(new Error("not here"));
    },
    run: () => Promise.reject(new Error("not here")),
    reap: () => Promise.resolve(),
    close: () => Promise.resolve(),
  },
  env: { PATH: folder, ...env },
  deadlines: defaultDeadlines,
  limits: defaultLimits,
  redact: createRedactor({}),
});

test.each([
  ["acp:goose acp", "goose"],
  ["acp:goose", "goose"],
  ["acp:droid", "Factory Droid"],
  ["acp:/opt/x/agent --acp", "agent"],
  ["acp:npx -y @maker/thing acp", "thing"],
  ["acp:node --flag", "node"],
])("names %s “%s”", (id, name) => {
  expect(createAgent(context(), id)).toMatchObject({ id, name, capabilities: { modes: ["ask", "full"] } });
});

test("starts with its command line and the variables named for it", async () => {
  const env = { REINS_ACP_ENV: "MY_KEY, OTHER_KEY", MY_KEY: "k", SECRET_KEY: "s", HOME: "/home/x" };
  const options = { sessionId: "s", cwd: folder, mode: "ask", extraArgs: ["--more"], env: { A: "b" } } as const;
  await expect(createAgent(context(env), "acp:goose acp 'a b'").open(options)).rejects.toThrow("not here");
  expect(launched.at(-1)).toMatchObject({
    command: "goose",
    args: ["acp", "a b", "--more"],
    stdin: "pipe",
    agent: "acp:goose acp 'a b'",
  });
  expect(launched.at(-1)?.env).toEqual({ PATH: folder, HOME: "/home/x", MY_KEY: "k", A: "b" });
  const config = { id: "mine", name: "Mine", command: "goose", variables: ["SECRET_KEY"], env: { B: "c" } };
  await expect(createAcpAgent(context(env), config).open({ ...options, env: undefined })).rejects.toThrow("not here");
  expect(launched.at(-1)?.env).toEqual({ PATH: folder, HOME: "/home/x", SECRET_KEY: "s", B: "c" });
});

test("reports whether it is installed", async () => {
  const agent = createAgent(context(), "acp:prog acp");
  expect(await agent.probe()).toMatchObject({
    ready: false,
    installed: false,
    help: "Install prog: prog was not found.",
  });
  writeFileSync(join(folder, "prog"), "");
  expect(await agent.probe()).toMatchObject({ ready: false, help: `Make ${join(folder, "prog")} executable.` });
  chmodSync(join(folder, "prog"), 0o755);
  expect(await agent.probe()).toMatchObject({ ready: true, path: join(folder, "prog"), signedIn: "unknown" });
});

test("selects no agent for the family alone", async () => {
  for (const id of ["acp", "acp:", "acp: ", undefined]) {
    const agent = createAgent(context(), id);
    expect(await agent.probe()).toMatchObject({ ready: false, help: expect.stringContaining("acp:goose acp") });
    await expect(agent.open({ sessionId: "s", cwd: folder, mode: "ask" })).rejects.toMatchObject({
      code: "invalid_input",
    });
  }
});

test("adds modes from quirks, which take precedence", () => {
  const quirks = { modes: { read: { id: "look" } }, usage: { counts: "turn" } } as const;
  const { capabilities } = createAcpAgent(context(), {
    id: "a",
    name: "A",
    command: "a",
    quirks,
    capabilities: { images: false },
  });
  expect(capabilities).toMatchObject({ modes: ["read", "ask", "full"], usage: "turn", images: false });
});

test("has about 25 known commands that can be started", () => {
  const known = Object.values(knownCommands);
  expect(known.length).toBeGreaterThanOrEqual(25);
  for (const { line, name } of known) expect([parseCommandLine(line).command, name]).not.toContain("");
});

test("rejects a state of another agent without throwing synchronously", async () => {
  const options = { sessionId: "s", cwd: folder, mode: "ask", state: "garbage" } as const;
  const opening = createAgent(context(), "acp:goose acp").open(options);
  await expect(opening).rejects.toMatchObject({ code: "session_not_found" });
});
