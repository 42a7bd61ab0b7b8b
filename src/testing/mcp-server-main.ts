import { createInterface } from "node:readline";

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly arguments?: { readonly a: number; readonly b: number };
    readonly protocolVersion?: string;
  };
}

const inputSchema = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
};

function reply({ method, params }: Request): object | undefined {
  switch (method) {
    case "initialize":
      return {
        protocolVersion: params?.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "scripted", version: "1.0.0" },
      };
    case "tools/list":
      return { tools: [{ name: "add", description: "Adds two numbers.", inputSchema }] };
    case "tools/call": {
      const { a, b } = params!.arguments!;
      return { content: [{ type: "text", text: `The sum is ${a + b}.` }] };
    }
    case "ping":
      return {};
    default:
      return undefined;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  if (request.id === undefined) continue;
  const result = reply(request);
  const outcome = result === undefined ? { error: { code: -32601, message: "No such method." } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: request.id, ...outcome })}\n`);
}
