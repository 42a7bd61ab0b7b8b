/**
 * The minimum that shows the stream of an ACP agent above a prompt: no Markdown, no colours, no history. `node tui.ts <agent.mjs> <first
 * prompt>`.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [agent = "", first = ""] = process.argv.slice(2);
const child = spawn(process.execPath, [agent], { stdio: ["pipe", "pipe", "inherit"] });
const send = (id: number, method: string, params: object) =>
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
let text = "";
let typed = "";
let timer: NodeJS.Timeout | undefined;
const draw = () => {
  timer = undefined;
  const { columns, rows } = process.stdout;
  const shown = text
    .slice(-columns * rows)
    .split("\n")
    .flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, "g")) ?? [""]);
  const lines = [...shown.slice(1 - rows), `> ${typed}`];
  process.stdout.write(`\x1b[?2026h\x1b[H${lines.join("\x1b[K\r\n")}\x1b[K\x1b[J\x1b[?2026l`);
};
createInterface({ input: child.stdout }).on("line", (line) => {
  const { id, params } = JSON.parse(line) as { id?: number; params?: { update?: { content?: { text?: string } } } };
  if (id === 1) send(2, "session/new", { cwd: process.cwd(), mcpServers: [] });
  if (id === 2) send(3, "session/prompt", { sessionId: "s", prompt: [{ type: "text", text: first }] });
  text = (text + (params?.update?.content?.text ?? "")).slice(-100_000);
  timer ??= setTimeout(draw, 16);
});
send(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
process.stdin.setRawMode(true).on("data", (keys) => {
  typed = (typed + keys.toString()).slice(-60);
  draw();
});
draw();
