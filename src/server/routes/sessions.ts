import type { SessionDetails } from "../../core/api.ts";
import type { StoredSession } from "../../core/log/types.ts";
import { isAllowed, mayWorkIn, requireAgent, requireInside, requireNoWider, widestFor } from "../access/principal.ts";
import { sessionFor, type ServerContext } from "../context.ts";
import { endpoint, type App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { mostHits, pageOf, sessionPage } from "../pages.ts";
import { promptOf, uploadsIn } from "../uploads.ts";
import { nothing, sessionId } from "../schemas/common.ts";
import { sessionOptions } from "../schemas/session-options.ts";
import * as schemas from "../schemas/sessions.ts";
import type { CloseAnswer, CreatedSession, SessionSummary } from "../schemas/sessions.ts";
import { idempotency } from "../schemas/turns.ts";
import { allowedOptions, configure, folderFor, lastIn, opened, promptable, resumed } from "../sessions/access.ts";

const usualPage = 100;

/** Start the next agent a moment after the client has left, so that the two do not compete for the processor. */
const leaveMs = 30;

export function sessionRoutes(app: App, server: ServerContext): void {
  const { reins, open, uploads, once } = server;

  endpoint(app, {
    route: "POST /api/sessions",
    summary: "Opens a session; with `prompt`, starts its first turn.",
    scope: "prompt",
    headers: idempotency,
    body: schemas.createBody,
    answer: schemas.createdSchema,
    status: 201,
    run: ({ body, principal, context }) => {
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
  });

  endpoint(app, {
    route: "GET /api/sessions",
    summary: "Lists the stored sessions, the last used first.",
    scope: "read",
    query: schemas.listQuery,
    answer: schemas.listAnswer,
    run: async ({ query: { cwd, agent, q, limit = usualPage, cursor }, principal }) => {
      if (cwd !== undefined) requireInside(principal, cwd, "folder");
      const filter = { cwd, agent };
      const maySee = (session: StoredSession): boolean => mayWorkIn(principal, session.cwd);
      if (q === undefined) return listed(await sessionPage(reins, { filter, limit, cursor, maySee }));
      const hits = await reins.sessions.search(q, { ...filter, limit: mostHits });
      const found = [...new Map(hits.map(({ session }) => [session.id, session])).values()].filter(maySee);
      return listed(pageOf(found, { limit, cursor }));
    },
  });
  const listed = ({ sessions, cursor }: ReturnType<typeof pageOf>): schemas.SessionList => ({
    sessions: sessions.map((session) => open.summary(session)),
    ...(cursor !== undefined && { cursor }),
  });

  endpoint(app, {
    route: "GET /api/sessions/{id}",
    summary: "Returns one session, with its legs and turns.",
    scope: "read",
    params: sessionId,
    query: schemas.oneQuery,
    answer: schemas.detailsSchema,
    run: async ({ params, query, principal }) => {
      const isLast = params.id === "last" && query.cwd !== undefined;
      const name = isLast ? await lastIn(server, folderFor(principal, query.cwd)) : params.id;
      const session: SessionSummary & Partial<SessionDetails> = await sessionFor(server, principal, name);
      return { ...session, legs: session.legs ?? [], allTurns: session.allTurns ?? [] };
    },
  });

  endpoint(app, {
    route: "PATCH /api/sessions/{id}",
    summary: "Changes the title, model or mode of a session.",
    scope: "prompt",
    params: sessionId,
    body: schemas.patchBody,
    answer: schemas.summarySchema,
    run: async ({ params, body: { title, model, mode }, principal }) => {
      const session = await sessionFor(server, principal, params.id);
      requireNoWider(principal, { mode });
      if (title !== undefined) await reins.sessions.rename(session.id, title);
      if (model !== undefined || mode !== undefined) {
        await configure(await resumed(server, principal, session), { model, mode });
      }
      open.changed(session.id);
      return open.named(session.id);
    },
  });

  endpoint(app, {
    route: "DELETE /api/sessions/{id}",
    summary: "Deletes a session permanently.",
    scope: "admin",
    params: sessionId,
    answer: schemas.summarySchema,
    run: async ({ params, principal }) => {
      const session = await sessionFor(server, principal, params.id);
      if (session.running)
        throw new HttpError(409, "session_busy", "A turn runs in this session.", { help: "Cancel it first." });
      await open.close(session.id);
      await reins.sessions.remove(session.id);
      open.removed(session);
      return { ...session, open: false };
    },
  });

  const action = { scope: "prompt", params: sessionId } as const;

  endpoint(app, {
    ...action,
    route: "POST /api/sessions/{id}/fork",
    summary: "Forks the conversation into a new session.",
    answer: schemas.summarySchema,
    status: 201,
    run: async ({ params, principal }) => {
      const { id } = await sessionFor(server, principal, params.id);
      const fork = open.summary(await reins.sessions.fork(id));
      open.changed(fork.id);
      return fork;
    },
  });

  endpoint(app, {
    ...action,
    route: "POST /api/sessions/{id}/handoff",
    summary: "Hands the session over to another agent.",
    body: schemas.handoffBody,
    answer: schemas.summarySchema,
    run: async ({ params, body: { to }, principal }) => {
      requireAgent(principal, to);
      const session = await sessionFor(server, principal, params.id);
      const held = open.get(session.id);
      if (held === undefined) await open.create({ resume: session.id, handoff: to, ...widestFor(principal) });
      else await promptable(principal, held).session.handoff({ to });
      return open.named(session.id);
    },
  });

  endpoint(app, {
    ...action,
    route: "POST /api/sessions/{id}/warm",
    summary: "Starts the agent of a session, so that it is ready for the next prompt.",
    answer: schemas.summarySchema,
    run: async ({ params, principal }) => {
      const session = await sessionFor(server, principal, params.id);
      await resumed(server, principal, session);
      return open.named(session.id);
    },
  });

  endpoint(app, {
    ...action,
    route: "POST /api/sessions/{id}/close",
    summary: "Stops the agent of a session; the session stays stored.",
    body: schemas.closeBody,
    answer: schemas.closeAnswer,
    run: async ({ params, body, principal }): Promise<CloseAnswer> => {
      const { id, lastSeq } = await sessionFor(server, principal, params.id);
      const held = open.get(id);
      // Errors of warming are ignored: opening the next session reports them.
      const again = body.again === true && held !== undefined && held.options.resume === undefined;
      if (again && isAllowed(principal, held.options))
        setTimeout(() => void reins.warm({ ...held.options, attended: true }).catch(() => undefined), leaveMs).unref();
      const closed = open.close(id);
      if (body.wait === false) closed.catch(() => undefined);
      else await closed;
      return { lastSeq: Math.max(lastSeq, held?.lastSeq ?? 0) };
    },
  });

  endpoint(app, {
    route: "POST /api/warm",
    summary: "Starts the agent for a session that is about to be opened with these options.",
    scope: "prompt",
    body: sessionOptions,
    answer: nothing,
    run: async ({ body, principal }) => {
      const { options } = await allowedOptions(server, principal, body);
      await reins.warm({ ...options, attended: true });
    },
  });
}
