import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate as nextRound } from "node:timers/promises";

type Headers = Readonly<Record<string, string>>;

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Begins a stream of server-sent events. */
export function beginEvents(response: ServerResponse, headers: Headers): void {
  const usual = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
  response.writeHead(200, { ...usual, ...headers });
}

/** Writes and, when the connection is full, waits until it is not or is gone. */
export async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  const gone = new AbortController();
  const onClose = () => gone.abort();
  response.once("close", onClose);
  try {
    await once(response, "drain", { signal: gone.signal });
  } catch {
    // The client left; whoever plays the answer sees that by itself.
  } finally {
    response.off("close", onClose);
  }
}

/** Ends the connection without ending the answer. What was said goes out first: Node holds small writes back for a moment. */
export async function cutOff(response: ServerResponse): Promise<void> {
  await nextRound();
  response.socket?.destroySoon();
}
