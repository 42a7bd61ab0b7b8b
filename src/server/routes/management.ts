import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { managing } from "../managing.ts";
import * as schemas from "../schemas/agents.ts";
import { agentId, freshly } from "../schemas/common.ts";

/** What can be done with one agent: the commands for a person's terminal, its models, its account. */
export function managementRoutes(app: App, { reins }: ServerContext): void {
  const { manage, at } = managing(reins);
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
}
