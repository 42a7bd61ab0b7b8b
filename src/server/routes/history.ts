import type { ImportResult } from "../../core/api.ts";
import { mayWorkIn, requireInside } from "../access/principal.ts";
import type { ServerContext } from "../context.ts";
import { endpoint, type App } from "../endpoint.ts";
import { mostHits } from "../pages.ts";
import { searchAnswer, searchQuery } from "../schemas/sessions.ts";
import * as schemas from "../schemas/settings.ts";

const usualHits = 20;

/** All sessions together: search, removal, import, usage, and running agents. */
export function historyRoutes(app: App, { reins, store, open }: ServerContext): void {
  endpoint(app, {
    route: "GET /api/search",
    summary: "Searches the content of all sessions, newest first.",
    scope: "read",
    query: searchQuery,
    answer: searchAnswer,
    run: async ({ query: { q, limit = usualHits, ...filter }, principal }) => {
      // Hits outside the roots are dropped below, so search for more.
      const looked = principal.roots === undefined ? limit : Math.max(limit, mostHits);
      const hits = await reins.sessions.search(q, { ...filter, limit: looked });
      return { hits: hits.filter(({ session }) => mayWorkIn(principal, session.cwd)).slice(0, limit) };
    },
  });
  endpoint(app, {
    route: "POST /api/collect",
    summary: "Removes old sessions and unused content.",
    scope: "admin",
    body: schemas.collectBody,
    answer: schemas.collectAnswer,
    run: async ({ body, principal }) => {
      const collected = await reins.sessions.collect(body);
      if (body.dry !== true) for (const session of collected.sessions) open.removed(session);
      return { ...collected, sessions: collected.sessions.filter(({ cwd }) => mayWorkIn(principal, cwd)) };
    },
  });
  endpoint(app, {
    route: "POST /api/import",
    summary: "Imports the conversations that agents store themselves.",
    scope: "admin",
    body: schemas.importBody,
    answer: schemas.importAnswer,
    run: async ({ body: { agent, cwd }, principal }) => {
      if (cwd !== undefined) requireInside(principal, cwd, "folder");
      const brought: ImportResult[] = [];
      for await (const one of reins.sessions.import(agent, { cwd }))
        if (mayWorkIn(principal, one.cwd)) brought.push(one);
      return { brought };
    },
  });

  endpoint(app, {
    route: "GET /api/usage",
    summary: "Returns the usage, and the known limits of each agent's plan.",
    scope: "read",
    query: schemas.usageQuery,
    answer: schemas.usageAnswer,
    run: async ({ query: { since }, principal }) => {
      const used = await reins.usage(since);
      if (principal.roots === undefined) return used;
      const folders = store?.sessions.folders().filter((folder) => mayWorkIn(principal, folder)) ?? [];
      return { ...used, rows: store?.usage.rowsIn(folders, since) ?? [] };
    },
  });
  endpoint(app, {
    route: "GET /api/ps",
    summary: "Lists the agents that any Reins of this user runs now.",
    scope: "read",
    answer: schemas.psAnswer,
    run: async ({ principal }) => {
      await open.settled();
      const running = await reins.running();
      return { running: running.filter(({ cwd }) => cwd === undefined || mayWorkIn(principal, cwd)) };
    },
  });
}
