/** Stores a terminal as a session, so that `reins sessions` lists it and its recording can be found. */
import { newTurnId, Recorder } from "../record/recorder.ts";
import { defaultLimits } from "../../events/limits.ts";
import { createRedactor, type Redactor } from "../../events/redact.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { HolderSpec } from "../../protocols/pty/holder.ts";
import type { Store } from "../log/types.ts";

/** The session has one turn, whose prompt is the command. The output is in the recording, which a notice names. */
export function keepTerminalSession(
  spec: HolderSpec,
  recording: string,
  store: Pick<Store, "sessions">,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const { id, cwd } = spec;
  const redact = createRedactor(env);
  const title = redact(spec.title);
  const now = new Date().toISOString();
  const events = eventsOf({ ...spec, title }, recording, redact);
  store.sessions.add({ id, cwd, title, events, source: `terminal:${id}`, createdAt: now, updatedAt: now });
}

function eventsOf({ id, agent, cwd, title }: HolderSpec, recording: string, redact: Redactor): readonly ReinsEvent[] {
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
