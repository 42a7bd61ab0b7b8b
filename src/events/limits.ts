import { overridden } from "./overrides.ts";

/** How much of anything is kept; a caller may override any row. What was cut is always visible. */
export const defaultLimits = {
  /** Bytes of one tool output kept inline; with a store the whole is in a file. */
  inlineBytes: 50 * 1024,
  /** The same of one message. */
  messageBytes: 50 * 1024,
  /** Bytes of one line an agent may print. */
  lineBytes: 64 * 1024 * 1024,
  /** Bytes of an agent's stderr kept for error messages. */
  stderrBytes: 64 * 1024,
  /** Bytes of events a reader may leave unread before the agent is paused (only without a durable store). */
  waitingBytes: 1024 * 1024,
  /** Bytes of already read events the in-memory log keeps for late readers. */
  memoryLogBytes: 1024 * 1024,
  /** Bytes of events nobody has read yet that it keeps for whoever reads a turn after its end. */
  unreadBytes: 8 * 1024 * 1024,
  /** Bytes of one prompt. */
  promptBytes: 16 * 1024 * 1024,
} as const satisfies Record<string, number>;

export type Limits = { [Name in keyof typeof defaultLimits]: number };

/** About the longest text that V8 can hold. */
const mostBytes = 2 ** 29 - 24;

/** The table with the rows a caller overrides; `Infinity` is as much as can be. */
export function limitsWith(rows: Partial<Limits> | undefined): Limits {
  return overridden("limit", defaultLimits, rows, mostBytes);
}
