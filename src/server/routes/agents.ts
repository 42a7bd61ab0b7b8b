import type { Management } from "../../core/api.ts";
import { requireAgent, requireInside } from "../access/principal.ts";
import type { Principal } from "../access/principal.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import * as schemas from "../schemas/agents.ts";
import { agentId, freshly, inFolder, nothing } from "../schemas/common.ts";

type Folder = { readonly cwd?: string };

/** Agents: which there are, their models and accounts, their MCP servers, and hooks of Reins in their files. */
export function agentRoutes(app: App, { reins }: ServerContext): void {
  const one = { params: agentId } as const;
  const manage = (principal: Principal, id: string): Promise<Management> => {
    requireAgent(principal, id);
    return reins.manage(id);
  };
  const at = (principal: Principal, { cwd }: { readonly cwd?: string | undefined }): Folder => {
    if (cwd === undefined) return {};
    requireInside(principal, cwd, "folder");
    return { cwd };
  };

  endpoint(app, {
    route: "GET /api/agents",
    summary: "Every agent, and whether it is ready.",
    scope: "read",
    query: freshly,
    answer: schemas.agentsAnswer,
    run: async ({ query }) => ({ agents: await reins.agents({ fresh: query.fresh ?? false }) }),
  });
  endpoint(app, {
    route: "GET /api/agents/{id}",
    summary: "One agent, with its models.",
    scope: "read",
    params: agentId,
    answer: schemas.agentSchema,
    run: ({ params, principal }) => {
      requireAgent(principal, params.id);
      return reins.agent(params.id);
    },
  });
  endpoint(app, {
    route: "GET /api/agent-files",
    summary: "The agents that are files, of the person and of a project.",
    scope: "read",
    query: inFolder,
    answer: schemas.agentFilesAnswer,
    run: async ({ query, principal }) => ({ files: await reins.agentFiles(at(principal, query)) }),
  });

  endpoint(app, {
    ...one,
    route: "GET /api/agents/{id}/models",
    summary: "Its models.",
    scope: "read",
    query: freshly,
    answer: schemas.modelsAnswer,
    run: async ({ params, query, principal }) => ({
      models: await (await manage(principal, params.id)).models({ fresh: query.fresh ?? false }),
    }),
  });
  endpoint(app, {
    ...one,
    route: "GET /api/agents/{id}/management",
    summary: "What can be asked of it.",
    scope: "read",
    answer: schemas.managementAnswer,
    run: async ({ params, principal }) => ({ cloud: (await manage(principal, params.id)).cloud !== undefined }),
  });
  endpoint(app, {
    ...one,
    route: "GET /api/agents/{id}/about",
    summary: "What else a person may want to know of it.",
    scope: "read",
    answer: schemas.aboutAnswer,
    run: async ({ params, principal }) => ({ facts: await (await manage(principal, params.id)).about() }),
  });
  endpoint(app, {
    ...one,
    route: "POST /api/agents/{id}/verify",
    summary: "Whether its key works; no model is asked.",
    scope: "prompt",
    answer: schemas.verification,
    run: async ({ params, principal }) => (await manage(principal, params.id)).verify(),
  });
  for (const action of ["login", "logout", "update"] as const)
    endpoint(app, {
      ...one,
      route: `POST /api/agents/{id}/${action}`,
      summary: `The command for ${action}, to run in a terminal.`,
      scope: "admin",
      answer: schemas.managementCommand,
      run: async ({ params, principal }) => (await manage(principal, params.id))[action](),
    });
  endpoint(app, {
    ...one,
    route: "POST /api/agents/{id}/conversation",
    summary: "An empty conversation of the agent's own.",
    scope: "admin",
    body: schemas.place,
    answer: schemas.conversationAnswer,
    run: async ({ params, body, principal }) => ({
      state: await (await manage(principal, params.id)).createConversation(at(principal, body)),
    }),
  });

  endpoint(app, {
    ...one,
    route: "GET /api/agents/{id}/mcp",
    summary: "Its MCP servers, which some agents start to tell.",
    scope: "prompt",
    query: inFolder,
    answer: schemas.mcpAnswer,
    run: async ({ params, query, principal }) => ({
      servers: await (await manage(principal, params.id)).mcp.list(at(principal, query)),
    }),
  });
  endpoint(app, {
    route: "GET /api/agents/{id}/mcp/{name}/tools",
    summary: "The tools of one MCP server, which is started for it.",
    scope: "prompt",
    params: schemas.mcpServer,
    query: inFolder,
    answer: schemas.mcpToolsAnswer,
    run: async ({ params, query, principal }) => ({
      tools: await (await manage(principal, params.id)).mcp.tools(params.name, at(principal, query)),
    }),
  });
  for (const action of ["enable", "disable"] as const)
    endpoint(app, {
      route: `POST /api/agents/{id}/mcp/{name}/${action}`,
      summary: `${action} an MCP server in the agent's own settings.`,
      scope: "admin",
      params: schemas.mcpServer,
      body: schemas.place,
      answer: nothing,
      run: async ({ params, body, principal }) =>
        (await manage(principal, params.id)).mcp[action](params.name, at(principal, body)),
    });
  endpoint(app, {
    route: "POST /api/agents/{id}/mcp/{name}/login",
    summary: "The command that signs in to an MCP server.",
    scope: "admin",
    params: schemas.mcpServer,
    answer: schemas.managementCommand,
    run: async ({ params, principal }) => (await manage(principal, params.id)).mcp.login(params.name),
  });

  endpoint(app, {
    ...one,
    route: "GET /api/agents/{id}/hooks",
    summary: "Hooks of Reins in its files.",
    scope: "read",
    query: inFolder,
    answer: schemas.hooksAnswer,
    run: async ({ params, query, principal }) => ({
      hooks: await (await manage(principal, params.id)).hooks.status(at(principal, query)),
    }),
  });
  for (const action of ["install", "remove"] as const)
    endpoint(app, {
      ...one,
      route: `POST /api/agents/{id}/hooks/${action}`,
      summary: `${action} hooks that stay.`,
      scope: "admin",
      body: schemas.hooksBody,
      answer: schemas.hooksInfo,
      run: async ({ params, body, principal }) =>
        (await manage(principal, params.id)).hooks[action](body.scope, at(principal, body)),
    });
}
