import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { hookScene, runHook, type HookScene } from "../../../../test/support/cursor-hooks.ts";
import { longestMs } from "../../../events/deadlines.ts";
import { createRedactor } from "../../../events/redact.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { Answer } from "../../contract.ts";
import { eventsFor, gates } from "./events.ts";
import { variables } from "./shim.ts";

const shell = (command: string, id = "call-1"): object => ({
  tool_name: "Shell",
  tool_input: { command },
  tool_use_id: id,
  generation_id: "g1",
});

/** Runs the hook and answers its request. */
async function answered(at: HookScene, event: string, input: unknown, answer: Answer): Promise<unknown> {
  const held = at.next("tool.held");
  const ran = at.run(event, input);
  at.hooks.answer((await held).requestId, answer);
  const { code, stdout } = await ran;
  // Exit code 2 blocks a denied call, whatever other hooks say.
  expect(code).toBe(answer.decision === "deny" ? 2 : 0);
  return JSON.parse(stdout);
}

describe("hooks in a plugin of Reins", () => {
  test("change no file of the user, have no secret in their commands, and are removed with the session", async () => {
    await using at = await hookScene();
    const { hooks } = at;
    expect(hooks.args[0]).toBe("--plugin-dir");
    const [, plugin = ""] = hooks.args;
    expect(JSON.parse(readFileSync(join(plugin, ".cursor-plugin", "plugin.json"), "utf8"))).toMatchObject({
      name: "reins",
    });
    const text = readFileSync(join(plugin, "hooks", "hooks.json"), "utf8");
    const { hooks: entries } = JSON.parse(text) as {
      hooks: Record<string, { timeout: number; failClosed?: boolean }[]>;
    };
    expect(Object.keys(entries).toSorted()).toEqual([...eventsFor("2026.10.01-x")].toSorted());
    for (const event of eventsFor("2026.10.01-x")) {
      const [entry] = entries[event] ?? [];
      expect(entry).toMatchObject(gates(event) ? { timeout: 305, failClosed: true } : { timeout: 10 });
      expect("failClosed" in entry!).toBe(gates(event));
    }
    expect(text).not.toMatch(/:\/\//);
    expect(text).not.toContain(hooks.env[variables.token]);
    const address = hooks.env[variables.address] ?? "";
    expect(statSync(address).isSocket()).toBe(true);
    expect([statSync(address), statSync(dirname(address))].map(({ mode }) => mode & 0o777)).toEqual([0o600, 0o700]);
    expect(existsSync(join(at.folder, ".cursor"))).toBe(false);
    await hooks.close();
    await hooks.close();
    expect(existsSync(plugin)).toBe(false);
    expect(existsSync(address)).toBe(false);
  });

  test("hold a call until the policy decides", async () => {
    await using at = await hookScene();
    expect(await answered(at, "preToolUse", shell("ls", "a"), { decision: "allow" })).toEqual({ permission: "allow" });
    expect(at.said[0]).toMatchObject({
      type: "tool.held",
      callId: "a",
      tool: "shell",
      nativeName: "Shell",
      title: "Run ls",
      input: { command: "ls" },
    });
    expect(await answered(at, "preToolUse", shell("rm x", "b"), { decision: "deny", message: "No." })).toEqual({
      permission: "deny",
      user_message: "No.",
      agent_message: "No.",
    });
    expect(await answered(at, "preToolUse", shell("date", "c"), { decision: "defer" })).toEqual({});
    expect(at.hooks.held("a")).toBe(true);
    expect(at.hooks.held("z")).toBe(false);
  });

  test("ask a person once and run the changed input", async () => {
    await using at = await hookScene();
    const asked = at.next("permission.requested");
    const held = at.next("tool.held");
    const ran = at.run("preToolUse", shell("npm i"));
    const { requestId } = await held;
    expect(at.hooks.answer(requestId, { decision: "ask" })).toBe(true);
    expect(at.hooks.answer(requestId, { decision: "allow" })).toBe(false);
    const question = await asked;
    expect(question).toMatchObject({ callId: "call-1", tool: "shell", title: "Run npm i" });
    expect(at.hooks.answer(question.requestId, { decision: "allow", changedInput: { command: "npm ci" } })).toBe(true);
    expect(at.hooks.answer(question.requestId, { decision: "deny" })).toBe(false);
    expect(JSON.parse((await ran).stdout)).toEqual({ permission: "allow", updated_input: { command: "npm ci" } });
    expect(at.hooks.approved("call-1")).toBe(true);
    // The hook right before the call is about the changed command.
    const before = at.said.length;
    expect(JSON.parse((await at.run("beforeShellExecution", { command: "npm ci" })).stdout)).toEqual({
      permission: "allow",
    });
    expect(at.said).toHaveLength(before);
    // A later run is another call.
    expect(
      await answered(at, "beforeShellExecution", { command: "npm ci" }, { decision: "deny", message: "No." }),
    ).toMatchObject({ permission: "deny" });
  });

  test("deny when nobody answers in time, when nobody waits any more, and when the session ends", async () => {
    await using at = await hookScene({ deadlines: { permission: 1 } });
    // The server denies before the script times out.
    const late = await at.run("preToolUse", shell("ls"));
    expect(JSON.parse(late.stdout)).toMatchObject({ permission: "deny", user_message: "Nobody answered in time." });
    await using other = await hookScene();
    const held = other.next("tool.held");
    const open = other.run("preToolUse", shell("ls"));
    await held;
    await other.hooks.close();
    const { code, stdout } = await open;
    expect(code === 2 || (JSON.parse(stdout) as { permission: string }).permission === "deny").toBe(true);
  });

  test("wait at most a day, even when a person may take longer", async () => {
    await using at = await hookScene({ deadlines: { permission: longestMs } });
    expect(at.hooks.env[variables.wait]).toBe("86403");
    const file = join(at.hooks.args[1] ?? "", "hooks", "hooks.json");
    const { hooks } = JSON.parse(readFileSync(file, "utf8")) as { hooks: Record<string, { timeout: number }[]> };
    expect(hooks["preToolUse"]?.[0]?.timeout).toBe(86_405);
  });

  test("add the system prompt but no secrets, accept only prompts that Reins sent, and never continue a turn", async () => {
    let isPrompted = true;
    await using at = await hookScene({
      open: {
        systemPrompt: { text: "Be kind.", how: "append" },
        env: { A: "1", CURSOR_API_KEY: "key-1234567890" },
      },
      isPrompted: () => isPrompted,
    });
    const said = async (event: string, input: object): Promise<unknown> =>
      JSON.parse((await at.run(event, input)).stdout);
    for (const _process of [1, 2])
      expect(await said("sessionStart", {})).toEqual({ env: { A: "1" }, additional_context: "Be kind." });
    expect(await said("beforeSubmitPrompt", { prompt: "do it" })).toEqual({ continue: true });
    isPrompted = false;
    const refused = await at.run("beforeSubmitPrompt", { prompt: "do it" });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/did not send this prompt/) as string });
    expect(JSON.parse(refused.stdout)).toMatchObject({ continue: false });
    expect(await said("stop", { status: "completed", loop_count: 0 })).toEqual({});
    expect(await said("preCompact", { trigger: "auto", context_tokens: 0 })).toEqual({});
    expect(at.said).toEqual([
      { type: "notice", level: "info", code: "hooks", message: expect.stringMatching(/as context/) as string },
      { type: "context.compacted", trigger: "auto" },
    ]);
  });

  test("pass nothing when nothing was requested, and no prompt that should replace Cursor's own", async () => {
    await using at = await hookScene({ open: { systemPrompt: { text: "Be kind.", how: "replace" } } });
    expect(await at.run("sessionStart", {})).toMatchObject({ code: 0, stdout: "{}" });
    expect(at.said).toEqual([]);
  });

  test("redact their token from every output", async () => {
    await using at = await hookScene();
    const token = at.hooks.env[variables.token] ?? "";
    expect(token.length).toBeGreaterThan(40);
    expect(createRedactor({})(`REINS_HOOK_TOKEN=${token}\n`)).not.toContain(token.slice(-20));
  });

  test("ignore missing, null or odd fields that need no decision", async () => {
    await using at = await hookScene();
    const odd = {
      model: null,
      user_email: 7,
      cwd: null,
      agent_message: null,
      workspace_roots: "x",
      generation_id: null,
    };
    expect(await answered(at, "preToolUse", { ...shell("ls"), ...odd }, { decision: "allow" })).toEqual({
      permission: "allow",
    });
    expect(at.said).toMatchObject([{ type: "tool.held", input: { command: "ls" } }]);
  });

  test("do nothing for other processes, whether Reins runs or not", async () => {
    await using at = await hookScene();
    const commands = ["preToolUse", "stop"].map((event) => at.command(event));
    for (const command of commands) expect(await runHook(command, {})).toEqual({ code: 0, stdout: "{}", stderr: "" });
    expect(at.said).toEqual([]);
  });

  test("deny a call with an invalid payload, and ignore other invalid hooks", async () => {
    await using at = await hookScene();
    for (const input of ["not json", "[]", "", { tool_name: 7 }])
      expect(JSON.parse((await at.run("preToolUse", input)).stdout)).toMatchObject({ permission: "deny" });
    expect(JSON.parse((await at.run("beforeSubmitPrompt", "x")).stdout)).toMatchObject({ continue: false });
    expect(JSON.parse((await at.run("afterFileEdit", "x")).stdout)).toEqual({});
    expect(at.said.every((event) => event.type === "notice" && event.code === "unparsed")).toBe(true);
    const stranger = await runHook(at.command("preToolUse"), {}, { ...at.hooks.env, [variables.token]: "guess" });
    expect(stranger).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("hooks that never fire", () => {
  const call = { type: "tool.started", callId: "s", tool: "shell", nativeName: "shell", kind: "execute" } as const;
  const ran: readonly AgentEvent[] = [
    { ...call, title: "Run ls", input: { command: "ls" } },
    { type: "tool.completed", callId: "s", output: { text: "", bytes: 0, kept: 0 } },
  ];
  const types = (events: readonly AgentEvent[]): string[] => events.map(({ type }) => type);

  test("are reported once, after the first tool, with what to do", async () => {
    await using at = await hookScene();
    expect(types(at.hooks.merge(ran.slice(0, 1)))).toEqual(["tool.started"]);
    const after = at.hooks.merge([...ran.slice(1), ...ran]);
    expect(types(after)).toEqual(["tool.completed", "notice", "tool.started", "tool.completed"]);
    const message = expect.stringMatching(/no hook of Reins has fired.* REINS_CURSOR_HOOKS=project/) as string;
    expect(after[1]).toEqual({ type: "notice", level: "warning", code: "hooks", message });
    expect(types(at.hooks.merge(ran))).toEqual(types(ran));
  });

  test("are reported with the name of the file", async () => {
    await using at = await hookScene({ env: { REINS_CURSOR_HOOKS: "project" } });
    const file = join(at.folder, ".cursor", "hooks.json");
    expect(at.hooks.merge(ran)[2]).toMatchObject({ message: expect.stringContaining(file) as string });
  });

  test("are not reported when any hook has fired", async () => {
    await using at = await hookScene();
    await at.run("sessionStart", {});
    expect(types(at.hooks.merge(ran))).toEqual(types(ran));
  });
});

describe("hooks that cannot be installed", () => {
  test("are reported and the session continues without; fail the session when the user required them", async () => {
    await using at = await hookScene({ version: "2026.05.20-x" });
    expect([at.hooks.args, at.hooks.env]).toEqual([[], {}]);
    expect(at.said).toMatchObject([
      { type: "notice", code: "hooks", message: expect.stringMatching(/continues without/) as string },
    ]);
    await expect(hookScene({ version: undefined, env: { REINS_CURSOR_HOOKS: "plugin" } })).rejects.toThrow(
      /no hooks of plugins/,
    );
    await expect(hookScene({ env: { REINS_CURSOR_HOOKS: "here" } })).rejects.toThrow(
      /REINS_CURSOR_HOOKS has an invalid value/,
    );
  });

  test("are not installed when switched off", async () => {
    await using at = await hookScene({ env: { REINS_CURSOR_HOOKS: "off" } });
    const events = [{ type: "turn.ended", outcome: "done" }] as const;
    expect(at.hooks.merge(events)).toBe(events);
    expect([
      "REINS_HOOK_TOKEN" in at.hooks.env,
      at.hooks.answer("x", { decision: "allow" }),
      at.hooks.held("x"),
      at.hooks.approved("x"),
    ]).toEqual([false, false, false, false]);
    expect(at.said).toEqual([]);
  });
});
