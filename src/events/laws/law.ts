import type { ReinsEvent } from "../types.ts";

/** Number of a law. `docs/events.md` lists them. */
export type LawNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/** A broken law. */
export interface Violation {
  readonly law: LawNumber;
  /** The event that breaks the law; for law 6 the number of the input. */
  readonly seq: number;
  readonly message: string;
}

/** Options for checking a part of a session. */
export interface LawOptions {
  /** The list may end inside a turn. */
  readonly open?: boolean | undefined;
  /** Sequence number before the first event. Default: 0, the start of the session. */
  readonly after?: number | undefined;
  /** Returns whether an agent can resume (law 7). Default: every agent can. */
  readonly resumes?: ((agent: string) => boolean) | undefined;
}

export type Report = (seq: number, message: string) => void;

export interface Law {
  push(event: ReinsEvent): void;
  /** Called after the last event, with its sequence number. */
  end?(seq: number): void;
}

export type CreateLaw = (report: Report, options: LawOptions) => Law;
