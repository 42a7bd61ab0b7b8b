/** Session options of Codex. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { mcpServer } from "../../../src/testing/mcp-server.ts";
import { all, one } from "../support/events.ts";
import { realAgent } from "../support/real-agent.ts";

test("asks for an MCP server's tool, can allow it for the session, and keeps the person's own servers", async () => {
  const real = await realAgent("codex");
  const own = mcpServer();
  if (!("command" in own)) throw new Error("It is a program.");
  const lines = `[mcp_servers.own]\ncommand = ${JSON.stringify(own.command)}\nargs = ${JSON.stringify(own.args)}\n`;
  appendFileSync(join(real.home, ".codex", "config.toml"), lines);
  let asked = 0;
  const onPermission = () => (asked++, "always" as const);
  const asks = await real.session({ mode: "ask", mcpServers: { scripted: mcpServer() }, onPermission });
  const { events } = await real.turn(asks, scenarioPrompt("mcp"));
  expect(one(events, "permission.requested")).toMatchObject({
    tool: "mcp",
    title: "scripted: add",
    input: { a: 2, b: 3 },
    mcp: { server: "scripted", tool: "add" },
    callId: one(events, "tool.started").callId,
  });
  expect((await real.turn(asks, scenarioPrompt("mcp"))).result.text).toContain("The sum is 5.");
  expect(asked).toBe(1);
  expect((await real.turn(asks, scenarioPrompt("mcp", "own"))).result.text).toContain("The sum is 5.");
  expect(real.model.requests.length).toBe(6);
});

test("reports an MCP server that does not start", async () => {
  const real = await realAgent("codex");
  const asks = await real.session({ mode: "ask", mcpServers: { gone: { command: "there-is-no-such-program" } } });
  await real.turn(asks, scenarioPrompt("text"));
  expect(await real.when(asks, "notice")).toMatchObject({
    level: "warning",
    message: expect.stringContaining("MCP server gone"),
  });
});

test("leaves out an MCP server that Codex cannot reach, and says so", async () => {
  const real = await realAgent("codex");
  const far = { type: "sse", url: "http://127.0.0.1:1/" } as const;
  const asks = await real.reins.session({ agent: "codex", cwd: real.cwd, mcpServers: { far } });
  const turn = asks.prompt(scenarioPrompt("text"));
  const events = [];
  for await (const event of turn) events.push(event);
  expect(one(events, "notice")).toMatchObject({ code: "divergence", message: expect.stringContaining("far") });
});

test("cuts off the turn that a prompt is steered into, without remembering it", async () => {
  const real = await realAgent("codex");
  const asks = await real.session({ mode: "ask" });
  const running = real.turn(asks, scenarioPrompt("slow-text"));
  await real.when(asks, "message.delta");
  const steered = asks.prompt(scenarioPrompt("echo", "and-this"), { whenBusy: "steer" });
  const { result, events } = await running;
  expect(all(events, "message.discarded")).toMatchObject([{ reason: "steered" }]);
  expect(result).toMatchObject({ outcome: "done", text: "and-this" });
  expect(await steered.result).toMatchObject({ text: "and-this" });
  expect(JSON.stringify(real.model.requests.at(-1)?.body)).not.toContain("The first half");
});

test("reports a conversation as busy that another process has open", async () => {
  const real = await realAgent("codex");
  const { result } = await real.turn(await real.session({ mode: "ask" }), scenarioPrompt("text"));
  await expect(real.session({ mode: "ask", resume: result.state })).rejects.toMatchObject({ code: "session_busy" });
});
