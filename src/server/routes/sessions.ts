import { realpath } from "node:fs/promises";
import { namesAgent } from "../../core/configuration.ts";
import type { SessionDetails } from "../../core/api.ts";
import { requireAllowed, requireNoWider } from "../access/options-allowed.ts";
import { requireScope } from "../access/principal.ts";
import type { Principal } from "../access/principal.ts";
import { mayWorkIn, requireInside } from "../access/roots.ts";
import { sessionFor } from "../context.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { unknownSession } from "../open-sessions.ts";
import type { OpenSession } from "../open-session.ts";
import { nothing, sessionId } from "../schemas/common.ts";
import { sessionOptions } from "../schemas/session-options.ts";
import type { SessionOptionsBody } from "../schemas/session-options.ts";
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
      requireAllowed(principal, options);
      const first = prompt === undefined ? undefined : uploads.promptOf(principal, prompt);
      return once.once(context.req.header("idempotency-key"), "sessions", body, async (): Promise<CreatedSession> => {
        const session = await opened(server, principal, options);
        const turn = first === undefined ? undefined : await session.begin(first, undefined);
        return { ...(await open.named(session.session.id)), turn };
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
      const found =
        q === undefined
          ? await reins.sessions.list({ cwd, agent })
          : unique((await reins.sessions.search(q, { cwd, agent, limit: 500 })).map(({ session }) => session));
      const seen = found.filter((session) => mayWorkIn(principal, session.cwd));
      const start = cursor === undefined ? 0 : seen.findIndex(({ id }) => id === cursor) + 1;
      if (cursor !== undefined && start === 0)
        throw new HttpError(400, "invalid_input", "This cursor leads nowhere any more.");
      const page = seen.slice(start, start + limit);
      const more = start + limit < seen.length;
      return { sessions: page.map((session) => open.summary(session)), ...(more && { cursor: page.at(-1)!.id }) };
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/sessions/{id}",
      summary: "One session, with its legs and turns.",
      scope: "read",
      params: sessionId,
      answer: schemas.detailsSchema,
    },
    async ({ params, principal }) => {
      const session = await sessionFor(server, principal, params.id);
      return { legs: [], allTurns: [], ...(session as SessionSummary & Partial<SessionDetails>) };
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
      open.removed(session.id);
      return { ...session, open: false };
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/sessions/{id}/fork",
      summary: "The conversation as another session.",
      scope: "prompt",
      params: sessionId,
      answer: schemas.summarySchema,
      status: 201,
    },
    async ({ params, principal }) => {
      const { id } = await sessionFor(server, principal, params.id);
      const fork = open.summary(await reins.sessions.fork(id));
      open.changed(fork.id);
      return fork;
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/sessions/{id}/handoff",
      summary: "Another agent goes on.",
      scope: "prompt",
      params: sessionId,
      body: schemas.handoffBody,
      answer: schemas.summarySchema,
    },
    async ({ params, body: { to }, principal }) => {
      if (!namesAgent(to)) requireScope(principal, "admin", "An agent that is a command");
      const session = await sessionFor(server, principal, params.id);
      const held = open.get(session.id);
      if (held === undefined) await open.create({ resume: session.id, handoff: to });
      else await held.session.handoff({ to });
      return open.named(session.id);
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/sessions/{id}/warm",
      summary: "Its agent is started, so that it is there for the next prompt.",
      scope: "prompt",
      params: sessionId,
      answer: schemas.summarySchema,
    },
    async ({ params, principal }) => {
      const session = await sessionFor(server, principal, params.id);
      await taken(server, principal, session);
      return open.named(session.id);
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/sessions/{id}/close",
      summary: "Its agent ends; the session stays.",
      scope: "prompt",
      params: sessionId,
      answer: nothing,
    },
    async ({ params, principal }) => {
      const { id } = await sessionFor(server, principal, params.id);
      await open.close(id);
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/warm",
      summary: "Starts the agent for a session that is about to be opened with these options.",
      scope: "prompt",
      body: sessionOptions,
      answer: nothing,
    },
    async ({ body, principal }) => {
      requireAllowed(principal, body);
      await reins.warm({ ...body, cwd: folderFor(principal, body.cwd), attended: true });
    },
  );
}

/** A kept one of an agent that is a command starts that command. */
export async function taken(
  server: ServerContext,
  principal: Principal,
  session: SessionSummary,
): Promise<OpenSession> {
  if (!session.open && session.agent !== undefined && !namesAgent(session.agent))
    requireScope(principal, "admin", "An agent that is a command");
  return server.open.take(session.id);
}

async function opened(server: ServerContext, principal: Principal, options: SessionOptionsBody): Promise<OpenSession> {
  const { resume, handoff, fork, mode, model } = options;
  if (resume === undefined) return server.open.create({ ...options, cwd: folderFor(principal, options.cwd) });
  const name = resume === "last" ? await lastIn(server, folderFor(principal, options.cwd)) : resume;
  if (!name.startsWith("ses_")) return server.open.create({ ...options, cwd: folderFor(principal, options.cwd) });
  const kept = await sessionFor(server, principal, name);
  if (!kept.open || fork === true) {
    if (kept.agent !== undefined && !namesAgent(kept.agent))
      requireScope(principal, "admin", "An agent that is a command");
    return server.open.create({ ...options, resume: kept.id });
  }
  const held = await server.open.take(kept.id);
  if (handoff !== undefined) await held.session.handoff({ to: handoff });
  if (mode !== undefined || model !== undefined)
    await held.session.configure({ ...(model !== undefined && { model }), ...(mode !== undefined && { mode }) });
  return held;
}

function folderFor(principal: Principal, cwd = process.cwd()): string {
  requireInside(principal, cwd, "folder");
  return cwd;
}

async function lastIn({ reins }: ServerContext, cwd: string): Promise<string> {
  const [last] = await reins.sessions.list({ cwd: await realpath(cwd).catch(() => cwd), limit: 1 });
  if (last === undefined) throw unknownSession("last");
  return last.id;
}

function unique<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
