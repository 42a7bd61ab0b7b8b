#!/usr/bin/env node
// Implements just enough of the stream-json protocol to be opened and prompted, then prints a prepared stream as fast as its reader takes
// it. The prompt says how much: "flood <lines> <bytes per line>". "forever" floods until it is interrupted.
import { createInterface } from "node:readline";

const session = "bench";
if (process.argv.includes("--version")) {
  process.stdout.write("2.1.325 (Claude Code)\n");
  process.exit(0);
}
if (process.argv.includes("auth")) {
  process.stdout.write('{"loggedIn":true,"authMethod":"api_key","apiKeySource":"ANTHROPIC_API_KEY"}\n');
  process.exit(0);
}

const line = (message) => `${JSON.stringify({ ...message, session_id: session })}\n`;
const event = (inner) =>
  line({ type: "stream_event", event: inner, parent_tool_use_id: null, uuid: "u", api_message_id: "m" });

/** Text deltas of one line length, in messages of about 10 kB, as an agent writes them. */
export function smallBlock(bytes) {
  const empty = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "" } });
  const text = "x".repeat(Math.max(1, bytes - Buffer.byteLength(empty)));
  const perMessage = Math.max(1, Math.floor(10_000 / text.length));
  const delta = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
  const message = (role) =>
    line({
      type: "assistant",
      message: { id: "m", role, model: "x", content: [{ type: "text", text: text.repeat(perMessage) }] },
      parent_tool_use_id: null,
    });
  return {
    lines: perMessage + 5,
    text:
      event({ type: "message_start", message: { id: "m", usage: { input_tokens: 1, output_tokens: 1 } } }) +
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
      delta.repeat(perMessage) +
      message("assistant") +
      event({ type: "content_block_stop", index: 0 }) +
      event({ type: "message_stop" }),
  };
}

function largeBlock(bytes, number) {
  const id = `toolu_${number}`;
  return (
    line({
      type: "assistant",
      message: {
        id: `m${number}`,
        role: "assistant",
        model: "x",
        content: [{ type: "tool_use", id, name: "Read", input: { file_path: "/x" } }],
      },
      parent_tool_use_id: null,
    }) +
    line({
      type: "user",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "y".repeat(bytes) }] },
      parent_tool_use_id: null,
    })
  );
}

let interrupted = false;
const write = (text) =>
  process.stdout.write(text) ? undefined : new Promise((resolve) => process.stdout.once("drain", resolve));

async function flood(lines, bytes) {
  process.stdout.write(
    line({
      type: "system",
      subtype: "init",
      cwd: process.cwd(),
      tools: [],
      model: "x",
      permissionMode: "default",
      slash_commands: [],
    }),
  );
  if (bytes >= 10_000) for (let i = 0; i < lines; i++) await write(largeBlock(bytes, i));
  else {
    const block = smallBlock(bytes);
    const many = block.text.repeat(Math.max(1, Math.floor(65_536 / block.text.length)));
    const linesOfMany = block.lines * Math.max(1, Math.floor(65_536 / block.text.length));
    for (let printed = 0; printed < lines && !interrupted; printed += linesOfMany) {
      await write(many);
      if (lines === Infinity) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const how = interrupted
    ? { subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_streaming" }
    : { subtype: "success", is_error: false, result: "" };
  process.stdout.write(
    line({
      type: "result",
      ...how,
      duration_ms: 1,
      num_turns: 1,
      total_cost_usd: 0,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  );
  interrupted = false;
}

const [, , direct, ...rest] = process.argv;
if (direct === "flood") {
  await flood(Number(rest[0]), Number(rest[1]));
} else {
  createInterface({ input: process.stdin }).on("line", (text) => {
    const message = JSON.parse(text);
    if (message.type === "control_request") {
      if (message.request.subtype === "interrupt") interrupted = true;
      process.stdout.write(
        `${JSON.stringify({ type: "control_response", response: { subtype: "success", request_id: message.request_id, response: {} } })}\n`,
      );
    } else if (message.type === "user") {
      const words = JSON.stringify(message.message.content).match(/flood (\w+) (\d+)/);
      void flood(words?.[1] === "forever" ? Infinity : Number(words?.[1] ?? 0), Number(words?.[2] ?? 200));
    }
  });
}
