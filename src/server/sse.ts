/** Events of a session as server-sent events: those after a `seq`, then what follows. */
import type { ServerResponse } from "node:http";
import type { ServerContext } from "./context.ts";
import type { SessionSummary } from "./schemas/sessions.ts";

const heartbeatMs = 15_000;
/** A reader that takes nothing for so long is cut off. */
const slowMs = 30_000;

export function eventStream(
  { open, readers, metrics, stopping }: ServerContext,
  session: SessionSummary,
  after: number,
  outgoing: ServerResponse | undefined,
): Response {
  const leaveReaders = readers.enter();
  const { feed, leave } = open.read(session);
  const ending = new AbortController();
  const frames = feed.frames(after, ending.signal);
  const encoder = new TextEncoder();
  let at = after;
  let taken = Date.now();
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => undefined;
  const end = (): void => {
    clearInterval(timer);
    stopping.removeEventListener("abort", stop);
    ending.abort();
    leave();
    leaveReaders();
  };
  // Some leave without a word that reaches the stream.
  outgoing?.once("close", end);

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(": open\n\n"));
        stop = () => {
          end();
          controller.close();
        };
        stopping.addEventListener("abort", stop, { once: true });
        timer = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": there\n\n"));
          else if (Date.now() - taken > slowMs) {
            metrics.cuts++;
            const reason = JSON.stringify({ reason: "This reader was too slow.", after: at });
            controller.enqueue(encoder.encode(`event: cut\ndata: ${reason}\n\n`));
            controller.close();
            end();
            setTimeout(() => outgoing?.destroy(), heartbeatMs).unref();
          }
        }, heartbeatMs).unref();
      },
      async pull(controller) {
        taken = Date.now();
        const next = await frames.next();
        if (ending.signal.aborted) return;
        if (next.done === true) return controller.close();
        at = next.value.last;
        controller.enqueue(encoder.encode(`id: ${at}\nevent: events\ndata: ${next.value.json}\n\n`));
      },
      cancel: end,
    },
    { highWaterMark: 2 },
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}
