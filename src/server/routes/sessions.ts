import type { SessionDetails } from "../../core/api.ts";
import type { StoredSession } from "../../core/log.ts";
import { requireNoWider } from "../access/options-allowed.ts";
import { mayWorkIn, requireInside } from "../access/roots.ts";
import { sessionFor } from "../context.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { folderFor, lastIn, opened, taken } from "../opening.ts";
import { mostHits, pageOf, sessionPage } from "../pages.ts";
import { promptOf, uploadsIn } from "../prompt-of.ts";
import { sessionId } from "../schemas/common.ts";
import * as schemas from "../schemas/sessions.ts";
import type { CreatedSession, SessionSummary } from "../schemas/sessions.ts";
import { idempotency } from "../schemas/turns.ts";

const usualPage = 100;

export function sessionRoutes(app: App, server: ServerContext): void {
  const { reins, open, uploads, once } = server;

  endpoint(
    app,
    {
      method: "post",
      path: "/api/sessions",
      summary: "Opens a session, and with `prompt` begins its first turn.",
      scope: "prompt",
      headers: idempotency,
      body: schemas.createBody,
      answer: schemas.createdSchema,
      status: 201,
    },
    ({ body, principal, context }) => {
      const { prompt, ...options } = body;
      const first = prompt === undefined ? undefined : promptOf(uploads, principal, prompt);
      const place = `${principal.token.id} sessions`;
      return once.once(context.req.header("idempotency-key"), place, body, async (): Promise<CreatedSession> => {
        const { held, joined } = await opened(server, principal, options);
        const resumedAt = joined ? held.lastSeq : held.session.resumedAt;
        const { id } = held.session;
        if (prompt !== undefined) uploads.used(uploadsIn(prompt), id);
        const begun = first === undefined ? undefined : await held.begin(first);
        return { ...(await open.named(id)), turn: begun?.turn, resumedAt, joined };
      });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/sessions",
      summary: "The sessions that are kept, the one used last first.",
      scope: "read",
      query: schemas.listQuery,
      answer: schemas.listAnswer,
    },
    async ({ query: { cwd, agent, q, limit = usualPage, cursor }, principal }) => {
      if (cwd !== undefined) requireInside(principal, cwd, "folder");
      const filter = { cwd, agent };
      const maySee = (session: StoredSession): boolean => mayWorkIn(principal, session.cwd);
      if (q === undefined) return listed(await sessionPage(reins, { filter, limit, cursor, maySee }));
      const hits = await reins.sessions.search(q, { ...filter, limit: mostHits });
      const found = [...new Map(hits.map(({ session }) => [session.id, session])).values()].filter(maySee);
      return listed(pageOf(found, { limit, cursor }));
    },
  );
  const listed = ({ sessions, cursor }: ReturnType<typeof pageOf>): schemas.SessionList => ({
    sessions: sessions.map((session) => open.summary(session)),
    ...(cursor !== undefined && { cursor }),
  });

  endpoint(
    app,
    {
      method: "get",
      path: "/api/sessions/{id}",
      summary: "One session, with its legs and turns.",
      scope: "read",
      params: sessionId,
      query: schemas.oneQuery,
      answer: schemas.detailsSchema,
    },
    async ({ params, query, principal }) => {
      const isLast = params.id === "last" && query.cwd !== undefined;
      const name = isLast ? await lastIn(server, folderFor(principal, query.cwd)) : params.id;
      const session: SessionSummary & Partial<SessionDetails> = await sessionFor(server, principal, name);
      return { ...session, legs: session.legs ?? [], allTurns: session.allTurns ?? [] };
    },
  );

  endpoint(
    app,
    {
      method: "patch",
      path: "/api/sessions/{id}",
      summary: "Another title, model or mode.",
      scope: "prompt",
      params: sessionId,
      body: schemas.patchBody,
      answer: schemas.summarySchema,
    },
    async ({ params, body: { title, model, mode }, principal }) => {
      const session = await sessionFor(server, principal, params.id);
      requireNoWider(principal, { mode });
      if (title !== undefined) await reins.sessions.rename(session.id, title);
      if (model !== undefined || mode !== undefined) {
        const held = await taken(server, principal, session);
        await held.session.configure({ ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) });
      }
      open.changed(session.id);
      return open.named(session.id);
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/sessions/{id}",
      summary: "Removes a session for good.",
      scope: "admin",
      params: sessionId,
      answer: schemas.summarySchema,
    },
    async ({ params, principal }) => {
      const session = await sessionFor(server, principal, params.id);
      if (session.running)
        throw new HttpError(409, "session_busy", "A turn runs in this session.", { help: "Cancel it first." });
      await open.close(session.id);
      await reins.sessions.remove(session.id);
      open.removed(session);
      return { ...session, open: false };
    },
  );
}
