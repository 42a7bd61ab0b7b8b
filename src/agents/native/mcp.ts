/** Offers the tools of MCP servers as tools of this agent. */
import type { MCPClient, MCPTransport } from "@ai-sdk/mcp";
import type { JSONSchema7 } from "ai";
import type { AgentContext, McpServer, OpenOptions } from "../contract.ts";
import { loaded } from "./program.ts";
import { shellEnvironment } from "./tools/commands.ts";
import { checkedObject, type ToolDefinition } from "./tools/definition.ts";
import { ToolProblem } from "../shared/in-process/stop-turn.ts";
import { clipText } from "../../events/clip.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Child } from "../../process/types.ts";
import { parseJson, records } from "../../protocols/json.ts";

export interface ForeignTools {
  readonly tools: readonly ToolDefinition[];
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** Starts all servers at once; one that fails becomes a problem. */
export async function openServers(context: AgentContext, options: OpenOptions): Promise<ForeignTools> {
  const servers = Object.entries(options.mcpServers ?? {});
  if (servers.length === 0) return { tools: [], problems: [], close: async () => {} };
  const { createMCPClient } = await loaded(["ai", "@ai-sdk/mcp"], () => import("@ai-sdk/mcp"));
  const clients: MCPClient[] = [];
  const problems: string[] = [];
  const found = await Promise.all(
    servers.map(async ([name, server]) => {
      const transport = transportOf(context, options, server);
      try {
        const client = await createMCPClient({
          clientName: "reins",
          transport,
          initializationOptions: {
            timeout: context.deadlines.start,
            ...(options.signal && { signal: options.signal }),
          },
          onUncaughtError: () => {},
        });
        clients.push(client);
        return await toolsOf(name, client, context);
      } catch (thrown) {
        problems.push(`The MCP server ${name} did not start: ${reasonOf(thrown, transport)}`);
        return [];
      }
    }),
  );
  const close = async (): Promise<void> => void (await Promise.allSettled(clients.map((client) => client.close())));
  return { tools: found.flat(), problems, close };
}

type Transport = ChildTransport | { type: "http" | "sse"; url: string; headers?: Record<string, string> };

function transportOf(context: AgentContext, options: OpenOptions, server: McpServer): Transport {
  if ("command" in server) return childTransport(context, options, server);
  const { type, url, headers } = server;
  return headers === undefined ? { type, url } : { type, url, headers: { ...headers } };
}

function reasonOf(thrown: unknown, transport: Transport): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const complaint = "complaint" in transport ? transport.complaint() : "";
  return complaint === "" ? message : `${message} (${complaint})`;
}

async function toolsOf(server: string, client: MCPClient, context: AgentContext): Promise<ToolDefinition[]> {
  const { tools } = await client.listTools({ options: { timeout: context.deadlines.request } });
  return tools.map(({ name, description = "", inputSchema }) => ({
    name: `mcp__${server}__${name}`,
    tool: "mcp",
    description,
    inputSchema: inputSchema as JSONSchema7,
    mcp: { server, tool: name },
    check: (input) => checkedObject(name, input),
    about: () => ({ server, name }),
    run: async (turn, input) => {
      const result = await client.callTool({
        name,
        arguments: { ...(input as Readonly<Record<string, unknown>>) },
        options: { signal: turn.signal, timeout: 600_000 },
      });
      const text = textOf(result);
      if (result.isError === true) throw new ToolProblem(text || "The server says that it failed.");
      return clipText(text, turn.context.host.limits.inlineBytes);
    },
  }));
}

function textOf(result: object): string {
  const { content = [] } = result as { content?: readonly { type: string; text?: string }[] };
  return content.map((part) => (part.type === "text" ? (part.text ?? "") : `(${part.type})`)).join("\n");
}

type CommandServer = Extract<McpServer, { command: string }>;
type Message = Parameters<MCPTransport["send"]>[0];

interface ChildTransport extends MCPTransport {
  /** The end of its stderr. */
  complaint(): string;
}

/** A server over stdio, started like every other process of Reins: in the ledger, in its own process group, ended with the session. */
function childTransport(
  context: AgentContext,
  options: OpenOptions,
  { command, args = [], env = {} }: CommandServer,
): ChildTransport {
  let child: Child | undefined;
  const transport: ChildTransport = {
    complaint: () => child?.stderrTail().trim().slice(-500) ?? "",
    start: async () => {
      child = await context.processes.launch({
        command,
        args,
        cwd: options.cwd,
        env: { ...shellEnvironment({ host: context, options }), ...env },
        agent: "native",
        sessionId: options.sessionId,
        stdin: "pipe",
      });
      void read(child, transport);
    },
    send: async (message) => {
      if (child === undefined) throw new ReinsError("protocol_error", "The server was not started.");
      await child.write(`${JSON.stringify(message)}\n`);
    },
    close: async () => {
      await child?.stop({ politely: true });
    },
  };
  return transport;
}

async function read(child: Child, transport: MCPTransport): Promise<void> {
  for await (const { lines } of child.lines) {
    // A server may print lines that are not messages.
    for (const message of records(lines.map((line) => parseJson(line)))) transport.onmessage?.(message as Message);
  }
  transport.onclose?.();
}
