/** An event stream that reconnects. The consumer pulls; events that it does not pull stay at the server. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ReinsError } from "../../events/errors.ts";
import { parsed, type HttpOptions } from "./client.ts";
import { refused, unreachable } from "./errors.ts";
import { Frames, type FrameBatch } from "./sse.ts";

export interface StreamOptions extends HttpOptions {
  readonly path: string;
  readonly signal: AbortSignal;
  /** Continue after this event. */
  readonly lastId?: string | undefined;
  /** A connection that is silent for this long counts as lost. The time runs only while the consumer waits. */
  readonly silenceMs: number;
  /** The wait before the first reconnect, doubled before each further one. Default: 100. */
  readonly firstWaitMs?: number | undefined;
  /** Default: 5,000. */
  readonly longestWaitMs?: number | undefined;
  /** How many connections in a row may fail. Default: 5. */
  readonly tries?: number | undefined;
}

export interface StreamBatch extends FrameBatch {
  /** Set when a connection was made just before these events. */
  readonly connected?: "first" | "again" | undefined;
}

/** Throws a ReinsError when the server refuses or stays unreachable. */
export async function* openStream(options: StreamOptions): AsyncGenerator<StreamBatch, void, undefined> {
  const { firstWaitMs = 100, longestWaitMs = 5_000, tries = 5 } = options;
  const frames = { lastId: options.lastId ?? "", retryMs: undefined as number | undefined };
  let failures = 0;
  for (let connection = 0; !options.signal.aborted; connection++) {
    try {
      for await (const batch of connect(options, frames, connection === 0)) {
        failures = 0;
        yield batch;
      }
    } catch (error) {
      if (options.signal.aborted) return;
      if (!(error instanceof Lost) || ++failures > tries) throw explained(options, error);
    }
    const wait = frames.retryMs ?? Math.min(firstWaitMs * 2 ** Math.max(0, failures - 1), longestWaitMs);
    await sleep(wait, undefined, { signal: options.signal }).catch(() => {});
  }
}

/** Reads one connection to its end. Throws a ReinsError, `network` if the connection failed or broke. */
export async function* streamOnce(
  options: Omit<StreamOptions, "firstWaitMs" | "longestWaitMs" | "tries">,
): AsyncGenerator<StreamBatch, void, undefined> {
  try {
    yield* connect(options, { lastId: options.lastId ?? "", retryMs: undefined }, true);
  } catch (error) {
    if (options.signal.aborted) return;
    throw explained(options, error);
  }
}

/** The connection failed or broke; a new one may work. */
class Lost extends Error {}

function explained(options: HttpOptions & { readonly path: string }, error: unknown): unknown {
  return error instanceof Lost ? unreachable(options, options.path, error.cause ?? error) : error;
}

async function* connect(
  options: StreamOptions,
  memory: { lastId: string; retryMs: number | undefined },
  first: boolean,
): AsyncGenerator<StreamBatch, void, undefined> {
  const lost = new AbortController();
  const signal = AbortSignal.any([options.signal, lost.signal]);
  const response = await (options.fetch ?? fetch)(new URL(options.path, options.url), {
    headers: {
      accept: "text/event-stream",
      ...options.headers,
      ...(memory.lastId === "" ? {} : { "last-event-id": memory.lastId }),
    },
    signal,
    redirect: "error",
  }).catch((cause: unknown) => {
    throw new Lost("no connection", { cause });
  });
  try {
    if (response.status >= 500) throw new Lost(`status ${response.status}`);
    if (!response.ok || response.body === null || response.status === 204) throw await refusalOf(options, response);
    yield { events: [], overlong: 0, connected: first ? "first" : "again" };
    const frames = new Frames(options.maxBytes, memory.lastId);
    const reader = response.body.getReader();
    for (;;) {
      const timer = setTimeout(() => lost.abort(new Lost("silence")), options.silenceMs);
      const step = await reader
        .read()
        .catch((cause: unknown) => {
          throw new Lost("cut", { cause });
        })
        // Also when the consumer leaves, because the timer would keep the process alive.
        .finally(() => clearTimeout(timer));
      if (step.done) return;
      const batch = frames.push(step.value as Uint8Array);
      memory.lastId = frames.lastId;
      memory.retryMs = frames.retryMs ?? memory.retryMs;
      if (batch.events.length > 0 || batch.overlong > 0) yield batch;
    }
  } finally {
    lost.abort();
  }
}

async function refusalOf(options: StreamOptions, response: Response): Promise<ReinsError> {
  const { status, headers } = response;
  const body = parsed(await response.text().catch(() => ""));
  return refused(options, `GET ${options.path}`, { status, body, retryAfter: headers.get("retry-after") ?? undefined });
}
