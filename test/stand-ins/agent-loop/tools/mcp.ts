/** The tools of MCP servers, called through one tool. */
import { fieldsOf, listOf, textOf } from "../fields.ts";
import { openMcpServer, type McpConnection, type McpServerSettings } from "../mcp-client.ts";
import type { LoopTool } from "../types.ts";

export interface McpServers {
  readonly tool: LoopTool;
  /** Starts the server if necessary; throws when it is unknown or does not start. */
  connect(server: string): Promise<McpConnection>;
  close(): void;
}

export function mcpServers(settings: ReadonlyMap<string, McpServerSettings>, cwd: string): McpServers {
  const open = new Map<string, Promise<McpConnection>>();
  const connect = (server: string): Promise<McpConnection> => {
    const known = settings.get(server);
    if (known === undefined) return Promise.reject(new Error(`There is no MCP server ${server}.`));
    const connection = open.get(server) ?? openMcpServer(known, cwd);
    open.set(server, connection);
    return connection;
  };
  const tool: LoopTool = {
    name: "call_mcp_tool",
    description: "Call a tool of an MCP server.",
    required: ["server", "tool"],
    optional: ["arguments"],
    async run(input) {
      const connection = await connect(textOf(input["server"]));
      const result = await connection.request("tools/call", {
        name: textOf(input["tool"]),
        arguments: fieldsOf(input["arguments"]),
      });
      const content = listOf(fieldsOf(result)["content"]).map(fieldsOf);
      const text = content.map((part) => textOf(part["text"])).join("\n");
      return { ok: fieldsOf(result)["isError"] !== true, text, facts: { content } };
    },
  };
  const close = (): void => open.forEach((connection) => void connection.then((one) => one.close()).catch(() => {}));
  return { tool, connect, close };
}
