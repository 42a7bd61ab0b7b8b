/** Puts a terminal among the kept sessions, so that `reins sessions` lists it and its recording is found. */
import { newTurnId, Recorder } from "../../core/record/recorder.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor } from "../../events/redact.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { HolderSpec } from "../../protocols/pty/holder.ts";
import { openStore } from "../../store/index.ts";

/** The session has one turn, whose prompt is the command. What was said is in the recording, which a notice names. */
export function keepTerminalSession(spec: HolderSpec, recording: string): void {
  const { id, cwd } = spec;
  const redact = createRedactor(process.env);
  const title = redact(spec.title);
  const now = new Date().toISOString();
  const store = openStore();
  try {
    const events = eventsOf({ ...spec, title }, recording);
    store.sessions.add({ id, cwd, title, events, source: `terminal:${id}`, createdAt: now, updatedAt: now });
  } finally {
    store.close();
  }
}

function eventsOf({ id, agent, cwd, title }: HolderSpec, recording: string): readonly ReinsEvent[] {
  const redact = createRedactor(process.env);
  const recorder = new Recorder({ sessionId: id, redact, limits: defaultLimits, now: Date.now });
  const leg = { cwd, mode: "ask", resumed: false } as const;
  recorder.startLeg(agent, leg);
  recorder.add({ type: "session.started", ...leg });
  recorder.startTurn(newTurnId(), { type: "turn.started", origin: "prompt", input: { text: title } });
  const message = `This is the recording of a terminal (${recording}): replay it with \`reins attach --replay ${id}\`.`;
  recorder.add({ type: "notice", level: "info", code: "terminal_recording", message });
  recorder.endTurn({ outcome: "done" });
  recorder.endLeg();
  return recorder.take();
}
