#!/usr/bin/env node
// A minimal client of acp-agent.mjs: splits lines and parses JSON, nothing else. `node bare-acp.mjs <prompt>` sends one prompt.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const agentPath = fileURLToPath(new URL("acp-agent.mjs", import.meta.url));

export async function bareClient() {
  // Start it in its own process group, as Reins starts its children: Linux schedules the processor by these groups.
  const child = spawn(process.execPath, [agentPath], { stdio: ["pipe", "pipe", "inherit"], detached: true });
  const waiting = new Map();
  let next = 0;
  let updates = 0;
  let rest = [];
  child.stdout.on("data", (data) => {
    let start = 0;
    for (let end = data.indexOf(10); end !== -1; end = data.indexOf(10, start)) {
      const last = data.subarray(start, end);
      const text = rest.length > 0 ? Buffer.concat([...rest, last]) : last;
      rest = [];
      start = end + 1;
      const message = JSON.parse(text.toString());
      if (message.id === undefined) updates++;
      else waiting.get(message.id)?.(message.result);
    }
    if (start < data.length) rest.push(data.subarray(start));
  });
  const request = (method, params) =>
    new Promise((resolve) => {
      const id = next++;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  await request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await request("session/new", { cwd: process.cwd(), mcpServers: [] });
  return {
    get updates() {
      return updates;
    },
    turn: (text) => request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
    close: () => child.kill(),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const client = await bareClient();
  await client.turn(process.argv[2] ?? "hello");
  process.stdout.write("ok\n");
  client.close();
}
