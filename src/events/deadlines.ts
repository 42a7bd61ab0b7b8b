import { overridden } from "./overrides.ts";

/** All deadlines of Reins, in milliseconds. Callers override single rows with `createReins({ deadlines })`. */
export const defaultDeadlines = {
  /**
   * How long a person may take to answer a permission or a question. Without a person, permissions are denied and
   * questions skipped at once.
   */
  permission: 300_000,
  question: 300_000,
  /** Finding an agent, its version and its sign-in status. */
  probe: 5_000,
  /** From the start of a process until it answers its protocol. */
  start: 60_000,
  /** Answer to one protocol request other than a prompt. */
  request: 30_000,
  /** From a cancel until the agent reports the end of its turn. After that Reins stops the process. */
  cancel: 10_000,
  /** Stopping a process takes three steps: polite close (`politeClose`), then SIGTERM (`term`), then SIGKILL. */
  politeClose: 2_000,
  term: 3_000,
  /** Reading the remaining output of a process that exited. */
  drain: 250,
  /** A command that runs after a turn (`after`). */
  after: 600_000,
  /** A git or `gh` command that the user confirmed. */
  repositoryAction: 120_000,
  /** Silence of a running turn before a `notice` with code `quiet`. Silence alone never fails a turn. */
  quiet: 60_000,
} as const satisfies Record<string, number>;

/** Milliseconds per deadline. See `defaultDeadlines`. */
export type Deadlines = { [Name in keyof typeof defaultDeadlines]: number };

/** The longest delay that a timer accepts: about 25 days. */
export const longestMs = 2 ** 31 - 1;

/** The default table with the caller's rows. `Infinity` becomes the longest timer. */
export function deadlinesWith(rows: Partial<Deadlines> | undefined): Deadlines {
  return overridden("deadline", defaultDeadlines, rows, longestMs);
}
