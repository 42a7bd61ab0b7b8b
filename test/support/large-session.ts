/** A stored session larger than the buffers between two processes: a client that does not read does not receive it. */
import type { EventPayload } from "../../src/events/types.ts";
import { EventBatch } from "../../src/core/log/event-batch.ts";
import type { Store } from "../../src/core/log/types.ts";
import { about, conversation, stamped } from "./store.ts";

/** Returns the seq of its last event. */
export function keepLarge(store: Store, id: string, cwd: string, megabytes: number): number {
  const text = "x".repeat(100_000);
  const said = Array.from({ length: megabytes * 10 }, (_none, index): EventPayload => ({
    type: "message.completed",
    messageId: `m${index}`,
    text,
  }));
  const events = stamped(id, conversation("say much", said));
  const log = store.open(id, about({ cwd }));
  log.append(new EventBatch(events));
  log.end();
  return events.length;
}
