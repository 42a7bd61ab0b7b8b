import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import { defaultDeadlines } from "../../events/deadlines.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { Output, Processes } from "../../process/types.ts";
import { createAgent } from "./index.ts";
import { program as claude } from "./program.ts";

let folder: string;
let program: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "reins-test-"));
  program = join(folder, "claude");
  await writeFile(program, "");
  await chmod(program, 0o755);
});
afterEach(() => rm(folder, { recursive: true }));

/** An agent whose program prints this for `--version` and `auth status`. */
function agent(
  version: string,
  status: string,
  more: { timedOut?: boolean; command?: string; child?: StandInChild } = {},
) {
  const processes = {
    run: ({ args }: { args: readonly string[] }): Promise<Output> =>
      Promise.resolve({
        stdout: args.includes("--version") ? version : status,
        stderr: "",
        code: 0,
        signal: null,
        timedOut: more.timedOut === true,
        truncated: false,
      }),
    launch: () => Promise.resolve(more.child),
  } as unknown as Processes;
  return createAgent({
    processes,
    env: { REINS_CLAUDE_COMMAND: more.command ?? program },
    deadlines: defaultDeadlines,
    limits: defaultLimits,
    redact: createRedactor({}),
  });
}

const signedIn = {
  loggedIn: true,
  authMethod: "api_key",
  apiProvider: "firstParty",
  apiKeySource: "ANTHROPIC_API_KEY",
};

test("reports path, version and account when ready", async () => {
  expect(await agent(`${claude.minimalVersion!} (Claude Code)`, JSON.stringify(signedIn)).probe()).toEqual({
    ready: true,
    installed: true,
    path: program,
    version: claude.minimalVersion!,
    signedIn: "yes",
    signedInHow: "API key (ANTHROPIC_API_KEY)",
  });
});

test.for([
  [{ loggedIn: true, authMethod: "api_key" }, "API key"],
  [{ loggedIn: true, authMethod: "oauth_token" }, "token"],
  [{ loggedIn: true, authMethod: "claude.ai", apiProvider: "firstParty" }, "subscription"],
  [{ loggedIn: true, authMethod: "third_party", apiProvider: "bedrock" }, "bedrock"],
  [{ loggedIn: true }, undefined],
] as const)("reports the sign-in by %o", async ([status, how]) => {
  expect(await agent(claude.minimalVersion!, JSON.stringify(status)).probe()).toMatchObject({
    ready: true,
    signedInHow: how,
  });
});

test("reports nobody signed in, and an unknown kind of sign-in", async () => {
  const out = await agent(claude.minimalVersion!, '{"loggedIn":false}').probe();
  expect(out).toMatchObject({ ready: false, signedIn: "no", help: expect.stringContaining("claude auth login") });
  expect(await agent(claude.minimalVersion!, "Welcome!").probe()).toMatchObject({ ready: true, signedIn: "unknown" });
});

test("rejects a program that is too old or not Claude Code", async () => {
  const old = await agent("1.0.3 (Claude Code)", JSON.stringify(signedIn)).probe();
  expect(old).toMatchObject({
    ready: false,
    installed: true,
    help: expect.stringContaining("is older than the oldest version Reins works with"),
  });
  const other = await agent("hello", "").probe();
  expect(other).toMatchObject({ ready: false, help: expect.stringContaining("check that it is Claude Code") });
  const slow = await agent("", "", { timedOut: true }).probe();
  expect(slow).toMatchObject({ ready: false, help: expect.stringContaining("in time") });
});

test("explains a missing program, one that cannot be executed, and an invalid variable", async () => {
  const missing = agent("", "", { command: join(folder, "missing") });
  const help = "Install it with `npm install -g @anthropic-ai/claude-code`.";
  expect(await missing.probe()).toEqual({ ready: false, installed: false, signedIn: "unknown", help });
  await expect(missing.open({ sessionId: "s", cwd: folder, mode: "ask" })).rejects.toMatchObject({
    code: "not_installed",
    help,
  });
  await chmod(program, 0o644);
  expect(await agent("", "").probe()).toMatchObject({ installed: false, path: program });
  expect(await agent("", "", { command: "[1]" }).probe()).toMatchObject({ ready: false, installed: false });
});

test("signs in and out with the program's own commands", async () => {
  const { manage } = agent("", "", { command: '["node","/cli.js"]' });
  expect(await manage.login?.()).toMatchObject({ command: "node", args: ["/cli.js", "auth", "login"] });
  expect(await manage.logout?.()).toEqual({ command: "node", args: ["/cli.js", "auth", "logout"] });
});

test("lists the models that the program names", async () => {
  const child = new StandInChild();
  const asked = agent("", "", { child }).manage.models?.();
  const initialize = await child.hears(({ request }) => request?.["subtype"] === "initialize");
  const models = [{ value: "default", displayName: "Default", description: "The best" }, { value: "opus" }, {}];
  child.print({
    type: "control_response",
    response: { subtype: "success", request_id: initialize.request_id, response: { models } },
  });
  expect(await asked).toEqual([
    { id: "default", label: "Default", description: "The best", default: true },
    { id: "opus", label: undefined, description: undefined, default: undefined },
  ]);
  expect(child.stopped).toBe(1);
});
