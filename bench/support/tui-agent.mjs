#!/usr/bin/env node
// An ACP agent for the terminal interface. "history <n>" answers with that many Markdown messages; "stream <n> <a second>" streams one answer with code blocks in that many pieces.
import { createInterface } from "node:readline";
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
const part = (n) =>
  `## Part ${n}\n\nSome **bold** words with \`code\` that go on until they wrap over more than one row of the screen.\n\n- one\n- two\n\n\`\`\`ts\n${`const value = compute("${n}", 1) + other(2);\n`.repeat(12)}\`\`\`\n\n`;

async function answer({ id, method, params }) {
  const reply = (result) => send({ id, result });
  if (method === "initialize")
    return reply({ protocolVersion: 1, agentCapabilities: { loadSession: false }, authMethods: [] });
  if (method === "session/new") return reply({ sessionId: "s" });
  if (method !== "session/prompt") return id === undefined ? undefined : reply({});
  const [, word, count, perSecond] = /(history|stream) (\d+)(?: (\d+))?/.exec(params.prompt[0].text) ?? [];
  if (word === "history") for (let n = 0; n < Number(count); n++) chunk(part(n), `h${n}`);
  else if (word === "stream") {
    const text = Array.from({ length: 60 }, (_, n) => part(n)).join("");
    let at = 0;
    // Long answers come as messages of about 45 kB.
    for await (const due of paced(Number(count), Number(perSecond), 4))
      for (let i = 0; i < due; i++, at++)
        chunk(text.slice((at % 10_000) * 4, (at % 10_000) * 4 + 4), `s${Math.floor(at / 10_000)}`);
  } else chunk("ok", "m");
  return reply({ stopReason: "end_turn" });
}

createInterface({ input: process.stdin }).on("line", (text) => void answer(JSON.parse(text)));
