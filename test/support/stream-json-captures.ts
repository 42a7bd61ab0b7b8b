/** Recorded stream-json conversations, and the events a translator makes of them. */
import { record, type JsonObject } from "../../src/protocols/json.ts";
import type { AgentEvent } from "../../src/events/types.ts";
import type { Exit } from "../../src/process/types.ts";
import type { Lines } from "./damage.ts";

export function outputsOf(capture: { readonly lines: readonly { dir: string; msg: unknown }[] }): JsonObject[] {
  return capture.lines.filter((line) => line.dir === "out").map((line) => record(line.msg));
}

interface Translator {
  translate(message: unknown): readonly AgentEvent[];
  exited(exit: Exit, stderrTail: string): readonly AgentEvent[];
}

/** All events a translator makes of these messages, including its end. */
export function allSaid(translator: Translator, messages: readonly unknown[]): AgentEvent[] {
  const said = messages.flatMap((message) => translator.translate(message));
  return [...said, ...translator.exited({ code: 1, signal: null }, "")];
}

/** The capture as if partial messages were turned off. */
export function withoutPieces<Capture extends Lines>(capture: Capture): Capture {
  const lines = capture.lines.filter(({ msg }) => (msg as { type?: unknown } | null)?.type !== "stream_event");
  return { ...capture, lines };
}

const pieces = new Set(["message.delta", "thought.delta", "turn.phase", "message.discarded"]);

/** The events without deltas, and without message ids. */
export function saidWhole(events: readonly AgentEvent[]): AgentEvent[] {
  return events
    .filter(({ type }) => !pieces.has(type))
    .map((event) => ("messageId" in event ? { ...event, messageId: "" } : event));
}
