/** A past conversation of an agent as a session of Reins: recorded as if it were held now, with the times it had then. */
import type { PastEvent, PastSession } from "../agents/contract.ts";
import type { Limits } from "../events/limits.ts";
import type { Redactor } from "../events/redact.ts";
import type { ReinsEvent } from "../events/types.ts";
import { keep } from "./record/keep.ts";
import type { Put } from "./record/keep.ts";
import { newTurnId, Recorder } from "./record/recorder.ts";

export interface PastRecording {
  readonly sessionId: string;
  /** The agent's id. */
  readonly agent: string;
  readonly redact: Redactor;
  readonly limits: Limits;
  readonly put?: Put | undefined;
}

export async function recordPast(
  past: PastSession,
  batches: AsyncIterable<readonly PastEvent[]>,
  { agent, ...recording }: PastRecording,
): Promise<readonly ReinsEvent[]> {
  let now = Date.parse(past.createdAt);
  const recorder = new Recorder({ ...recording, now: () => now });
  const { cwd, model, agentVersion, state, title } = past;
  // Nobody knows what it was allowed then: it goes on as a session does that says nothing.
  const leg = { cwd, mode: "ask", resumed: false } as const;
  recorder.startLeg(agent, leg);
  recorder.add({ type: "session.started", ...leg, model, agentVersion, state });
  if (title !== undefined) recorder.add({ type: "session.updated", title, by: "agent" });
  const events: ReinsEvent[] = [];
  for await (const batch of batches) {
    for (const one of batch) {
      // Time never goes back in a session, whatever the clock of that machine did.
      now = Math.max(now, Date.parse(one.time ?? "") || 0);
      if ("prompt" in one) ask(recorder, one.prompt, recording);
      else if (one.event.type === "turn.ended") recorder.endTurn(one.event);
      else recorder.add(one.event);
    }
    events.push(...recorder.take());
  }
  recorder.endLeg();
  return [...events, ...recorder.take()];
}

function ask(
  recorder: Recorder,
  { text, attachments }: Extract<PastEvent, { prompt: unknown }>["prompt"],
  { limits, redact }: Pick<PastRecording, "limits" | "redact">,
): void {
  const kept = keep(text, limits.inlineBytes, redact);
  const input = { text: kept.text, ...(attachments && { attachments: [...attachments] }) };
  recorder.startTurn(newTurnId(), {
    type: "turn.started",
    origin: "prompt",
    input: kept.whole ? input : { ...input, bytes: Buffer.byteLength(text) },
  });
}
