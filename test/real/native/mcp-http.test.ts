/** An MCP server over HTTP with a custom header. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { scenarioPrompt } from "../../../src/testing/index.ts";
import { realAgent } from "../support/real-agent.ts";

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { a: number; b: number } };
}

const inputSchema = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } };

function replyTo({ method, params }: Message): object | undefined {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "x", version: "1" },
      };
    case "tools/list":
      return { tools: [{ name: "add", inputSchema }] };
    case "tools/call":
      return { content: [{ type: "text", text: `The sum is ${params!.arguments!.a + params!.arguments!.b}.` }] };
    default:
      return undefined;
  }
}

async function serve(): Promise<{ url: string; headers: () => readonly (string | undefined)[] }> {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method !== "POST") return response.writeHead(405).end();
      seen.push(request.headers["x-made-up"] as string | undefined);
      const message = JSON.parse(body) as Message;
      if (message.id === undefined) return response.writeHead(202).end();
      const result = replyTo(message);
      const answer = result === undefined ? { error: { code: -32601, message: "No such method." } } : { result };
      return response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, headers: () => seen };
}

test("uses and holds its tools like any other", async () => {
  const real = await realAgent("native");
  const { url, headers } = await serve();
  const asked: unknown[] = [];
  const session = await real.session({
    mcpServers: { scripted: { type: "http", url, headers: { "x-made-up": "yes" } } },
    onPermission: (request) => {
      asked.push(request.mcp);
      return "allow";
    },
  });
  const { result } = await real.turn(session, scenarioPrompt("mcp"));
  expect(result.text).toContain("The sum is 5.");
  expect(asked).toEqual([{ server: "scripted", tool: "add" }]);
  expect(new Set(headers())).toEqual(new Set(["yes"]));
});
