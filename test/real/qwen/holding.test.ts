/** The agent's own hooks hold its tools, whatever the person's settings, the model or a subagent say. Runs as root, as containers do. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PermissionReply, PermissionRequest } from "../../../src/core/api.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { all, one, whole } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";
import { toldResults } from "./support/requests.ts";
import { writeSettings } from "./support/settings.ts";

const everythingAllowed = { permissions: { allow: ["Bash", "Edit", "Agent"] }, tools: { approvalMode: "yolo" } };
const touch = (file: string) => scenarioPrompt("shell", `touch ${file}`);
/** Starting a subagent needs a permission too. */
const allowTasks = ({ tool }: PermissionRequest): PermissionReply => (tool === "task" ? "allow" : "deny");

test("sends no model request when the settings turn hooks off", async () => {
  const real = await realAgent("qwen");
  writeSettings(real.home, { disableAllHooks: true });
  const session = await real.session({ mode: "full" });
  const { result } = await real.turn(session, scenarioPrompt("write", "no.txt"));
  expect(result).toMatchObject({
    outcome: "failed",
    error: { code: "unsupported", help: expect.stringContaining("disableAllHooks") },
  });
  expect(real.model.requests).toEqual([]);
  expect(existsSync(join(real.cwd, "no.txt"))).toBe(false);
});

test("behind a proxy, read denies all but reading although the settings allow it, also to a subagent", async () => {
  const proxy = "http://127.0.0.1:9";
  const env = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy, NO_PROXY: "example.com" };
  const real = await realAgent("qwen", { env });
  writeSettings(real.home, everythingAllowed);
  writeFileSync(join(real.cwd, "hello.txt"), "hello there\n");
  const session = await real.session({ mode: "read", onPermission: () => "allow" });
  for (const prompt of [
    touch("made.txt"),
    scenarioPrompt("write", "made.txt"),
    scenarioPrompt("subagent-permission"),
  ]) {
    const { result, events } = await real.turn(session, prompt);
    expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "policy" });
    expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
    expect(result.outcome).toBe("done");
  }
  expect(["made.txt", "sub.txt"].map((name) => existsSync(join(real.cwd, name)))).toEqual([false, false]);
  const { result } = await real.turn(session, scenarioPrompt("read"));
  expect(result.text).toContain("hello there");
});

test("plan denies edits and commands that the person's rules allow", async () => {
  const real = await realAgent("qwen");
  writeSettings(real.home, everythingAllowed);
  const session = await real.session({ mode: "plan", onPermission: () => "allow" });
  for (const prompt of [scenarioPrompt("write", "made.txt"), touch("made.txt")]) {
    const { events } = await real.turn(session, prompt);
    expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  }
  expect(existsSync(join(real.cwd, "made.txt"))).toBe(false);
});

test("ask and full respect the person's rules: allowed calls are not asked, denied ones do not run", async () => {
  const real = await realAgent("qwen");
  writeSettings(real.home, { permissions: { allow: ["Bash(touch allowed*)"], deny: ["Bash(touch denied*)"] } });
  const session = await real.session({ onPermission: () => "allow" });
  const allowed = await real.turn(session, touch("allowed.txt"));
  expect(all(allowed.events, "permission.requested")).toEqual([]);
  for (const mode of ["ask", "full"] as const) {
    await session.configure({ mode });
    const denied = await real.turn(session, touch("denied.txt"));
    expect(one(denied.events, "tool.failed")).toMatchObject({ reason: "denied" });
  }
  expect(["allowed.txt", "denied.txt"].map((name) => existsSync(join(real.cwd, name)))).toEqual([true, false]);
});

test("edits asks about files that could make code run", async () => {
  const real = await realAgent("qwen");
  const session = await real.session({ mode: "edits" });
  for (const path of [".git/hooks/pre-commit", ".qwen/settings.json", ".mcp.json", ".bashrc"]) {
    const { events } = await real.turn(session, scenarioPrompt("write", path));
    expect(one(events, "permission.resolved")).toMatchObject({ outcome: "denied", by: "deadline" });
    expect(existsSync(join(real.cwd, path))).toBe(false);
  }
});

test("applies a narrower mode during a turn from the next tool on", async () => {
  const steps = [
    [{ say: "Soon." }, { gate: "soon" }, { call: { tool: "write" as const, path: "made.txt", text: "x" } }],
    [{ say: "I was told: {lastResult}" }],
  ];
  const real = await realAgent("qwen", { scenarios: [{ name: "soon-write", steps }] });
  const session = await real.session({ mode: "full" });
  const turn = session.prompt(scenarioPrompt("soon-write"));
  await real.model.reached("soon");
  await session.configure({ mode: "read" });
  real.model.release("soon");
  const { events } = await whole(turn);
  expect(one(events, "tool.failed")).toMatchObject({ reason: "denied" });
  expect(existsSync(join(real.cwd, "made.txt"))).toBe(false);
});

test("respects the person's own hooks too", async () => {
  const real = await realAgent("qwen");
  const command = `printf '{"decision":"block","reason":"Not today."}'`;
  writeSettings(real.home, {
    hooks: { PreToolUse: [{ matcher: "write_file", hooks: [{ type: "command", command }] }] },
  });
  const session = await real.session({ mode: "full" });
  const blocked = await real.turn(session, scenarioPrompt("write", "no.txt"));
  expect(one(blocked.events, "tool.failed").error.message).toContain("Not today.");
  expect(existsSync(join(real.cwd, "no.txt"))).toBe(false);
});

test("a Qwen Code that a tool starts does not use our hooks", async () => {
  const real = await realAgent("qwen");
  const session = await real.session({ mode: "full" });
  const nested = `"$QWEN_CODE_CLI" ${JSON.stringify(scenarioPrompt("write", "nested.txt"))} --output-format json --approval-mode yolo`;
  const { events } = await real.turn(session, scenarioPrompt("shell", `${nested} > nested.json; echo over`));
  expect(existsSync(join(real.cwd, "nested.txt"))).toBe(true);
  expect(all(events, "tool.started")).toHaveLength(1);
});

const subagentWrites = (file: string) => scenarioPrompt("subagent", `scenario:write:${file} Do it.`);

test("asks for a subagent's commands and edits, which the program itself would not", async () => {
  const real = await realAgent("qwen");
  let reply: PermissionReply = "deny";
  const requests: PermissionRequest[] = [];
  const session = await real.session({
    onPermission(request) {
      requests.push(request);
      return request.tool === "task" ? "allow" : reply;
    },
  });
  const prompts = { "sub.txt": scenarioPrompt("subagent-permission"), "edit.txt": subagentWrites("edit.txt") };
  for (const [file, prompt] of Object.entries(prompts)) {
    for (reply of ["deny", "allow"] as const) {
      requests.length = 0;
      const { events } = await real.turn(session, prompt);
      const task = all(events, "tool.started").find((event) => event.tool === "task")!;
      expect(requests).toMatchObject([{ tool: "task" }, { parent: task.callId }]);
      expect(existsSync(join(real.cwd, file))).toBe(reply === "allow");
    }
  }
});

test("in mode edits a subagent's ordinary edit needs no permission, and others do", async () => {
  const real = await realAgent("qwen");
  const session = await real.session({ mode: "edits", onPermission: allowTasks });
  await real.turn(session, subagentWrites("sub.txt"));
  expect(existsSync(join(real.cwd, "sub.txt"))).toBe(true);
  const outside = join(real.home, "outside.txt");
  await real.turn(session, subagentWrites(encodeURIComponent(outside)));
  expect(existsSync(outside)).toBe(false);
});

test("allows edits always for the session, shows the diff, and passes a denial to the model", async () => {
  const real = await realAgent("qwen");
  const diffs: (string | undefined)[] = [];
  const session = await real.session({
    onPermission({ tool, diff }) {
      diffs.push(diff);
      return tool === "write" ? "always" : { decision: "deny", message: "Not on a Friday." };
    },
  });
  const first = await real.turn(session, scenarioPrompt("write", "a.txt"));
  expect(diffs[0]).toContain("+hello world");
  expect(one(first.events, "permission.resolved")).toMatchObject({ outcome: "allowed", rule: "edits" });
  expect(one(first.events, "file.changed")).toMatchObject({ op: "create", diff: expect.stringContaining("+hello") });
  const second = await real.turn(session, scenarioPrompt("write", "b.txt"));
  expect(all(second.events, "permission.requested")).toEqual([]);
  await real.turn(session, touch("no.txt"));
  expect(toldResults(real.model).at(-1)).toContain("Not on a Friday.");
  expect(["b.txt", "no.txt"].map((name) => existsSync(join(real.cwd, name)))).toEqual([true, false]);
});
