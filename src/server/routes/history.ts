import type { Brought } from "../../core/api.ts";
import { mayWorkIn, requireInside } from "../access/roots.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { mostHits } from "../pages.ts";
import { searchAnswer, searchQuery } from "../schemas/sessions.ts";
import * as schemas from "../schemas/settings.ts";

const usualHits = 20;

/** What is kept as a whole: found, thinned out, and brought in. */
export function historyRoutes(app: App, { reins, open }: ServerContext): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/search",
      summary: "What was said, done and changed, newest first.",
      scope: "read",
      query: searchQuery,
      answer: searchAnswer,
    },
    async ({ query: { q, limit = usualHits, ...filter }, principal }) => {
      // What is left out below must not take the place of what is not.
      const looked = principal.roots === undefined ? limit : Math.max(limit, mostHits);
      const hits = await reins.sessions.search(q, { ...filter, limit: looked });
      return { hits: hits.filter(({ session }) => mayWorkIn(principal, session.cwd)).slice(0, limit) };
    },
  );
  endpoint(
    app,
    {
      method: "post",
      path: "/api/collect",
      summary: "Removes what need not be kept.",
      scope: "admin",
      body: schemas.collectBody,
      answer: schemas.collectAnswer,
    },
    async ({ body, principal }) => {
      const collected = await reins.sessions.collect(body);
      if (body.dry !== true) for (const session of collected.sessions) open.removed(session);
      return { ...collected, sessions: collected.sessions.filter(({ cwd }) => mayWorkIn(principal, cwd)) };
    },
  );
  endpoint(
    app,
    {
      method: "post",
      path: "/api/import",
      summary: "Brings in what agents themselves keep of their conversations.",
      scope: "admin",
      body: schemas.importBody,
      answer: schemas.importAnswer,
    },
    async ({ body: { agent, cwd }, principal }) => {
      if (cwd !== undefined) requireInside(principal, cwd, "folder");
      const brought: Brought[] = [];
      for await (const one of reins.sessions.import(agent, { cwd }))
        if (mayWorkIn(principal, one.cwd)) brought.push(one);
      return { brought };
    },
  );
}
