import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { managing } from "../managing.ts";
import * as schemas from "../schemas/agents.ts";
import { agentId, inFolder } from "../schemas/common.ts";

/** Hooks of Reins in an agent's files. */
export function agentHookRoutes(app: App, { reins }: ServerContext): void {
  const { manage, at } = managing(reins);
  const one = { params: agentId } as const;

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
