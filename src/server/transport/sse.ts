/** Events of a session as server-sent events: those after a `seq`, then new ones. */
import type { ServerResponse } from "node:http";
import { may, type Principal } from "../access/principal.ts";
import type { ServerContext } from "../context.ts";
import { lookMs } from "../limits.ts";
import type { SessionSummary } from "../schemas/sessions.ts";

export interface EventStream {
  readonly session: SessionSummary;
  readonly after: number;
  readonly principal: Principal;
  readonly outgoing: ServerResponse | undefined;
}

export function eventStream(server: ServerContext, { session, after, principal, outgoing }: EventStream): Response {
  const { open, readers, tokens, limits, stopping } = server;
  const leaveReaders = readers.enter();
  const { feed, leave } = open.read(session, may(principal, "approve"));
  const ending = new AbortController();
  const frames = feed.frames(after, ending.signal);
  const encoder = new TextEncoder();
  let at = after;
  let beat: NodeJS.Timeout | undefined;
  let slow: NodeJS.Timeout | undefined;
  let sayStops = (): void => undefined;
  let stopListening = (): void => undefined;
  const end = (): void => {
    clearInterval(beat);
    clearInterval(slow);
    stopping.removeEventListener("abort", sayStops);
    stopListening();
    ending.abort();
    leave();
    leaveReaders();
  };
  // Not every disconnect reaches the stream.
  outgoing?.once("close", end);

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const say = (text: string): void => controller.enqueue(encoder.encode(text));
        say(": open\n\n");
        sayStops = () => say("event: stops\ndata: {}\n\n");
        stopping.addEventListener("abort", sayStops, { once: true });
        const isKnown = (): boolean => {
          const counts = principal.counts();
          if (!counts) cut(controller, "This token is no longer valid.");
          return counts;
        };
        stopListening = tokens.onRemoved(isKnown);
        beat = setInterval(() => {
          if (isKnown() && (controller.desiredSize ?? 0) > 0) say(": there\n\n");
        }, limits.heartbeatMs).unref();
      },
      async pull(controller) {
        clearInterval(slow);
        const next = await frames.next();
        if (ending.signal.aborted) return;
        if (next.done === true)
          return cut(controller, stopping.aborted ? "The server is stopping." : "The session was removed.");
        at = next.value.last;
        controller.enqueue(encoder.encode(`id: ${at}\nevent: events\ndata: ${next.value.json}\n\n`));
        if ((controller.desiredSize ?? 0) > 0) return;
        let looks = 0;
        slow = setInterval(() => {
          if (++looks * lookMs < limits.slowMs) return;
          server.cut(session.id, at);
          cut(controller, "This reader was too slow.");
        }, lookMs).unref();
      },
      cancel: end,
    },
    { highWaterMark: 2 },
  );

  function cut(controller: ReadableStreamDefaultController<Uint8Array>, reason: string): void {
    end();
    controller.enqueue(encoder.encode(`event: cut\ndata: ${JSON.stringify({ reason, after: at })}\n\n`));
    controller.close();
    // A client that never reads again does not receive the close.
    setTimeout(() => outgoing?.destroy(), limits.heartbeatMs).unref();
  }

  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}
