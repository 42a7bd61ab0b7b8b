#!/usr/bin/env node
// An ACP agent for the terminal interface. "history <n>" answers with that many Markdown messages; "stream <n> <per second>" streams
// answers with code blocks in that many pieces; any other prompt is answered with its length and hash.
import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import { markdownPart, streamedText } from "./streamed-text.mjs";
import { paced } from "./paced.mjs";

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const chunk = (text, messageId) =>
  send({
    method: "session/update",
    params: {
      sessionId: "s",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, messageId },
    },
  });

async function answer({ id, method, params }) {
  const reply = (result) => send({ id, result });
  if (method === "initialize")
    return reply({ protocolVersion: 1, agentCapabilities: { loadSession: false }, authMethods: [] });
  if (method === "session/new") return reply({ sessionId: "s" });
  if (method !== "session/prompt") return id === undefined ? undefined : reply({});
  const { text } = params.prompt[0];
  const [, word, count, perSecond] = /^(history|stream) (\d+)(?: (\d+))?$/.exec(text) ?? [];
  if (word === "history") for (let n = 0; n < Number(count); n++) chunk(markdownPart(n), `h${n}`);
  else if (word === "stream") {
    let at = 0;
    // Split a long answer into messages of about 45 kB.
    for await (const due of paced(Number(count), Number(perSecond), 4))
      for (let i = 0; i < due; i++, at++) chunk(streamedText(at), `s${Math.floor(at / 10_000)}`);
  } else chunk(`Received ${Buffer.byteLength(text)} bytes ${createHash("sha256").update(text).digest("hex")}`, "m");
  return reply({ stopReason: "end_turn" });
}

createInterface({ input: process.stdin }).on("line", (text) => void answer(JSON.parse(text)));
