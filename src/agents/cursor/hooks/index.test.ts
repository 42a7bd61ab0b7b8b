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

/** Runs the hook, and answers what it comes to. */
async function answered(at: HookScene, event: string, input: unknown, answer: Answer): Promise<unknown> {
  const held = at.next("tool.held");
  const ran = at.run(event, input);
  at.hooks.answer((await held).requestId, answer);
  const { code, stdout } = await ran;
  // Whatever other hooks say: what is denied is blocked.
  expect(code).toBe(answer.decision === "deny" ? 2 : 0);
  return JSON.parse(stdout);
}

describe("hooks in a plugin of ours", () => {
  test("touch no file of the person's, have no secret in their commands, and go with the session", async () => {
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

  test("hold a call for the policy, whose word is the answer", async () => {
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

  test("ask a person, whose changed input is what runs, and who is asked once", async () => {
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
    // The hook that comes right before it runs is about the changed one.
    const before = at.said.length;
    expect(JSON.parse((await at.run("beforeShellExecution", { command: "npm ci" })).stdout)).toEqual({
      permission: "allow",
    });
    expect(at.said).toHaveLength(before);
    // Another time is another call.
    expect(
      await answered(at, "beforeShellExecution", { command: "npm ci" }, { decision: "deny", message: "No." }),
    ).toMatchObject({ permission: "deny" });
  });

  test("deny when nobody answers in time, when nobody waits any more, and when the session ends", async () => {
    await using at = await hookScene({ deadlines: { permission: 1 } });
    // The server says no before the script gives up.
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

  test("wait no longer than a day, however long a person may take", async () => {
    await using at = await hookScene({ deadlines: { permission: longestMs } });
    expect(at.hooks.env[variables.wait]).toBe("86403");
    const file = join(at.hooks.args[1] ?? "", "hooks", "hooks.json");
    const { hooks } = JSON.parse(readFileSync(file, "utf8")) as { hooks: Record<string, { timeout: number }[]> };
    expect(hooks["preToolUse"]?.[0]?.timeout).toBe(86_405);
  });

  test("give a beginning without secrets, let pass what Reins prompted, and leave going on to the session", async () => {
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

  test("begin with nothing where nothing was asked for, and with no prompt that should replace Cursor's own", async () => {
    await using at = await hookScene({ open: { systemPrompt: { text: "Be kind.", how: "replace" } } });
    expect(await at.run("sessionStart", {})).toMatchObject({ code: 0, stdout: "{}" });
    expect(at.said).toEqual([]);
  });

  test("have a token that is taken out of whatever shows it", async () => {
    await using at = await hookScene();
    const token = at.hooks.env[variables.token] ?? "";
    expect(token.length).toBeGreaterThan(40);
    expect(createRedactor({})(`REINS_HOOK_TOKEN=${token}\n`)).not.toContain(token.slice(-20));
  });

  test("pass over what is missing, null or odd in what nothing is decided about", async () => {
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

  test("do nothing for anybody else, whether Reins lives or not", async () => {
    await using at = await hookScene();
    const commands = ["preToolUse", "stop"].map((event) => at.command(event));
    for (const command of commands) expect(await runHook(command, {})).toEqual({ code: 0, stdout: "{}", stderr: "" });
    expect(at.said).toEqual([]);
  });

  test("say nothing that makes no sense to a call that does: it is denied, and other hooks are let be", async () => {
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

describe("where no hook fires", () => {
  const call = { type: "tool.started", callId: "s", tool: "shell", nativeName: "shell", kind: "execute" } as const;
  const ran: readonly AgentEvent[] = [
    { ...call, title: "Run ls", input: { command: "ls" } },
    { type: "tool.completed", callId: "s", output: { text: "", bytes: 0, kept: 0 } },
  ];
  const types = (events: readonly AgentEvent[]): string[] => events.map(({ type }) => type);

  test("that is said once, after the first tool, with what to do", async () => {
    await using at = await hookScene();
    expect(types(at.hooks.merge(ran.slice(0, 1)))).toEqual(["tool.started"]);
    const after = at.hooks.merge([...ran.slice(1), ...ran]);
    expect(types(after)).toEqual(["tool.completed", "notice", "tool.started", "tool.completed"]);
    const message = expect.stringMatching(/no hook of Reins has fired.* REINS_CURSOR_HOOKS=project/) as string;
    expect(after[1]).toEqual({ type: "notice", level: "warning", code: "hooks", message });
    expect(types(at.hooks.merge(ran))).toEqual(types(ran));
  });

  test("of a file it is the file that is named", async () => {
    await using at = await hookScene({ env: { REINS_CURSOR_HOOKS: "project" } });
    const file = join(at.folder, ".cursor", "hooks.json");
    expect(at.hooks.merge(ran)[2]).toMatchObject({ message: expect.stringContaining(file) as string });
  });

  test("nothing is said where one has fired, whichever", async () => {
    await using at = await hookScene();
    await at.run("sessionStart", {});
    expect(types(at.hooks.merge(ran))).toEqual(types(ran));
  });
});

describe("where hooks cannot be", () => {
  test("the session goes on without, and says so; who asked for them is refused", async () => {
    await using at = await hookScene({ version: "2026.05.20-x" });
    expect([at.hooks.args, at.hooks.env]).toEqual([[], {}]);
    expect(at.said).toMatchObject([
      { type: "notice", code: "hooks", message: expect.stringMatching(/goes on without/) as string },
    ]);
    await expect(hookScene({ version: undefined, env: { REINS_CURSOR_HOOKS: "plugin" } })).rejects.toThrow(
      /no hooks of plugins/,
    );
    await expect(hookScene({ env: { REINS_CURSOR_HOOKS: "here" } })).rejects.toThrow(
      /REINS_CURSOR_HOOKS makes no sense/,
    );
  });

  test("nothing is there when they are switched off", async () => {
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
