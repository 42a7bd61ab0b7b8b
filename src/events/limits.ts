import { overridden } from "./overrides.ts";

/** All size limits. A caller may override any row. Cuts are always visible. */
export const defaultLimits = {
  /** Bytes of one tool output kept inline; with a store the whole is in a file. */
  inlineBytes: 50 * 1024,
  /** The same for one message. */
  messageBytes: 50 * 1024,
  /** Bytes of one line of an agent's output. */
  lineBytes: 64 * 1024 * 1024,
  /** Bytes of an agent's stderr kept for error messages. */
  stderrBytes: 64 * 1024,
  /** Bytes of events a reader may leave unread before the agent is paused (only without a durable store). */
  waitingBytes: 1024 * 1024,
  /** Bytes of read events, with their serialised lines, that the in-memory log keeps for late readers. */
  memoryLogBytes: 1024 * 1024,
  /** Bytes of unread events that it keeps for readers that come after the end of a turn. */
  unreadBytes: 8 * 1024 * 1024,
  /** Bytes of one prompt. */
  promptBytes: 16 * 1024 * 1024,
} as const satisfies Record<string, number>;

export type Limits = { [Name in keyof typeof defaultLimits]: number };

/** About the longest string of V8. */
const mostBytes = 2 ** 29 - 24;

/** The table with a caller's rows; `Infinity` becomes the largest possible. */
export function limitsWith(rows: Partial<Limits> | undefined): Limits {
  return overridden("limit", defaultLimits, rows, mostBytes);
}
