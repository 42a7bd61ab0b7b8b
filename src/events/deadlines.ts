import { overridden } from "./overrides.ts";

/** All deadlines of Reins in milliseconds. A caller may override any row. */
export const defaultDeadlines = {
  /** For a person to answer. Without a person, a permission is denied and a question skipped at once. */
  permission: 300_000,
  question: 300_000,
  /** Finding an agent, its version and its sign-in. */
  probe: 5_000,
  /** From the start of a process until it answers its protocol. */
  start: 60_000,
  /** An answer to one request of the protocol other than a prompt. */
  request: 30_000,
  /** From a cancel until the agent reports the end of its turn; then its process is stopped. */
  cancel: 10_000,
  /** Stopping a process: polite close, then TERM, then KILL. */
  politeClose: 2_000,
  term: 3_000,
  /** For the rest in the pipes of a process that exited. */
  drain: 250,
  /** One command that is run after a turn. */
  after: 600_000,
  /** How long a command of git or `gh` may run after a person has confirmed it. */
  repositoryAction: 120_000,
  /** Silence of a running turn before a `notice` with code `quiet`; silence alone never fails a turn. */
  quiet: 60_000,
} as const satisfies Record<string, number>;

export type Deadlines = { [Name in keyof typeof defaultDeadlines]: number };

/** The longest timer: about 25 days. */
export const longestMs = 2 ** 31 - 1;

/** The table with a caller's rows; `Infinity` becomes the longest timer. */
export function deadlinesWith(rows: Partial<Deadlines> | undefined): Deadlines {
  return overridden("deadline", defaultDeadlines, rows, longestMs);
}
