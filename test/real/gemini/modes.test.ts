/** Each mode holds, also against settings that allow more. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt, type Scenario } from "../../../src/testing/index.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { lastAsked } from "./support/requests.ts";
import { noticesIn, turnOf } from "./support/turns.ts";

const findings = { SummaryOfFindings: "All is well.", ExplorationTrace: [], RelevantLocations: [] };
const planned = [
  { callNative: { name: "write_file", input: { file_path: "plan.md", content: "# Plan\n\n1. Write the file\n" } } },
  { callNative: { name: "exit_plan_mode", input: { plan_filename: "plan.md" } } },
];

/** The program writes a plan into its own file, and a subagent ends only by reporting that its task is complete. */
const scenarios: Scenario[] = [
  { name: "planned", steps: [planned, [{ call: { tool: "write", path: "x.txt", text: "x" } }], [{ say: "Done." }]] },
  {
    name: "delegate",
    steps: [
      [{ callNative: { name: "invoke_agent", input: { agent_name: "{arg}", prompt: "scenario:delegated Look." } } }],
      [{ say: "The subagent said: {lastResult}" }],
    ],
  },
  { name: "delegated", steps: [[{ callNative: { name: "complete_task", input: { report: findings } } }]] },
];

test("mode `read` only reads, whatever the person's own settings allow, and a plan cannot change that", async () => {
  const real = await realAgent("gemini", { scenarios });
  const file = join(real.home, ".gemini", "settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8")) as { tools: object };
  const allowed = ["run_shell_command", "write_file"];
  writeFileSync(file, JSON.stringify({ ...settings, tools: { ...settings.tools, allowed } }));
  writeFileSync(join(real.cwd, "hello.txt"), "hello\n");
  const asked: string[] = [];
  const session = await real.session({ mode: "read", onPermission: ({ tool }) => (asked.push(tool), "allow") });
  expect((await real.turn(session, scenarioPrompt("read"))).result.text).toContain("hello");
  expect(lastAsked(real.model).tools).not.toContain("run_shell_command");
  for (const [scenario, arg] of [["shell", "touch x.txt"], ["write", "x.txt"], ["planned"]] as const)
    await real.turn(session, scenarioPrompt(scenario, arg));
  expect(asked).toEqual([]);
  const plans = all(real.said(session), "tool.started").filter(({ nativeName }) => nativeName === "exit_plan_mode");
  const failed = all(real.said(session), "tool.failed").filter(({ callId }) => callId === plans[0]?.callId);
  expect(failed).toMatchObject([{ reason: "denied" }]);
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
  await real.turn(session, scenarioPrompt("shell", "touch x.txt"));
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
});

test("plan asks for approval with the plan's text, and asks for tools after the approval", async () => {
  const real = await realAgent("gemini", { scenarios });
  const asked: unknown[] = [];
  const session = await real.session({
    mode: "plan",
    onPermission: ({ tool, title, input }) => (asked.push({ tool, title, input }), "allow"),
  });
  const { events } = await real.turn(session, scenarioPrompt("planned"));
  expect(asked).toMatchObject([
    { tool: "plan", title: "Plan: Plan", input: { plan: expect.stringContaining("Write the file") as string } },
    { tool: "write", title: "Write x.txt" },
  ]);
  expect(all(events, "session.updated").at(-1)).toMatchObject({ mode: "ask", nativeMode: "default" });
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(true);
});

test("edits allows edits of the workspace and asks for commands, full asks nobody, and subagents only look", async () => {
  const real = await realAgent("gemini", { scenarios });
  const asked: string[] = [];
  const session = await real.session({ mode: "edits", onPermission: ({ tool }) => (asked.push(tool), "deny") });
  await real.turn(session, scenarioPrompt("write", "x.txt"));
  await real.turn(session, scenarioPrompt("shell", "touch y.txt"));
  expect(asked).toEqual(["shell"]);
  await session.configure({ mode: "full" });
  const { result } = await real.turn(session, scenarioPrompt("shell", "touch y.txt"));
  expect(result.filesChanged).toEqual(["y.txt"]);
  expect(asked).toEqual(["shell"]);
  // Gemini CLI refuses to start a subagent that could change files, because a subagent cannot ask for permission.
  const denied = await real.turn(session, scenarioPrompt("delegate", "generalist"));
  expect(one(denied.events, "tool.failed").error.message).toContain("denied by policy");
  const looked = await real.turn(session, scenarioPrompt("delegate", "codebase_investigator"));
  expect(one(looked.events, "tool.completed")).toBeDefined();
  expect(looked.result.text).toContain("All is well.");
});

test("a project's settings let nothing run without asking, even in a trusted folder", async () => {
  const real = await realAgent("gemini");
  mkdirSync(join(real.cwd, ".gemini"));
  writeFileSync(
    join(real.cwd, ".gemini", "settings.json"),
    JSON.stringify({ tools: { allowed: ["run_shell_command"] }, general: { defaultApprovalMode: "auto_edit" } }),
  );
  const asked: string[] = [];
  await using session = await real.reins.session({
    agent: "gemini",
    cwd: real.cwd,
    onPermission: ({ tool }) => (asked.push(tool), "deny"),
  });
  const { events } = await turnOf(session, scenarioPrompt("shell", "touch x.txt"));
  expect(noticesIn(events)).toEqual([expect.stringContaining("lets tools run without asking (tools.allowed)")]);
  await turnOf(session, scenarioPrompt("write", "x.txt"));
  expect(asked).toEqual(["shell", "write"]);
  expect(existsSync(join(real.cwd, "x.txt"))).toBe(false);
});

test("in an untrusted folder edits can be allowed for the session too, and full still works", async () => {
  const real = await realAgent("gemini");
  const { GEMINI_CLI_TRUST_WORKSPACE: _, ...env } = real.env;
  const reins = real.another({ env });
  let asked = 0;
  const session = await real.session({ onPermission: () => (asked++, "always") }, reins);
  const { result } = await real.turn(session, scenarioPrompt("two-tools"));
  expect(asked).toBe(1);
  expect(result.filesChanged).toEqual(["one.txt", "two.txt"]);
  await session.configure({ mode: "full" });
  expect(one((await real.turn(session, scenarioPrompt("write", "y.txt"))).events, "file.changed").path).toBe("y.txt");
});
