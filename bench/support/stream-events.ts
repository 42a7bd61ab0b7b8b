/** A session as agents produce it: nearly all deltas, with a message, a tool and its output now and then. */
import type { ReinsEvent } from "../../src/events/types.ts";

export function streamOf(sessionId: string, count: number): ReinsEvent[] {
  const time = new Date().toISOString();
  const of = (seq: number, payload: object): ReinsEvent =>
    ({ v: 1, seq, time, sessionId, turnId: "turn_1", agent: "demo", ...payload }) as ReinsEvent;
  return Array.from({ length: count }, (_, index) => {
    const seq = index + 1;
    if (seq === 1)
      return of(seq, { type: "turn.started", origin: "prompt", input: { text: `fix number ${sessionId}` } });
    if (seq === count) {
      const end = {
        outcome: "done",
        text: "",
        durationMs: 1,
        toolCalls: 0,
        filesChanged: [],
        state: `demo:1:${sessionId}`,
      };
      return of(seq, { type: "turn.completed", ...end });
    }
    const messageId = `m${Math.floor(seq / 100)}`;
    switch (seq % 100) {
      case 0:
        return of(seq, { type: "message.completed", messageId, text: words(seq, 60) });
      case 1:
        return of(seq, {
          type: "tool.started",
          callId: `c${seq}`,
          tool: "shell",
          nativeName: "Bash",
          kind: "execute",
          title: `Run npm test ${seq}`,
          input: { command: "npm test" },
        });
      case 2:
        return of(seq, {
          type: "tool.completed",
          callId: `c${seq - 1}`,
          output: { text: words(seq, 80), bytes: 500, kept: 500 },
          durationMs: 12,
        });
      default:
        return of(seq, { type: "message.delta", messageId, text: `word${seq % 9973} ` });
    }
  });
}

export function batchesOf(events: readonly ReinsEvent[], size: number): readonly ReinsEvent[][] {
  return Array.from({ length: Math.ceil(events.length / size) }, (_, index) =>
    events.slice(index * size, (index + 1) * size),
  );
}

/** Words from a vocabulary of about ten thousand. */
function words(seed: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `word${(seed * 31 + index * 7919) % 9973}`).join(" ");
}
