/** The events of a run over one connection: those after the last event the client has seen, and then new ones. */
import type { ServerResponse } from "node:http";
import { Refusal, type Call } from "./answers.ts";
import type { Faults } from "./faults.ts";
import type { RunRecord } from "./types.ts";

export function stream(run: RunRecord, { headers }: Call, response: ServerResponse, faults: Faults): void {
  const last = headers["last-event-id"];
  const known = run.events.findLastIndex(({ id }) => id === last);
  if (faults.expired) throw new Refusal(410, "The stream is kept no longer.", "stream_expired");
  if (last !== undefined && known < 0)
    throw new Refusal(400, "There is no such event in this run.", "invalid_last_event_id");
  response.writeHead(200, { "content-type": "text/event-stream", "x-cursor-stream-retention-seconds": "86400" });
  let next = known + 1;
  response.write(`event: status\ndata: ${JSON.stringify({ runId: run.id, status: run.status })}\n\n`);
  const send = (): void => {
    for (; next < run.events.length; next++) {
      if (faults.cutAfter !== undefined && next >= faults.cutAfter) {
        faults.cutAfter = undefined;
        run.listeners.delete(send);
        return void setImmediate(() => response.destroy());
      }
      const { id, type, data } = run.events[next]!;
      response.write(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
      if (type !== "done") continue;
      run.listeners.delete(send);
      return void response.end();
    }
  };
  run.listeners.add(send);
  response.on("close", () => run.listeners.delete(send));
  send();
}
