/** The part of an MCP client that stand-ins need: over stdio, or over HTTP with one answer per request. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fieldsOf, parsed, textOf } from "./fields.ts";

export interface McpServerSettings {
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface McpConnection {
  request(method: string, params: object): Promise<unknown>;
  close(): void;
}

export async function openMcpServer(settings: McpServerSettings, cwd: string): Promise<McpConnection> {
  const connection = settings.url === undefined ? overStdio(settings, cwd) : overHttp(settings.url, settings);
  const clientInfo = { name: "stand-in", version: "1.0.0" };
  await connection.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  return connection;
}

function overStdio({ command = "", args = [], env = {} }: McpServerSettings, cwd: string): McpConnection {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const fail = (error: Error): void => {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  child.on("error", fail);
  child.on("close", () => fail(new Error("The MCP server has ended.")));
  child.stdin.on("error", () => undefined);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = fieldsOf(parsed(line));
    const asked = waiting.get(Number(message["id"]));
    if (asked === undefined) return;
    waiting.delete(Number(message["id"]));
    if (message["error"] === undefined) asked.resolve(message["result"]);
    else asked.reject(new Error(textOf(fieldsOf(message["error"])["message"])));
  });
  let last = 0;
  return {
    request: (method, params) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, { resolve, reject });
        child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
      }),
    close: () => void child.kill(),
  };
}

function overHttp(url: string, { headers = {} }: McpServerSettings): McpConnection {
  let last = 0;
  return {
    async request(method, params) {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", id: ++last, method, params }),
      });
      const body = await response.text();
      const message = fieldsOf(parsed(/^data: (.*)$/m.exec(body)?.[1] ?? body));
      if (message["error"] !== undefined) throw new Error(textOf(fieldsOf(message["error"])["message"]));
      return message["result"];
    },
    close: () => undefined,
  };
}
