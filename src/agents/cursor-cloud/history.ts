/** Conversations that the service keeps, including those of other clients. */
import { homedir } from "node:os";
import type { AgentContext, AgentHistory, PastEvent, PastSession } from "../contract.ts";
import type { CloudAgent } from "../shared/remote.ts";
import { conversation } from "./client-v0.ts";
import { isOver, type RunInfo } from "./client.ts";
import { statusOf } from "./failures.ts";
import { follow } from "./follow.ts";
import { isSameRepository, originOf } from "./repository.ts";
import { keyIn } from "./program.ts";
import type { Service } from "./service.ts";
import { decodeState } from "./state.ts";
import { Translation } from "./translate.ts";

/** Each conversation needs its own request, and the service limits requests per minute. */
const newest = 20;

export function history(context: AgentContext, service: () => Service): AgentHistory {
  return {
    async *list({ cwd } = {}) {
      // An import of all agents must not fail for lack of a key.
      if (keyIn(context.env) === undefined) return;
      const { versions } = service();
      const origin = cwd === undefined ? undefined : await originOf(context, cwd);
      if (cwd !== undefined && origin === undefined) return;
      const { agents } = await versions.any((client) => client.list({ limit: newest, archived: true }));
      for (const { id } of agents) {
        const agent = await versions.of(id).get(id);
        const isHere = agent.repositories.some((one) => origin !== undefined && isSameRepository(one, origin));
        if (cwd === undefined || isHere) yield pastOf(agent, cwd ?? homedir());
      }
    },
    read: ({ state }) => read(service(), decodeState(state).agentId),
  };
}

function pastOf({ id, state, name, createdAt, updatedAt }: CloudAgent, cwd: string): PastSession {
  const began = createdAt ?? updatedAt ?? new Date(0).toISOString();
  return { id, state, cwd, title: name, createdAt: began, updatedAt: updatedAt ?? began, messages: 0, place: id };
}

/** The messages of both sides if the service has them; otherwise the events of its runs, or only their results. */
async function* read(service: Service, id: string): AsyncGenerator<readonly PastEvent[]> {
  const said = service.api.settings.only === "v1" ? [] : await saidOver(service, id);
  if (said.length > 0) return yield pastMessages(said);
  for (const run of await service.versions.of(id).runs(id)) yield await pastRun(service, id, run);
}

/** Only the older API has messages, and it may not know newer agents or keys. The runs report a wrong key too. */
async function saidOver({ api }: Service, id: string): ReturnType<typeof conversation> {
  return conversation(api, id).catch((thrown: unknown) => {
    if ([400, 401, 403, 404, 405, 410, 501].includes(statusOf(thrown) ?? 0)) return [];
    throw thrown;
  });
}

function pastMessages(said: readonly { readonly role: "person" | "agent"; readonly text: string }[]): PastEvent[] {
  return said.flatMap(({ role, text }, index): PastEvent[] => {
    if (role === "person") return [{ prompt: { text } }];
    const messageId = `message-${index}`;
    const last = said[index + 1]?.role !== "agent";
    return [
      { event: { type: "message.completed", messageId, text } },
      ...(last ? [{ event: { type: "turn.ended", outcome: "done" } } as const] : []),
    ];
  });
}

/** A run that still continues is left to the session that opens it. */
async function pastRun({ api, versions }: Service, agentId: string, run: RunInfo): Promise<PastEvent[]> {
  if (!isOver(run.status)) return [];
  const translation = new Translation({ runId: run.id, cwd: "", whole: true });
  const client = versions.of(agentId);
  const { signal } = new AbortController();
  const events: PastEvent[] = [];
  const time = run.createdAt;
  for await (const batch of follow({ api, client, agentId, runId: run.id, translation, signal, lastId: "" }))
    for (const event of batch)
      if (event.type !== "tool.held" && event.type !== "agent.retrying") events.push({ time, event });
  const { outcome = "done", error } = translation.end ?? {};
  return [...events, { time, event: { type: "turn.ended", outcome, ...(error !== undefined && { error }) } }];
}
