import { requireAgent } from "../access/options-allowed.ts";
import type { Principal } from "../access/principal.ts";
import { requireInside } from "../access/roots.ts";
import type { Management } from "../../core/api.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import * as schemas from "../schemas/agents.ts";
import { agentId, freshly, inFolder, nothing } from "../schemas/common.ts";

/** What can be done with one agent: the commands for a person's terminal, its models, MCP servers and hooks. */
export function managementRoutes(app: App, { reins }: ServerContext): void {
  const at = (principal: Principal, { cwd }: { cwd?: string | undefined }) => {
    if (cwd !== undefined) requireInside(principal, cwd, "folder");
    return { cwd };
  };
  const manage = (principal: Principal, id: string): Promise<Management> => {
    requireAgent(principal, id);
    return reins.manage(id);
  };
  const one = { params: agentId } as const;

  endpoint(
    app,
    {
      ...one,
      method: "get",
      path: "/api/agents/{id}/models",
      summary: "Its models.",
      scope: "read",
      query: freshly,
      answer: schemas.modelsAnswer,
    },
    async ({ params, query, principal }) => ({
      models: await (await manage(principal, params.id)).models({ fresh: query.fresh ?? false }),
    }),
  );
  endpoint(
    app,
    {
      ...one,
      method: "get",
      path: "/api/agents/{id}/management",
      summary: "What can be asked of it.",
      scope: "read",
      answer: schemas.managementAnswer,
    },
    async ({ params, principal }) => ({ cloud: (await manage(principal, params.id)).cloud !== undefined }),
  );
  endpoint(
    app,
    {
      ...one,
      method: "get",
      path: "/api/agents/{id}/about",
      summary: "What else a person may want to know of it.",
      scope: "read",
      answer: schemas.aboutAnswer,
    },
    async ({ params, principal }) => ({ facts: await (await manage(principal, params.id)).about() }),
  );
  endpoint(
    app,
    {
      ...one,
      method: "post",
      path: "/api/agents/{id}/verify",
      summary: "Whether its key works; no model is asked.",
      scope: "prompt",
      answer: schemas.verification,
    },
    async ({ params, principal }) => (await manage(principal, params.id)).verify(),
  );
  for (const action of ["login", "logout", "update"] as const)
    endpoint(
      app,
      {
        ...one,
        method: "post",
        path: `/api/agents/{id}/${action}`,
        summary: `The command for ${action}, to run in a terminal.`,
        scope: "admin",
        answer: schemas.managementCommand,
      },
      async ({ params, principal }) => (await manage(principal, params.id))[action](),
    );
  endpoint(
    app,
    {
      ...one,
      method: "post",
      path: "/api/agents/{id}/conversation",
      summary: "An empty conversation of the agent's own.",
      scope: "admin",
      body: schemas.place,
      answer: schemas.conversationAnswer,
    },
    async ({ params, body, principal }) => ({
      state: await (await manage(principal, params.id)).createConversation(at(principal, body)),
    }),
  );

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

  endpoint(
    app,
    {
      ...one,
      method: "get",
      path: "/api/agents/{id}/hooks",
      summary: "Hooks of Reins in its files.",
      scope: "read",
      query: inFolder,
      answer: schemas.hooksAnswer,
    },
    async ({ params, query, principal }) => ({
      hooks: await (await manage(principal, params.id)).hooks.status(at(principal, query)),
    }),
  );
  for (const action of ["install", "remove"] as const)
    endpoint(
      app,
      {
        ...one,
        method: "post",
        path: `/api/agents/{id}/hooks/${action}`,
        summary: `${action} hooks that stay.`,
        scope: "admin",
        body: schemas.hooksBody,
        answer: schemas.hooksInfo,
      },
      async ({ params, body, principal }) =>
        (await manage(principal, params.id)).hooks[action](body.scope, at(principal, body)),
    );
}
