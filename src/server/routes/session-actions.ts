import { isAllowed, requireAgent, widestFor } from "../access/options-allowed.ts";
import { sessionFor } from "../context.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { allowedOptions, promptable, taken } from "../opening.ts";
import { nothing, sessionId } from "../schemas/common.ts";
import { sessionOptions } from "../schemas/session-options.ts";
import * as schemas from "../schemas/sessions.ts";
import type { CloseAnswer } from "../schemas/sessions.ts";

/** Starting a program keeps both this server and who has just left busy: that one ends first. */
const leaveMs = 30;

/** What else is done with a session: forked, handed to another agent, started ahead of time, closed. */
export function sessionActionRoutes(app: App, server: ServerContext): void {
  const { reins, open } = server;
  const action = { method: "post", scope: "prompt", params: sessionId } as const;

  endpoint(
    app,
    {
      ...action,
      path: "/api/sessions/{id}/fork",
      summary: "The conversation as another session.",
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
      ...action,
      path: "/api/sessions/{id}/handoff",
      summary: "Another agent goes on.",
      body: schemas.handoffBody,
      answer: schemas.summarySchema,
    },
    async ({ params, body: { to }, principal }) => {
      requireAgent(principal, to);
      const session = await sessionFor(server, principal, params.id);
      const held = open.get(session.id);
      if (held === undefined) await open.create({ resume: session.id, handoff: to, ...widestFor(principal) });
      else await promptable(principal, held).session.handoff({ to });
      return open.named(session.id);
    },
  );

  endpoint(
    app,
    {
      ...action,
      path: "/api/sessions/{id}/warm",
      summary: "Its agent is started, so that it is there for the next prompt.",
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
      ...action,
      path: "/api/sessions/{id}/close",
      summary: "Its agent ends; the session stays.",
      body: schemas.closeBody,
      answer: schemas.closeAnswer,
    },
    async ({ params, body, principal }): Promise<CloseAnswer> => {
      const { id, lastSeq } = await sessionFor(server, principal, params.id);
      const held = open.get(id);
      // Nobody waits for the next one, and who opens it finds out what is wrong.
      const again = body.again === true && held !== undefined && held.options.resume === undefined;
      if (again && isAllowed(principal, held.options))
        setTimeout(() => void reins.warm({ ...held.options, attended: true }).catch(() => undefined), leaveMs).unref();
      const closed = open.close(id);
      if (body.wait === false) closed.catch(() => undefined);
      else await closed;
      return { lastSeq: Math.max(lastSeq, held?.lastSeq ?? 0) };
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
      const { options } = await allowedOptions(server, principal, body);
      await reins.warm({ ...options, attended: true });
    },
  );
}
