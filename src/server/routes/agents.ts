import type { z } from "@hono/zod-openapi";
import type { Management } from "../../core/api.ts";
import { requireAgent, requireInside, type Principal } from "../access/principal.ts";
import type { ServerContext } from "../context.ts";
import { endpoint, type App } from "../endpoint.ts";
import * as schemas from "../schemas/agents.ts";
import { agentId, freshly, inFolder, nothing } from "../schemas/common.ts";
import type { Scope } from "../schemas/settings.ts";

type Folder = { readonly cwd?: string };

interface Input {
  readonly cwd?: string | undefined;
  readonly fresh?: boolean | undefined;
  readonly scope?: "user" | "project";
}

interface Spec {
  readonly scope: Scope;
  readonly answer: z.ZodType;
  /** Read from the query of a GET, otherwise from the body. */
  readonly takes?: z.ZodObject & z.ZodType<Input>;
}

/** Agents: the list, their models and accounts, their MCP servers, and hooks of Reins in their files. */
export function agentRoutes(app: App, { reins }: ServerContext): void {
  const at = (principal: Principal, { cwd }: Input): Folder => {
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

  /** Adds one action of an agent, or of one of its MCP servers. */
  function add(
    action: `${"GET" | "POST"} /${string}`,
    summary: string,
    { takes, ...spec }: Spec,
    run: (agent: Management, folder: Folder, input: Input, server: string) => Promise<unknown>,
  ): void {
    const isGet = action.startsWith("GET");
    endpoint(app, {
      ...spec,
      route: action.replace(" ", " /api/agents/{id}") as typeof action,
      summary,
      params: (action.includes("{name}") ? schemas.mcpServer : agentId) as typeof schemas.mcpServer,
      ...(takes !== undefined && (isGet ? { query: takes } : { body: takes })),
      run: async ({ params: { id, name }, query, body, principal }) => {
        requireAgent(principal, id);
        const agent = await reins.manage(id);
        const input = ((isGet ? query : body) ?? {}) as Input;
        return run(agent, at(principal, input), input, name);
      },
    });
  }

  const { managementCommand, hooksAnswer, hooksBody, hooksInfo, place } = schemas;
  add(
    "GET /models",
    "Its models.",
    { scope: "read", takes: freshly, answer: schemas.modelsAnswer },
    async (agent, _folder, { fresh = false }) => ({ models: await agent.models({ fresh }) }),
  );
  add(
    "GET /management",
    "What can be asked of it.",
    { scope: "read", answer: schemas.managementAnswer },
    async ({ cloud }) => ({ cloud: cloud !== undefined }),
  );
  add(
    "GET /about",
    "What else a person may want to know of it.",
    { scope: "read", answer: schemas.aboutAnswer },
    async (agent) => ({ facts: await agent.about() }),
  );
  const verify = { scope: "prompt", answer: schemas.verification } as const;
  add("POST /verify", "Whether its key works; no model is asked.", verify, (agent) => agent.verify());
  const command = { scope: "admin", answer: managementCommand } as const;
  for (const action of ["login", "logout", "update", "interface"] as const)
    add(`POST /${action}`, `The command for ${action}, to run in a terminal.`, command, (agent) => agent[action]());
  add(
    "POST /conversation",
    "An empty conversation of the agent's own.",
    { scope: "admin", takes: place, answer: schemas.conversationAnswer },
    async (agent, folder) => ({ state: await agent.createConversation(folder) }),
  );

  add(
    "GET /mcp",
    "Its MCP servers, which some agents start to tell.",
    { scope: "prompt", takes: inFolder, answer: schemas.mcpAnswer },
    async ({ mcp }, folder) => ({ servers: await mcp.list(folder) }),
  );
  add(
    "GET /mcp/{name}/tools",
    "The tools of one MCP server, which is started for it.",
    { scope: "prompt", takes: inFolder, answer: schemas.mcpToolsAnswer },
    async ({ mcp }, folder, _input, server) => ({ tools: await mcp.tools(server, folder) }),
  );
  for (const action of ["enable", "disable"] as const)
    add(
      `POST /mcp/{name}/${action}`,
      `${action} an MCP server in the agent's own settings.`,
      { scope: "admin", takes: place, answer: nothing },
      ({ mcp }, folder, _input, server) => mcp[action](server, folder),
    );
  add(
    "POST /mcp/{name}/login",
    "The command that signs in to an MCP server.",
    command,
    ({ mcp }, _at, _input, server) => mcp.login(server),
  );

  const status = { scope: "read", takes: inFolder, answer: hooksAnswer } as const;
  add("GET /hooks", "Hooks of Reins in its files.", status, async ({ hooks }, folder) => ({
    hooks: await hooks.status(folder),
  }));
  const change = { scope: "admin", takes: hooksBody, answer: hooksInfo } as const;
  for (const action of ["install", "remove"] as const)
    add(`POST /hooks/${action}`, `${action} hooks that stay.`, change, ({ hooks }, folder, { scope }) =>
      hooks[action](scope!, folder),
    );
}
