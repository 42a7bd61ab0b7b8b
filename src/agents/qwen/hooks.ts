/**
 * Qwen Code's own hooks, answered by Reins: it posts each to a server on loopback and waits for the answer. They hold every tool
 * before it runs, also a subagent's, which has no other way to ask. Nobody who does not know the address is answered.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { record } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

/** The program goes on without an answer after a minute, and then the tool runs: before that it is told no. */
export const hookMs = 50_000;

export type HookName = "SessionStart" | "PreToolUse" | "PermissionRequest" | "SubagentStop" | "PostCompact";
export const hookNames: readonly HookName[] = [
  "SessionStart",
  "PreToolUse",
  "PermissionRequest",
  "SubagentStop",
  "PostCompact",
];

/** Gives the answer; `signal` is aborted when the program no longer waits for it. */
export type HookHandler = (name: string, input: Wire, signal: AbortSignal) => object | Promise<object>;

export interface Hooks {
  readonly url: string;
  close(): void;
}

export async function openHooks(handler: HookHandler, maxBytes: number): Promise<Hooks> {
  const secret = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    if (request.method !== "POST" || !isSame(request.url ?? "", `/${secret}`)) return void end(response, 404, {});
    void answer(request, response, handler, maxBytes).catch(() => end(response, 500, {}));
  });
  // A tool may wait as long as it likes; and waiting for tools keeps nobody alive.
  server.requestTimeout = 0;
  server.listen(0, "127.0.0.1");
  server.unref();
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${secret}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handler: HookHandler,
  maxBytes: number,
): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return end(response, 413, {});
    chunks.push(chunk);
  }
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const input = record(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  end(response, 200, await handler(String(input["hook_event_name"]), input, gone.signal));
}

function end(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
