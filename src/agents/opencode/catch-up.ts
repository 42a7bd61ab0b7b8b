/** What was missed while the stream of events was lost: it stands in the conversation. */
import { isRecord, list, record, text } from "../../drivers/stream-json/read.ts";

export interface Missed {
  readonly session: string;
  /** The first message of the turn; what is older was told. Ids are ordered. */
  readonly first: string;
  /** The answers to `GET /session/:id/message` and `GET /session/status`. */
  readonly messages: unknown;
  readonly status: unknown;
}

/** As the events that would have told it. */
export function missedEvents({ session, first, messages, status }: Missed): object[] {
  const events: object[] = [];
  for (const { info, parts } of list(messages).filter(isRecord)) {
    const id = text(record(info)["id"]);
    if (id === undefined || id < first) continue;
    events.push({ type: "message.updated", properties: { info } });
    for (const part of list(parts)) events.push({ type: "message.part.updated", properties: { part } });
  }
  const idle = isRecord(status) && status[session] === undefined;
  return idle ? [...events, { type: "session.idle", properties: { sessionID: session } }] : events;
}
