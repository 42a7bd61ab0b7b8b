/** What was sent stood in a file of its own: where between the printed lines it belongs, as far as its ids tell. */
import { isRecord, record } from "../../drivers/shared/read.ts";
import type { RecordedMessage } from "../../drivers/shared/recorded.ts";

export function together<Line extends RecordedMessage>(
  lines: readonly Line[],
  sent: readonly unknown[],
): (Line | RecordedMessage)[] {
  const queue = sent.map((message): RecordedMessage => ({ dir: "in", message }));
  // Without ids nothing can be known: all was said before it answered.
  if (!sent.some((message) => isRequest(message))) return [...queue, ...lines];
  const merged: (Line | RecordedMessage)[] = [];
  /** Its own requests. */
  const asked = new Set<unknown>();
  /** The request of ours that waits for its answer. */
  let waiting: unknown;

  const send = (): void => {
    const next = queue.shift();
    if (next === undefined) return;
    merged.push(next);
    if (isRequest(next.message)) waiting = record(next.message)["id"];
  };
  const mayBeSent = (message: unknown): boolean => {
    if (isRequest(message)) return waiting === undefined;
    const { method, id } = record(message);
    return method !== undefined || asked.has(id);
  };
  const sendWhatMay = (): void => {
    while (queue.length > 0 && mayBeSent(queue[0]!.message)) send();
  };

  sendWhatMay();
  for (const line of lines) {
    const { id, method } = record(line.message);
    const answers = method === undefined && id !== undefined;
    // Its answer is here, so the question was asked, whatever else waits.
    while (answers && id !== waiting && queue.some(({ message }) => isRequest(message) && record(message)["id"] === id))
      send();
    merged.push(line);
    if (answers && id === waiting) waiting = undefined;
    if (method !== undefined && id !== undefined) asked.add(id);
    sendWhatMay();
  }
  return [...merged, ...queue];
}

function isRequest(message: unknown): boolean {
  return isRecord(message) && typeof message["method"] === "string" && message["id"] !== undefined;
}
