/** The Cursor stand-in beyond a plain turn, which its unit test covers: refusals, rules, chats, signals, hooks, traps. */
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/conversation.ts";
import { mcpServer } from "../../../src/testing/mcp-server.ts";
import { CursorRuns, ended, kinds, streamed, texts } from "../../support/cursor-runs.ts";

let runs: CursorRuns;
beforeAll(async () => (runs = await CursorRuns.open()));
afterAll(() => runs[Symbol.asyncDispose]());

test.each([
  ["prints the version", ["--version"], {}, { stdout: "2026.10.01-0a1b2c3\n", code: 0 }],
  [
    "fails when nobody is signed in",
    ["-p", "x"],
    { env: { CURSOR_API_KEY: "" } },
    { stdout: "", code: 1, stderr: "Authentication required" },
  ],
  [
    "fails when the key is refused",
    ["-p", "x"],
    { traps: { BAD_KEY: true } },
    { stdout: "", code: 1, stderr: "API key is invalid" },
  ],
  [
    "fails in an untrusted folder",
    ["-p", "x", "--workspace", tmpdir()],
    {},
    { stdout: "", code: 1, stderr: "Workspace Trust Required" },
  ],
  [
    "fails for an unknown model",
    [...streamed, "--model", "x", "hello"],
    {},
    { stdout: "", code: 1, stderr: "Cannot use this model: x" },
  ],
  [
    "fails for an invalid chat id",
    [...streamed, "--resume", "x", "hello"],
    {},
    { stdout: "", code: 1, stderr: "must be a UUID" },
  ],
  ["fails to list chats without a terminal", ["ls"], {}, { stdout: "", code: 1, stderr: "Raw mode is not supported" }],
  [
    "fails when the service never works",
    [...streamed, scenarioPrompt("error-500")],
    {},
    { code: 1, stderr: "RetriableError: [internal]" },
  ],
] as const)("%s", async (_name, args, options, { stderr = "", ...expected }: { stderr?: string; code: number }) => {
  const told = await runs.run(args, "", options);
  expect(told).toMatchObject(expected);
  expect(told.stderr).toContain(stderr);
});

test("sends whole texts without deltas, the last one without a time and an id", async () => {
  const last = `Done: Wrote ${join(runs.cwd, "a.txt")}.`;
  expect(texts(await runs.events(scenarioPrompt("write", "a.txt")))).toEqual(["I will write it. @ #", last]);
});

test("rejects a call that nobody allowed at once, and reports it without its input", async () => {
  const told = await runs.events(scenarioPrompt("shell", "touch never.txt"));
  const completed = told.find(({ subtype }) => subtype === "completed")!;
  expect(completed["call_id"]).toContain("\n");
  expect(completed["tool_call"]).toMatchObject({ startedAtMs: expect.any(String) as string });
  const { shellToolCall } = completed["tool_call"] as { shellToolCall: object };
  expect(shellToolCall).toEqual({
    result: { rejected: { command: "touch never.txt", workingDirectory: runs.cwd, reason: "", isReadonly: false } },
  });
  writeFileSync(join(runs.cwd, "a.txt"), "");
  expect(texts(await runs.events(scenarioPrompt("shell", "ls"))).at(-1)).toContain("a.txt");
  expect(kinds(await runs.events(scenarioPrompt("question")))).toEqual([
    ...["system/init", "user", "assistant", "interaction_query/request", "interaction_query/response"],
    ...["tool_call/started", "tool_call/completed", "assistant", "result/success"],
  ]);
});

test("continues a chat, also under an unknown id", async () => {
  const id = "00000000-0000-4000-8000-000000000001";
  const [init] = await runs.events(scenarioPrompt("text", undefined, "Remember 4711."), ["--resume", id]);
  expect(init?.["session_id"]).toBe(id);
  await runs.events(scenarioPrompt("text"), ["--continue"]);
  expect(JSON.stringify(runs.model.requests.at(-1)?.body)).toContain("Remember 4711.");
});

test("prints no result when ended by a signal", async () => {
  const child = runs.start([...streamed, "--force", scenarioPrompt("long-shell")]);
  child.stdin.end();
  const end = ended(child);
  await once(child.stdout, "data");
  await runs.model.waitFor(({ scenario, items }) => scenario === "long-shell" && (items?.length ?? 0) > 0);
  child.kill("SIGINT");
  const { stdout, stderr, code } = await end;
  expect({ code, stderr }).toEqual({ code: 130, stderr: "Aborting operation...\n" });
  expect(stdout).not.toContain('"result/success"');
});

test("runs hooks before a tool, and ignores a file with an unknown hook name", async () => {
  const file = join(runs.home, ".cursor", "hooks.json");
  const deny = `printf '%s' '{"permission":"deny","user_message":"Not this one."}'`;
  const hooks = { preToolUse: [{ command: deny, matcher: "Write" }], stop: [{ command: "touch stopped" }] };
  writeFileSync(file, JSON.stringify({ version: 1, hooks }));
  const denied = JSON.stringify(await runs.events(scenarioPrompt("write", "held.txt")));
  expect(denied).toContain("Hook blocked with message: Not this one.");
  writeFileSync(file, JSON.stringify({ version: 1, hooks: { ...hooks, onSomething: [] } }));
  expect(JSON.stringify(await runs.events(scenarioPrompt("write", "held.txt")))).toContain("held.txt has been updated");
  rmSync(file);
  // No hook is told the end of a turn in print mode.
  expect(existsSync(join(runs.home, ".cursor", "stopped"))).toBe(false);
});

test("runs a plugin's hooks and applies their changes", async () => {
  const plugin = join(runs.home, "plugin");
  mkdirSync(join(plugin, ".cursor-plugin"), { recursive: true });
  mkdirSync(join(plugin, "hooks"));
  writeFileSync(join(plugin, ".cursor-plugin", "plugin.json"), JSON.stringify({ name: "held" }));
  const changes = { permission: "allow", updated_input: { file_path: join(runs.cwd, "changed.txt") } };
  const command = `cat > seen.json; printf '%s' '${JSON.stringify(changes)}'`;
  writeFileSync(
    join(plugin, "hooks", "hooks.json"),
    JSON.stringify({ version: 1, hooks: { preToolUse: [{ command }] } }),
  );
  await runs.events(scenarioPrompt("write", "asked.txt"), ["--plugin-dir", plugin]);
  expect(existsSync(join(runs.cwd, "changed.txt"))).toBe(true);
  expect(existsSync(join(runs.cwd, "asked.txt"))).toBe(false);
  const seen = JSON.parse(readFileSync(join(plugin, "seen.json"), "utf8")) as object;
  expect(seen).toMatchObject({ hook_event_name: "preToolUse", tool_name: "Write", workspace_roots: [runs.cwd] });
  await runs.events(scenarioPrompt("write", "asked.txt"), ["--plugin-dir", plugin], {
    traps: { NO_PLUGIN_HOOKS: true },
  });
  expect(existsSync(join(runs.cwd, "asked.txt"))).toBe(true);
});

test("ignores a failing hook, unless it must be obeyed", async () => {
  const file = join(runs.home, ".cursor", "hooks.json");
  const broken = (more: object) =>
    writeFileSync(file, JSON.stringify({ version: 1, hooks: { preToolUse: [{ command: "exit 1", ...more }] } }));
  broken({});
  await runs.events(scenarioPrompt("write", "open.txt"));
  expect(existsSync(join(runs.cwd, "open.txt"))).toBe(true);
  broken({ failClosed: true });
  await runs.events(scenarioPrompt("write", "closed.txt"));
  expect(existsSync(join(runs.cwd, "closed.txt"))).toBe(false);
  rmSync(file);
});

test("prints the older shape: the tool at the top level, no id, and how it failed", async () => {
  const old = { traps: { OLD_SHAPE: true } };
  const told = await runs.events(scenarioPrompt("read", "x.txt"), [], old);
  expect(told.filter(({ type }) => type === "tool_call")).toMatchObject([
    { subtype: "started", tool: "read", args: { path: join(runs.cwd, "x.txt") } },
    { subtype: "completed", tool: "read", result: {} },
  ]);
  expect(JSON.stringify(told)).not.toMatch(/call_id|timestamp_ms|usage/);
  expect((await runs.events(scenarioPrompt("error-500"), [], old)).at(-1)).toMatchObject({
    type: "result",
    subtype: "error",
    is_error: true,
  });
});

test("does not exit, with its input open or in any case", async () => {
  for (const [traps, args] of [
    [{ OPEN_STDIN: true }, [...streamed, scenarioPrompt("text")]],
    [{ HANG_AFTER_RESULT: true }, [...streamed, scenarioPrompt("text")]],
    [{ CREATE_CHAT_STAYS: true }, ["create-chat"]],
  ] as const) {
    const child = runs.start(args, { traps });
    let told = "";
    for await (const piece of child.stdout)
      if ((told += String(piece)).includes(args.length > 1 ? '"result"' : "\n")) break;
    expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

test("prints noise between events, and a mirror on stderr", async () => {
  const { stdout, stderr } = await runs.run(streamed, scenarioPrompt("text"), { traps: { NOISE: true, MIRROR: true } });
  expect(stdout).toContain("\nT: ");
  expect(stderr).toContain('"type":"result"');
});

test("loses the service for a moment", async () => {
  expect(kinds(await runs.events(scenarioPrompt("error-500-once")))).toEqual([
    ...["system/init", "user", "connection/reconnecting", "retry/starting", "connection/reconnected"],
    ...["assistant", "result/success"],
  ]);
});

test("prints the output of its short commands", async () => {
  const json = async (...args: string[]) => JSON.parse((await runs.run(args)).stdout) as object;
  expect(await json("status", "--format", "json")).toMatchObject({ isAuthenticated: true });
  expect(await json("about", "--format", "json")).toMatchObject({ cliVersion: "2026.10.01-0a1b2c3" });
  const { stdout } = await runs.run(["models"]);
  expect(stdout).toMatch(/^Available models\n\nauto - Auto \([a-z, ]*default\)\n/);
  mkdirSync(join(runs.cwd, ".cursor"), { recursive: true });
  writeFileSync(join(runs.cwd, ".cursor", "mcp.json"), JSON.stringify({ mcpServers: { scripted: mcpServer() } }));
  expect((await runs.run(["mcp", "list"])).stdout).toBe("scripted: not loaded (needs approval)\n");
  await runs.run(["mcp", "enable", "scripted"]);
  expect((await runs.run(["mcp", "list-tools", "scripted"])).stdout).toContain("- add (a, b)\n");
  expect(texts(await runs.events(scenarioPrompt("mcp")))).toEqual(["The server said: The sum is 5."]);
});

test('takes the word "acp" as a prompt in a version before ACP', async () => {
  const { stdout } = await runs.run(["--trust", "acp"], "", { traps: { NO_ACP: true } });
  expect(stdout).toBe("Hello from the scripted model.\n");
});
