/** Stores in their own folders, and sessions in them without any agent. */
import { onTestFinished } from "vitest";
import { EventBatch } from "../../src/core/log/event-batch.ts";
import type { LeaseOwner, SessionAbout, Store } from "../../src/core/log/types.ts";
import type { EventPayload, ReinsEvent } from "../../src/events/types.ts";
import { openStore } from "../../src/store/index.ts";
import { temporaryFolder } from "./processes.ts";

export function storeIn(folder: string): Store {
  const store = openStore({ folder });
  onTestFinished(() => store.close());
  return store;
}

export function testStore(): { store: Store; folder: string } {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return { store: storeIn(folder.path), folder: folder.path };
}

export const owner: LeaseOwner = { pid: process.pid, start: undefined, place: "here", run: "run-1" };

export function about(more: Partial<SessionAbout> = {}): SessionAbout {
  return { cwd: "/work", mode: "ask", owner, ...more };
}

/** Events of a session with envelopes, numbered from `first`. */
export function stamped(sessionId: string, payloads: readonly EventPayload[], first = 1): ReinsEvent[] {
  let turnId: string | undefined;
  return payloads.map((payload, index) => {
    const seq = first + index;
    if (payload.type === "turn.started") turnId = `turn_${sessionId}_${seq}`;
    const event = {
      v: 1,
      seq,
      time: new Date(1_800_000_000_000 + seq).toISOString(),
      sessionId,
      turnId,
      agent: "demo",
      ...payload,
    } as ReinsEvent;
    if (payload.type === "turn.completed") turnId = undefined;
    return event;
  });
}

/** A leg with one turn that contains these events. */
export function conversation(
  prompt: string,
  inside: readonly EventPayload[] = [],
  state = "demo:1:abcdef:1",
): EventPayload[] {
  return [
    { type: "session.started", mode: "ask", cwd: "/work", resumed: false, state, model: "scripted" },
    { type: "turn.started", origin: "prompt", input: { text: prompt } },
    ...inside,
    {
      type: "turn.completed",
      outcome: "done",
      text: inside.findLast((event) => event.type === "message.completed")?.text ?? "",
      durationMs: 5,
      toolCalls: 0,
      filesChanged: [],
      state,
    },
  ];
}

export function keep(
  store: Store,
  id: string,
  payloads: readonly EventPayload[],
  more: Partial<SessionAbout> = {},
): void {
  const log = store.open(id, about(more));
  log.append(new EventBatch(stamped(id, payloads)));
  log.end();
}
