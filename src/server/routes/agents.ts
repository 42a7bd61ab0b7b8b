import { requireAgent } from "../access/options-allowed.ts";
import { requireInside } from "../access/roots.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import * as schemas from "../schemas/agents.ts";
import { agentId, freshly, inFolder } from "../schemas/common.ts";

/** Who there is, and what each still needs. */
export function agentRoutes(app: App, { reins }: ServerContext): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/agents",
      summary: "Every agent, and whether it is ready.",
      scope: "read",
      query: freshly,
      answer: schemas.agentsAnswer,
    },
    async ({ query }) => ({ agents: await reins.agents({ fresh: query.fresh ?? false }) }),
  );
  endpoint(
    app,
    {
      method: "get",
      path: "/api/agents/{id}",
      summary: "One agent, with its models.",
      scope: "read",
      params: agentId,
      answer: schemas.agentSchema,
    },
    ({ params, principal }) => {
      requireAgent(principal, params.id);
      return reins.agent(params.id);
    },
  );
  endpoint(
    app,
    {
      method: "get",
      path: "/api/agent-files",
      summary: "The agents that are files, of the person and of a project.",
      scope: "read",
      query: inFolder,
      answer: schemas.agentFilesAnswer,
    },
    async ({ query: { cwd }, principal }) => {
      if (cwd !== undefined) requireInside(principal, cwd, "folder");
      return { files: await reins.agentFiles(cwd === undefined ? {} : { cwd }) };
    },
  );
}
