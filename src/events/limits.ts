import { overridden } from "./overrides.ts";

/** All size limits of Reins. Callers override single rows with `createReins({ limits })`. Cut content is always marked as cut. */
export const defaultLimits = {
  /** Bytes of one tool output in its event. With a store, a file keeps the whole output. */
  inlineBytes: 50 * 1024,
  /** Bytes of one message in its event. */
  messageBytes: 50 * 1024,
  /** Bytes of one line of an agent's output. */
  lineBytes: 64 * 1024 * 1024,
  /** Bytes of an agent's stderr kept for error messages. */
  stderrBytes: 64 * 1024,
  /** Bytes of unread events before Reins pauses the agent. Applies only without a durable store. */
  waitingBytes: 1024 * 1024,
  /** Bytes of events that were read, with their serialised lines, that the in-memory log keeps for late readers. */
  memoryLogBytes: 1024 * 1024,
  /** Bytes of unread events that the in-memory log keeps for readers that come after the end of a turn. */
  unreadBytes: 8 * 1024 * 1024,
  /** Bytes of one prompt. */
  promptBytes: 16 * 1024 * 1024,
} as const satisfies Record<string, number>;

/** Bytes per limit. See `defaultLimits`. */
export type Limits = { [Name in keyof typeof defaultLimits]: number };

/** About the longest string that V8 can create. */
const mostBytes = 2 ** 29 - 24;

/** The default table with the caller's rows. `Infinity` becomes the largest possible value. */
export function limitsWith(rows: Partial<Limits> | undefined): Limits {
  return overridden("limit", defaultLimits, rows, mostBytes);
}
