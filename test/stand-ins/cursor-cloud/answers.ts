/** Sends answers as JSON, with an ETag for lookups. */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fieldsOf, parsed, type Fields } from "../agent-loop/index.ts";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Fields;
}

/** An error answer; one without a code is plain. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string | undefined;

  constructor(status: number, message: string, code?: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const names: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  404: "Not Found",
  409: "Conflict",
  410: "Gone",
  429: "Too Many Requests",
};

export async function callOf(request: IncomingMessage): Promise<Call> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: fieldsOf(parsed(Buffer.concat(parts).toString("utf8"))),
  };
}

export function answer(response: ServerResponse, { method, headers }: Call, body: object, status = 200): void {
  const json = JSON.stringify(body);
  const tag = `"${createHash("sha256").update(json).digest("hex").slice(0, 16)}"`;
  if (method === "GET" && headers["if-none-match"] === tag) return void response.writeHead(304, { etag: tag }).end();
  const tagged = method === "GET" ? { etag: tag } : {};
  response.writeHead(status, { "content-type": "application/json", ...tagged }).end(json);
}

export function refuse(response: ServerResponse, { status, message, code }: Refusal): void {
  const body = { ...(code !== undefined && { code }), error: names[status] ?? "Error", message };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
