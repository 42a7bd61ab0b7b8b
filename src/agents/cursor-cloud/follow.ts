/** One run to its end: by its stream, behind the last event that was told after each loss, and by looking where there is none. */
import { errorInfo, toReinsError } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import { httpRefusalOf } from "../../protocols/http/errors.ts";
import { streamOnce } from "../../protocols/http/stream.ts";
import { pathOf, streamPath, usualLimits } from "./client-http.ts";
import type { Api } from "./client-http.ts";
import { conversation } from "./client-v0.ts";
import { isOver } from "./client.ts";
import type { Client } from "./client.ts";
import { apiCodeOf, explained, statusOf } from "./failures.ts";
import { backoff, retryAfter } from "./rate-limit.ts";
import type { Translation } from "./translate.ts";

export interface Following {
  readonly api: Api;
  readonly client: Client;
  readonly agentId: string;
  readonly runId: string;
  readonly translation: Translation;
  readonly signal: AbortSignal;
  /** The last event that was told; moves on. */
  lastId: string;
}

/** A stream is kept alive by heartbeats; one that is silent for so long is lost. */
const silenceMs = 120_000;
/** How often in a row it breaks before the run is only looked at. */
const tries = 8;

/** Ends when the run has ended. Throws a ReinsError where it cannot be followed any more; it goes on all the same. */
export async function* follow(following: Following): AsyncGenerator<readonly AgentEvent[], void, void> {
  const { api, client, agentId, runId, translation, signal } = following;
  if (client.version === "v0") return yield* poll(following);
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      let known = following.lastId;
      for await (const batch of events(following)) {
        // Something new came, and not only the status that begins every connection: the next loss is a first one.
        if (following.lastId !== known) attempt = 1;
        known = following.lastId;
        yield batch;
        if (translation.end !== undefined) return;
      }
      signal.throwIfAborted();
      const run = await client.run(agentId, runId, { signal });
      if (isOver(run.status)) return yield translation.finish(run);
      await api.clock.sleep(backoff(attempt, api.settings.pollMs), signal);
    } catch (thrown) {
      signal.throwIfAborted();
      // What it told so long ago it has no more; how it ends is found by looking, and nothing is said twice.
      if (isNoStream(thrown) || attempt > tries) return yield* poll(following);
      const error = explained(thrown, "the stream of a run");
      const told = retryAfter(httpRefusalOf(thrown)?.retryAfter, api.clock.now());
      const delayMs = told ?? backoff(attempt, Math.min(1_000, api.settings.pollMs));
      if (!error.retryable) throw error;
      yield [{ type: "agent.retrying", attempt, ofMax: tries, delayMs, error: errorInfo(error) }];
      await api.clock.sleep(delayMs, signal);
    }
  }
}

async function* events(following: Following): AsyncGenerator<readonly AgentEvent[], void, void> {
  const { api, agentId, runId, translation, signal, lastId } = following;
  await api.pace.turn(`GET ${streamPath}`, usualLimits, signal);
  const path = pathOf(streamPath, { id: agentId, runId });
  // Another connection may have been told that nothing more comes, and more came.
  translation.closed = false;
  for await (const batch of streamOnce({ ...api.http, path, lastId, silenceMs, signal })) {
    const out: AgentEvent[] = [];
    for (const event of batch.events) {
      out.push(...translation.take(event));
      following.lastId = event.id;
    }
    if (batch.overlong > 0)
      out.push({
        type: "notice",
        level: "warning",
        code: "truncated",
        message: "An event was too long.",
        count: batch.overlong,
      });
    yield out;
    if (translation.closed) return;
  }
}

/** 410: no longer kept. 400: it does not know the event behind which it should go on. 404: it streams no such run. */
function isNoStream(thrown: unknown): boolean {
  const status = statusOf(toReinsError(thrown));
  return status === 410 || status === 404 || (status === 400 && apiCodeOf(thrown) !== undefined);
}

/** A run that tells nothing by itself is looked at, less and less often. The older API tells what was said; the newer only how it ended. */

/** Right after a prompt the older API may still tell how the one before it ended. */
const looksAtLeast = 5;

export async function* poll(following: Following): AsyncGenerator<readonly AgentEvent[], void, void> {
  const { api, client, agentId, runId, translation, signal } = following;
  let began = client.version === "v1";
  for (let look = 1; !signal.aborted; look++) {
    const run = await client.run(agentId, runId, { signal });
    const over = isOver(run.status);
    const said = client.version === "v0" ? await newWords(following) : [];
    began ||= !over || said.length > 0 || look >= looksAtLeast;
    if (said.length > 0) yield said;
    // The older API told all that was said; what it has beside that is a summary of it.
    if (over && began) return yield translation.finish(client.version === "v0" ? { ...run, result: undefined } : run);
    await api.clock.sleep(backoff(look, api.settings.pollMs), signal);
  }
}

/** What the agent said since the last look. How many messages there were then stands where a stream has its last event. */
async function newWords(following: Following): Promise<readonly AgentEvent[]> {
  const { api, agentId, runId, signal } = following;
  const messages = await conversation(api, agentId, signal);
  // Of a run that somebody else began it is not known what came before it: what follows the last prompt is its own.
  const known =
    following.lastId === "" ? messages.findLastIndex(({ role }) => role === "person") + 1 : Number(following.lastId);
  following.lastId = String(messages.length);
  return messages.slice(known).flatMap(({ role, text }, index): AgentEvent[] => {
    if (role === "person" || text === "") return [];
    const messageId = `${runId}/${known + index}`;
    return [
      { type: "message.delta", messageId, text },
      { type: "message.completed", messageId, text },
    ];
  });
}
