import { sessionFor, type ServerContext } from "../context.ts";
import { endpoint, type App } from "../endpoint.ts";
import type { SessionDetails } from "../../core/api.ts";
import { keyedTurn } from "../idempotency.ts";
import { settled, usedBefore } from "../sessions/held-session.ts";
import { resumed } from "../sessions/access.ts";
import { promptOf, uploadsIn } from "../uploads.ts";
import { nothing, sessionId } from "../schemas/common.ts";
import * as schemas from "../schemas/turns.ts";
import type { SessionSummary } from "../schemas/sessions.ts";
import type { CancelAnswer, ReplyBody, TurnAnswer } from "../schemas/turns.ts";

export function turnRoutes(app: App, server: ServerContext): void {
  const { open, uploads, once } = server;

  endpoint(app, {
    route: "POST /api/sessions/{id}/turns",
    summary: "Sends a prompt to the agent; answered when the prompt is accepted.",
    scope: "prompt",
    params: sessionId,
    headers: schemas.idempotency,
    body: schemas.turnBody,
    answer: schemas.turnAnswer,
    status: 202,
    run: async ({ params, body, principal, context }) => {
      const session = await sessionFor(server, principal, params.id);
      const prompt = promptOf(uploads, principal, body.prompt);
      const place = `${principal.token.id} ${session.id}`;
      const key = context.req.header("idempotency-key");
      return once.once(key, place, body, async (): Promise<TurnAnswer> => {
        const keyed = key === undefined ? undefined : keyedTurn(key, place, body);
        const before = keyed?.find(turnsOf(session));
        if (before !== undefined) return { session: session.id, turn: before.id, after: before.firstSeq - 1 };
        const held = await resumed(server, principal, session);
        uploads.used(uploadsIn(body.prompt), session.id);
        if (turnsOf(session).some(({ id }) => id === body.id)) throw usedBefore(body.id!);
        return {
          session: session.id,
          ...(await held.begin(prompt, { whenBusy: body.whenBusy, id: keyed?.id ?? body.id })),
        };
      });
    },
  });

  endpoint(app, {
    route: "POST /api/sessions/{id}/steer",
    summary: "Sends a prompt into the running turn.",
    scope: "prompt",
    params: sessionId,
    body: schemas.steerBody,
    answer: schemas.turnAnswer,
    status: 202,
    run: async ({ params, body, principal }) => {
      const session = await sessionFor(server, principal, params.id);
      const prompt = promptOf(uploads, principal, body.prompt);
      const held = await resumed(server, principal, session);
      uploads.used(uploadsIn(body.prompt), session.id);
      return { session: session.id, ...(await held.begin(prompt, { whenBusy: "steer" })) };
    },
  });

  endpoint(app, {
    route: "POST /api/sessions/{id}/cancel",
    summary: "Cancels the running turn; answered when the turn has ended.",
    scope: "prompt",
    params: sessionId,
    body: schemas.cancelBody,
    answer: schemas.cancelAnswer,
    run: async ({ params, body, principal }): Promise<CancelAnswer> => {
      const { id, lastSeq } = await sessionFor(server, principal, params.id);
      const held = open.get(id);
      await held?.cancel(body.turn);
      return { lastSeq: Math.max(lastSeq, held?.lastSeq ?? 0) };
    },
  });

  endpoint(app, {
    route: "POST /api/sessions/{id}/answers/{requestId}",
    summary: "Answers a permission request or a question.",
    scope: "approve",
    params: schemas.requestParams,
    body: schemas.replyBody,
    answer: nothing,
    run: async ({ params, body, principal }) => {
      const { id } = await sessionFor(server, principal, params.id);
      const held = open.get(id);
      if (held === undefined) throw settled(params.requestId);
      held.answer(params.requestId, (body as ReplyBody).reply);
    },
  });
}

/** A session that is not stored yet has no turns. */
function turnsOf(session: SessionSummary): SessionDetails["allTurns"] {
  return (session as SessionSummary & Partial<SessionDetails>).allTurns ?? [];
}
