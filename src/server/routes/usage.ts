import { mayWorkIn } from "../access/roots.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import * as schemas from "../schemas/settings.ts";

/** What was used, and what runs. */
export function usageRoutes(app: App, { reins, store, open }: ServerContext): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/usage",
      summary: "What was used, and what is known of each agent's plan.",
      scope: "read",
      query: schemas.usageQuery,
      answer: schemas.usageAnswer,
    },
    async ({ query: { since }, principal }) => {
      const used = await reins.usage(since);
      if (principal.roots === undefined) return used;
      const folders = store?.sessions.folders().filter((folder) => mayWorkIn(principal, folder)) ?? [];
      return { ...used, rows: store?.usage.rowsIn(folders, since) ?? [] };
    },
  );
  endpoint(
    app,
    {
      method: "get",
      path: "/api/ps",
      summary: "The agents that any Reins of this person runs now.",
      scope: "read",
      answer: schemas.psAnswer,
    },
    async ({ principal }) => {
      await open.settled();
      const running = await reins.running();
      return { running: running.filter(({ cwd }) => cwd === undefined || mayWorkIn(principal, cwd)) };
    },
  );
}
