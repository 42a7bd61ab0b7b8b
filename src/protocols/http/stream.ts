/** A stream of events that goes on after its connection is lost. Pulled: what nobody reads stays at the server. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ReinsError } from "../../events/errors.ts";
import { parsed } from "./client.ts";
import { refused, unreachable } from "./errors.ts";
import { Frames } from "./sse.ts";
import type { FrameBatch } from "./sse.ts";
import type { HttpOptions } from "./client.ts";

export interface StreamOptions extends HttpOptions {
  readonly path: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Goes on behind this event. */
  readonly lastId?: string | undefined;
  /** A connection that says nothing for so long is taken for lost. Only while somebody reads. */
  readonly silenceMs: number;
  /** How long it waits before the first try to connect again; twice as long before each further one. */
  readonly firstWaitMs?: number | undefined;
  readonly longestWaitMs?: number | undefined;
  /** How often in a row it tries to connect again. */
  readonly tries?: number | undefined;
}

export interface StreamBatch extends FrameBatch {
  /** A connection was made just before these: the first, or, after a loss, another. */
  readonly connected?: "first" | "again" | undefined;
}

const usual = { firstWaitMs: 100, longestWaitMs: 5_000, tries: 5 };

/** Throws a ReinsError when the server refuses, or cannot be reached any more. */
export async function* openStream(options: StreamOptions): AsyncGenerator<StreamBatch, void, undefined> {
  const { firstWaitMs = usual.firstWaitMs, longestWaitMs = usual.longestWaitMs, tries = usual.tries } = options;
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
      // It answered, and will not answer otherwise; or it was never there.
      if (!(error instanceof Lost) || ++failures > tries)
        throw error instanceof Lost ? unreachable(options, options.path, error.cause ?? error) : error;
    }
    const wait = frames.retryMs ?? Math.min(firstWaitMs * 2 ** Math.max(0, failures - 1), longestWaitMs);
    await sleep(wait, undefined, { signal: options.signal }).catch(() => {});
  }
}

/** One connection to its end. Throws a ReinsError: `network` where it did not come about or broke. */
export async function* streamOnce(
  options: Omit<StreamOptions, "firstWaitMs" | "longestWaitMs" | "tries">,
): AsyncGenerator<StreamBatch, void, undefined> {
  try {
    yield* connect(options, { lastId: options.lastId ?? "", retryMs: undefined }, true);
  } catch (error) {
    if (options.signal.aborted) return;
    throw error instanceof Lost ? unreachable(options, options.path, error.cause ?? error) : error;
  }
}

/** The connection did not come about or broke; another may hold. */
class Lost extends Error {}

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
        // Also of a stream that was left: it would keep the whole process for as long.
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
