/**
 * A process that uses a store at the same time as others: `node store-hammer.ts <folder> <name> <milliseconds>`. Writes its own
 * session as fast as it can, reads and searches the others, and prints the number of its events at the end.
 */
import { setImmediate } from "node:timers/promises";
import { EventBatch } from "../../src/core/log/event-batch.ts";
import { openStore } from "../../src/store/index.ts";
import type { ReinsEvent } from "../../src/events/types.ts";

const [folder = "", name = "", ms = "0"] = process.argv.slice(2);
const until = performance.now() + Number(ms);
const owner = { pid: process.pid, start: undefined, place: "hammer", run: name };
using store = openStore({ folder });
const sessionId = `ses_${name}`;
const troubles: string[] = [];
const log = store.open(sessionId, { cwd: folder, mode: "ask", owner, onTrouble: (trouble) => troubles.push(trouble) });
let seq = 0;
const event = (payload: object): ReinsEvent =>
  ({
    v: 1,
    seq: ++seq,
    time: new Date().toISOString(),
    sessionId,
    turnId: "turn_1",
    agent: "demo",
    ...payload,
  }) as ReinsEvent;

log.append(new EventBatch([event({ type: "turn.started", origin: "prompt", input: { text: `hammer ${name}` } })]));
while (performance.now() < until) {
  log.append(
    new EventBatch(
      Array.from({ length: 1 + (seq % 90) }, () =>
        event({ type: "message.delta", messageId: "m", text: `piece ${seq}` }),
      ),
    ),
  );
  if (seq % 7 === 0) {
    for (const { id, lastSeq } of store.sessions.list({ limit: 5 })) store.sessions.read(id, { after: lastSeq - 10 });
    store.search("hammer");
    store.breakers.set({ key: name, until: Date.now() + 1_000, reason: "x" });
  }
  await setImmediate();
}
log.end();
process.stdout.write(JSON.stringify({ events: seq, troubles }));
