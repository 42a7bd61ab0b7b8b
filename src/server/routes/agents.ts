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
    summary: "Lists every agent, and whether it is ready.",
    scope: "read",
    query: freshly,
    answer: schemas.agentsAnswer,
    run: async ({ query }) => ({ agents: await reins.agents({ fresh: query.fresh ?? false }) }),
  });
  endpoint(app, {
    route: "GET /api/agents/{id}",
    summary: "Returns one agent with its models.",
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
    summary: "Lists the agent files of the user and of a project.",
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
    "Lists its models.",
    { scope: "read", takes: freshly, answer: schemas.modelsAnswer },
    async (agent, _folder, { fresh = false }) => ({ models: await agent.models({ fresh }) }),
  );
  add(
    "GET /management",
    "Lists the kinds of management that the agent supports.",
    { scope: "read", answer: schemas.managementAnswer },
    async ({ cloud }) => ({ cloud: cloud !== undefined }),
  );
  add(
    "GET /about",
    "Returns further facts about the agent.",
    { scope: "read", answer: schemas.aboutAnswer },
    async (agent) => ({ facts: await agent.about() }),
  );
  const verify = { scope: "prompt", answer: schemas.verification } as const;
  add("POST /verify", "Checks whether its key works, without a request to a model.", verify, (agent) => agent.verify());
  const command = { scope: "admin", answer: managementCommand } as const;
  for (const action of ["login", "logout", "update", "interface"] as const)
    add(`POST /${action}`, `Returns the command for ${action}, to run in a terminal.`, command, (agent) =>
      agent[action](),
    );
  add(
    "POST /conversation",
    "Creates an empty conversation in the agent, and returns its state.",
    { scope: "admin", takes: place, answer: schemas.conversationAnswer },
    async (agent, folder) => ({ state: await agent.createConversation(folder) }),
  );

  add(
    "GET /mcp",
    "Lists its MCP servers; some agents start them for this.",
    { scope: "prompt", takes: inFolder, answer: schemas.mcpAnswer },
    async ({ mcp }, folder) => ({ servers: await mcp.list(folder) }),
  );
  add(
    "GET /mcp/{name}/tools",
    "Lists the tools of one MCP server, which is started for this.",
    { scope: "prompt", takes: inFolder, answer: schemas.mcpToolsAnswer },
    async ({ mcp }, folder, _input, server) => ({ tools: await mcp.tools(server, folder) }),
  );
  for (const action of ["enable", "disable"] as const)
    add(
      `POST /mcp/{name}/${action}`,
      `${action === "enable" ? "Enables" : "Disables"} an MCP server in the agent's own settings.`,
      { scope: "admin", takes: place, answer: nothing },
      ({ mcp }, folder, _input, server) => mcp[action](server, folder),
    );
  add(
    "POST /mcp/{name}/login",
    "Returns the command that signs in to an MCP server.",
    command,
    ({ mcp }, _at, _input, server) => mcp.login(server),
  );

  const status = { scope: "read", takes: inFolder, answer: hooksAnswer } as const;
  add("GET /hooks", "Lists the hooks of Reins in its files.", status, async ({ hooks }, folder) => ({
    hooks: await hooks.status(folder),
  }));
  const change = { scope: "admin", takes: hooksBody, answer: hooksInfo } as const;
  for (const action of ["install", "remove"] as const)
    add(
      `POST /hooks/${action}`,
      `${action === "install" ? "Installs" : "Removes"} permanent hooks.`,
      change,
      ({ hooks }, folder, { scope }) => hooks[action](scope!, folder),
    );
}
