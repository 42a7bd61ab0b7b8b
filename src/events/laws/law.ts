import type { ReinsEvent } from "../types.ts";

export type LawNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export interface Violation {
  readonly law: LawNumber;
  /** The event that violates it; for law 6 the number of the input. */
  readonly seq: number;
  readonly message: string;
}

export interface LawOptions {
  /** The list may end in the middle of a turn. */
  readonly open?: boolean | undefined;
  /** The sequence number before the first event. Default: 0, the beginning of the session. */
  readonly after?: number | undefined;
  /** Whether an agent can resume, for law 7. Default: every agent can. */
  readonly resumes?: ((agent: string) => boolean) | undefined;
}

export type Report = (seq: number, message: string) => void;

/** A checker of one law. */
export interface Law {
  push(event: ReinsEvent): void;
  /** No more events come. `seq`: the last one. */
  end?(seq: number): void;
}

export type CreateLaw = (report: Report, options: LawOptions) => Law;
