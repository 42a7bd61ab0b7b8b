import { sessionFor } from "../context.ts";
import type { ServerContext } from "../context.ts";
import { endpoint } from "../endpoint.ts";
import type { App } from "../endpoint.ts";
import { settled } from "../open-session.ts";
import { nothing, sessionId } from "../schemas/common.ts";
import * as schemas from "../schemas/turns.ts";
import type { ReplyBody, TurnAnswer } from "../schemas/turns.ts";
import { taken } from "./sessions.ts";

export function turnRoutes(app: App, server: ServerContext): void {
  const { open, uploads, once } = server;

  endpoint(
    app,
    {
      method: "post",
      path: "/api/sessions/{id}/turns",
      summary: "Says something to the agent; answered when it is taken.",
      scope: "prompt",
      params: sessionId,
      headers: schemas.idempotency,
      body: schemas.turnBody,
      answer: schemas.turnAnswer,
      status: 202,
    },
    async ({ params, body, principal, context }) => {
      const session = await sessionFor(server, principal, params.id);
      const prompt = uploads.promptOf(principal, body.prompt);
      return once.once(context.req.header("idempotency-key"), session.id, body, async (): Promise<TurnAnswer> => {
        const held = await taken(server, principal, session);
        return { session: session.id, turn: await held.begin(prompt, body.whenBusy) };
      });
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/sessions/{id}/steer",
      summary: "Says something into the turn that runs.",
      scope: "prompt",
      params: sessionId,
      body: schemas.steerBody,
      answer: schemas.turnAnswer,
      status: 202,
    },
    async ({ params, body, principal }) => {
      const session = await sessionFor(server, principal, params.id);
      const prompt = uploads.promptOf(principal, body.prompt);
      const held = await taken(server, principal, session);
      return { session: session.id, turn: await held.begin(prompt, "steer") };
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/sessions/{id}/cancel",
      summary: "Cancels what runs; answered when it is over.",
      scope: "prompt",
      params: sessionId,
      body: schemas.cancelBody,
      answer: nothing,
    },
    async ({ params, body, principal }) => {
      const { id } = await sessionFor(server, principal, params.id);
      await open.get(id)?.cancel(body.turn);
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/sessions/{id}/answers/{requestId}",
      summary: "Answers a permission or a question.",
      scope: "approve",
      params: schemas.requestParams,
      body: schemas.replyBody,
      answer: nothing,
    },
    async ({ params, body, principal }) => {
      const { id } = await sessionFor(server, principal, params.id);
      const held = open.get(id);
      if (held === undefined) throw settled(params.requestId);
      held.answer(params.requestId, (body as ReplyBody).reply);
    },
  );
}
