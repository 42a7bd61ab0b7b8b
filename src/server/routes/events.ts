import type { ReinsEvent } from "../../events/types.ts";
import { exportSession } from "../../view/index.ts";
import { sessionFor, type ServerContext } from "../context.ts";
import { endpoint, type App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { batched } from "../pages.ts";
import { open, sessionId } from "../schemas/common.ts";
import { exportQuery } from "../schemas/sessions.ts";
import * as schemas from "../schemas/turns.ts";
import { eventStream } from "../transport/sse.ts";

const usualPage = 1_000;

const types = { md: "text/markdown", jsonl: "application/x-ndjson", html: "text/html" } as const;

export function eventRoutes(app: App, server: ServerContext): void {
  const { reins } = server;

  endpoint(app, {
    route: "GET /api/sessions/{id}/events",
    summary: "Returns a page of events; with `Accept: text/event-stream`, streams all events and those that follow.",
    scope: "read",
    params: sessionId,
    query: schemas.eventsQuery,
    headers: schemas.eventsHeaders,
    answer: schemas.eventsAnswer,
    run: async ({ params, query: { after, limit = usualPage }, principal, context }) => {
      const session = await sessionFor(server, principal, params.id);
      const start = seqOf(context.req.header("last-event-id")) ?? after ?? 0;
      if (start > session.lastSeq)
        throw new HttpError(416, "invalid_input", `Session ${session.id} has ${session.lastSeq} events so far.`);
      if (context.req.header("accept")?.includes("text/event-stream") === true)
        return eventStream(server, { session, after: start, principal, outgoing: context.env.outgoing });
      const events: ReinsEvent[] = [];
      for await (const event of reins.sessions.events(session.id, { after: start })) {
        events.push(event);
        if (events.length === limit) break;
      }
      return { events, lastSeq: Math.max(session.lastSeq, events.at(-1)?.seq ?? 0) };
    },
  });

  endpoint(app, {
    route: "GET /api/sessions/{id}/export",
    summary: "Exports a session.",
    scope: "read",
    params: sessionId,
    query: exportQuery,
    answer: open,
    gives: "text/markdown",
    run: async ({ params, query: { format = "md", thoughts }, principal }) => {
      const { id, title } = await sessionFor(server, principal, params.id);
      const pieces = exportSession(batched(reins.sessions.events(id)), { format, title, thoughts });
      const encoder = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const next = await pieces.next();
          if (next.done === true) controller.close();
          else controller.enqueue(encoder.encode(next.value));
        },
        cancel: () => void pieces.return(undefined),
      });
      return new Response(body, {
        headers: {
          "content-type": `${types[format]}; charset=utf-8`,
          "content-disposition": `attachment; filename="${id}.${format}"`,
        },
      });
    },
  });
}

/** A reader sends back the id of the last frame it received. */
function seqOf(header: string | undefined): number | undefined {
  if (header === undefined || header === "") return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw new HttpError(400, "invalid_input", "The Last-Event-ID is not the seq of an event.");
}
