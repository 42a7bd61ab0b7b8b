#!/usr/bin/env node
// A minimal ACP agent. The prompt "flood <updates> <bytes per update>" makes it print that many updates, with "apart" each as a separate
// message. "pace <updates> <per second>" prints them at that pace, each as a separate message with the time when it was printed. Any other
// prompt is answered "ok".
import { createInterface } from "node:readline";
import { paced } from "./paced.mjs";

const line = (message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const write = (text) =>
  process.stdout.write(text) ? undefined : new Promise((resolve) => process.stdout.once("drain", resolve));
const chunk = (text, messageId) =>
  line({
    method: "session/update",
    params: {
      sessionId: "s",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId },
    },
  });

async function flood(updates, bytes) {
  const text = chunk("x".repeat(Math.max(1, bytes - Buffer.byteLength(chunk("")))));
  const many = Math.max(1, Math.floor(65_536 / text.length));
  for (let printed = 0; printed < updates; printed += many) await write(text.repeat(Math.min(many, updates - printed)));
}

async function floodApart(updates, bytes) {
  const text = "x".repeat(bytes);
  for (let printed = 0; printed < updates; printed++) await write(chunk(text, `m${printed}`));
}

async function pace(updates, perSecond) {
  let printed = 0;
  for await (const count of paced(updates, perSecond))
    for (let i = 0; i < count; i++) await write(chunk(String(process.hrtime.bigint()), `m${printed++}`));
}

async function answer({ id, method, params }) {
  const reply = (result) => write(line({ id, result }));
  if (method === "initialize")
    return reply({ protocolVersion: 1, agentCapabilities: { loadSession: false }, authMethods: [] });
  if (method === "session/new") return reply({ sessionId: "s" });
  if (method !== "session/prompt") return id === undefined ? undefined : reply({});
  const words = /(flood|pace) (\d+) (\d+)( apart)?/.exec(params.prompt[0].text)?.slice(1);
  if (words === undefined) await write(chunk("ok"));
  else if (words[0] === "pace") await pace(Number(words[1]), Number(words[2]));
  else await (words[3] === undefined ? flood : floodApart)(Number(words[1]), Number(words[2]));
  return reply({ stopReason: "end_turn" });
}

createInterface({ input: process.stdin }).on("line", (text) => void answer(JSON.parse(text)));
