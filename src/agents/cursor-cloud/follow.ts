/** Follows one run to its end: by its stream, resumed after the last event when it breaks, or by polling when there is no stream. */
import { errorInfo, toReinsError } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import { httpRefusalOf } from "../../protocols/http/errors.ts";
import { streamOnce } from "../../protocols/http/stream.ts";
import { pathOf, streamPath, usualLimits, type Api } from "./client-http.ts";
import { conversation } from "./client-v0.ts";
import { isOver, type Client } from "./client.ts";
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
  lastId: string;
}

/** Heartbeats keep a stream alive, so a stream that is silent this long is lost. */
const silenceMs = 120_000;
/** How often in a row the stream may break before the run is polled. */
const tries = 8;

/** Throws a ReinsError when the run cannot be followed any more; the run itself continues. */
export async function* follow(following: Following): AsyncGenerator<readonly AgentEvent[], void, void> {
  const { api, client, agentId, runId, translation, signal } = following;
  if (client.version === "v0") return yield* poll(following);
  for (let attempt = 1; !signal.aborted; attempt++) {
    try {
      let known = following.lastId;
      for await (const batch of events(following)) {
        // Something new came, not only the status that begins every connection: restart the count of losses.
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
  // An earlier connection may have been closed although more events follow.
  translation.closed = false;
  for await (const batch of streamOnce({ ...api.http, path, lastId, silenceMs, signal })) {
    const out: AgentEvent[] = [];
    for (const event of batch.events) {
      out.push(...translation.take(event));
      following.lastId = event.id;
    }
    const [count, message] = [batch.overlong, "An event was too long."];
    if (count > 0) out.push({ type: "notice", level: "warning", code: "truncated", message, count });
    yield out;
    if (translation.closed) return;
  }
}

/** 410: no longer kept. 400: the last event is unknown. 404: the run has no stream. */
function isNoStream(thrown: unknown): boolean {
  const status = statusOf(toReinsError(thrown));
  return status === 410 || status === 404 || (status === 400 && apiCodeOf(thrown) !== undefined);
}

/** Right after a prompt the older API may still report the end of the previous one. */
const looksAtLeast = 5;

/** Polls a run less and less often. The older API has its messages; the newer only its end. */
export async function* poll(following: Following): AsyncGenerator<readonly AgentEvent[], void, void> {
  const { api, client, agentId, runId, translation, signal } = following;
  let began = client.version === "v1";
  for (let look = 1; !signal.aborted; look++) {
    const run = await client.run(agentId, runId, { signal });
    const over = isOver(run.status);
    const said = client.version === "v0" ? await newWords(following) : [];
    began ||= !over || said.length > 0 || look >= looksAtLeast;
    if (said.length > 0) yield said;
    // The result of the older API is a summary of messages that were already reported.
    if (over && began) return yield translation.finish(client.version === "v0" ? { ...run, result: undefined } : run);
    await api.clock.sleep(backoff(look, api.settings.pollMs), signal);
  }
}

/** Messages since the last poll. `lastId` holds the number of messages then, instead of the id of an event. */
async function newWords(following: Following): Promise<readonly AgentEvent[]> {
  const { api, agentId, runId, signal } = following;
  const messages = await conversation(api, agentId, signal);
  // For a run that somebody else began, only messages after the last prompt are known to belong to it.
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
