/** The tools of MCP servers, as tools of this agent. */
import type { JSONSchema7 } from "ai";
import type { MCPClient } from "@ai-sdk/mcp";
import { clipText } from "../../events/clip.ts";
import type { AgentContext, McpServer, OpenOptions } from "../contract.ts";
import { ToolProblem } from "../shared/endings.ts";
import { childTransport } from "./mcp-transport.ts";
import type { ChildTransport } from "./mcp-transport.ts";
import { loaded } from "./packages.ts";
import { defineTool } from "./tools/definition.ts";
import type { ToolDefinition } from "./tools/definition.ts";

export interface ForeignTools {
  readonly tools: readonly ToolDefinition[];
  /** A server that did not come up, one sentence each. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/** Starts them all at once; one that fails is left out, and said. */
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

/** What went wrong, and what the server said about it. */
function reasonOf(thrown: unknown, transport: Transport): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const complaint = "complaint" in transport ? transport.complaint() : "";
  return complaint === "" ? message : `${message} (${complaint})`;
}

async function toolsOf(server: string, client: MCPClient, context: AgentContext): Promise<ToolDefinition[]> {
  const { tools } = await client.listTools({ options: { timeout: context.deadlines.request } });
  return tools.map(({ name, description = "", inputSchema }) =>
    defineTool<Readonly<Record<string, unknown>>>({
      name: `mcp__${server}__${name}`,
      tool: "mcp",
      description,
      inputSchema: inputSchema as JSONSchema7,
      mcp: { server, tool: name },
      check: (input) => input.all,
      about: () => ({ server, name }),
      run: async (turn, input) => {
        const result = await client.callTool({
          name,
          arguments: { ...input },
          options: { signal: turn.signal, timeout: 600_000 },
        });
        const text = textOf(result);
        if (result.isError === true) throw new ToolProblem(text || "The server says that it failed.");
        return clipText(text, turn.desk.context.limits.inlineBytes);
      },
    }),
  );
}

/** What is no text is only named. */
function textOf(result: object): string {
  const { content = [] } = result as { content?: readonly { type: string; text?: string }[] };
  return content.map((part) => (part.type === "text" ? (part.text ?? "") : `(${part.type})`)).join("\n");
}
