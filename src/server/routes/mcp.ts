import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { managing } from "../managing.ts";
import * as schemas from "../schemas/agents.ts";
import { agentId, inFolder, nothing } from "../schemas/common.ts";

/** The MCP servers of an agent's own settings. */
export function mcpRoutes(app: App, { reins }: ServerContext): void {
  const { manage, at } = managing(reins);
  const one = { params: agentId } as const;

  endpoint(
    app,
    {
      ...one,
      method: "get",
      path: "/api/agents/{id}/mcp",
      summary: "Its MCP servers, which some agents start to tell.",
      scope: "prompt",
      query: inFolder,
      answer: schemas.mcpAnswer,
    },
    async ({ params, query, principal }) => ({
      servers: await (await manage(principal, params.id)).mcp.list(at(principal, query)),
    }),
  );
  endpoint(
    app,
    {
      method: "get",
      path: "/api/agents/{id}/mcp/{name}/tools",
      summary: "The tools of one MCP server, which is started for it.",
      scope: "prompt",
      params: schemas.mcpServer,
      query: inFolder,
      answer: schemas.mcpToolsAnswer,
    },
    async ({ params, query, principal }) => ({
      tools: await (await manage(principal, params.id)).mcp.tools(params.name, at(principal, query)),
    }),
  );
  for (const action of ["enable", "disable"] as const)
    endpoint(
      app,
      {
        method: "post",
        path: `/api/agents/{id}/mcp/{name}/${action}`,
        summary: `${action} an MCP server in the agent's own settings.`,
        scope: "admin",
        params: schemas.mcpServer,
        body: schemas.place,
        answer: nothing,
      },
      async ({ params, body, principal }) =>
        (await manage(principal, params.id)).mcp[action](params.name, at(principal, body)),
    );
  endpoint(
    app,
    {
      method: "post",
      path: "/api/agents/{id}/mcp/{name}/login",
      summary: "The command that signs in to an MCP server.",
      scope: "admin",
      params: schemas.mcpServer,
      answer: schemas.managementCommand,
    },
    async ({ params, principal }) => (await manage(principal, params.id)).mcp.login(params.name),
  );
}
