/** Behaviour that is specific to Claude Code behind claude-agent-acp. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeState, encodeState } from "../../../src/protocols/acp/index.ts";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { acpEntry } from "../../support/toy.ts";
import { realAgent } from "../support/real-agent.ts";

test("resumes a session in its own mode although it was left in a wider one", async () => {
  const real = await realAgent("claude-acp");
  const wide = acpEntry({
    id: "wide",
    command: real.env["REINS_CLAUDE_ACP_COMMAND"] ?? "",
    variables: Object.keys(real.env).filter((name) => /^(?:ANTHROPIC|CLAUDE|DISABLE)_/.test(name)),
    quirks: { modes: { full: { id: "acceptEdits" } }, ignored: ["_auth/status_update"] },
  });
  const loose = await real.another({ agents: [wide] }).session({ agent: "wide", cwd: real.cwd, mode: "full" });
  await loose.prompt(scenarioPrompt("write", "loose.txt")).result;
  const conversation = decodeState("wide", "Wide", loose.state ?? "");
  await loose.close();
  expect(existsSync(join(real.cwd, "loose.txt"))).toBe(true);

  const session = await real.session({ resume: encodeState("claude-acp", conversation) });
  expect(await real.when(session, "session.started")).toMatchObject({ mode: "ask", nativeMode: "default" });
  const { result, events } = await real.turn(session, scenarioPrompt("write", "held.txt"));
  expect(events.find(({ type }) => type === "permission.resolved")).toMatchObject({ outcome: "denied" });
  expect(result.outcome).toBe("done");
  expect(existsSync(join(real.cwd, "held.txt"))).toBe(false);
});

test("discards text from before a lost connection when it is sent again", async () => {
  const steps = [[{ say: "A whole ans" }, { pause: 500 }, { cut: { times: 1 } }, { say: "wer." }]];
  const real = await realAgent("claude-acp", {
    scenarios: [{ name: "cut-late", about: "Some of it was seen.", steps }],
  });
  const { result, events } = await real.turn(await real.session(), scenarioPrompt("cut-late"));
  expect(events.filter(({ type }) => type === "message.discarded")).toMatchObject([{ reason: "retry" }]);
  expect(events.filter(({ type }) => type === "message.completed")).toMatchObject([{ text: "A whole answer." }]);
  expect(result).toMatchObject({ outcome: "done", text: "A whole answer." });
});

test("keeps the conversation when switching to read and back, and has no changing tools in read", async () => {
  const real = await realAgent("claude-acp");
  const session = await real.session({ mode: "read" });
  await real.turn(session, scenarioPrompt("echo", "remember-me"));
  const answered = real.model.requests.findLast(({ kind }) => kind === "answer")!;
  const { tools } = answered.body as { tools: { name: string }[] };
  for (const name of ["Write", "Edit", "Bash", "Agent"]) expect(tools.map((tool) => tool.name)).not.toContain(name);
  await session.configure({ mode: "edits" });
  const { result } = await real.turn(session, scenarioPrompt("write", "y.txt"));
  expect(result).toMatchObject({ outcome: "done", filesChanged: ["y.txt"] });
  expect(JSON.stringify(real.model.requests.at(-1)?.body)).toContain("remember-me");
});

test("reports program, version, sign-in and models", async () => {
  const real = await realAgent("claude-acp");
  const status = await real.reins.agent("claude-acp");
  expect(status).toMatchObject({ ready: true, experimental: true, version: "0.99.1", signedIn: "yes" });
  expect(status.models?.map(({ id }) => id)).toEqual(expect.arrayContaining(["default", "opus", "haiku"]));
  const manage = await real.reins.manage("claude-acp");
  await expect(manage.mcp.list()).rejects.toMatchObject({
    code: "unsupported",
    help: expect.stringContaining("claude"),
  });
});
