/** Types of child processes and borrowed files. */

export interface LaunchSpec {
  /** A path or a name on PATH; never a shell line. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment of the child (see `childEnvironment`). `launch` adds the marks of Reins. */
  readonly env: Readonly<Record<string, string>>;
  /** The id of the agent, recorded in the ledger. */
  readonly agent: string;
  readonly sessionId?: string | undefined;
  /** `ignore` gives the child an empty stdin, so that it never waits for input. */
  readonly stdin: "pipe" | "ignore";
  readonly secondChannel?: SecondChannel | undefined;
}

/** A program that another module starts, such as one on a terminal of its own. */
export type HeldSpec = Omit<LaunchSpec, "stdin" | "secondChannel">;

/**
 * Starts the program at `path` with exactly this environment, as the leader of its own session and group. Must return in the same tick as
 * the fork, so that no kill can come between the two.
 */
export type StartHeld<Started> = (path: string, env: Readonly<Record<string, string>>) => HeldProcess<Started>;

/** Result of `StartHeld`: the process, and whatever else the start returns. */
export interface HeldProcess<Started> {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly started: Started;
}

/** The life of a process that another module started. */
export interface Held {
  readonly pid: number;
  /** Never rejects. */
  readonly exited: Promise<Exit>;
  /**
   * Sends HUP, as when its terminal is closed, then TERM and KILL to the whole group and to descendants that left it. Settles when all of
   * them are gone.
   */
  stop(): Promise<Exit>;
}

/**
 * A channel beside stdin and stdout, such as HTTP. Its messages are merged into the lines of the child, so that a recording is complete.
 */
export interface SecondChannel {
  /** Called once, when the child has started. `say` receives each line as it arrives, and earlier lines at once. */
  listen(say: (line: string) => void): void;
  /** A long stream of lines that the reader pulls. Must not throw. */
  readonly lines?: AsyncIterable<LineBatch> | undefined;
  /** Returns true if this channel takes a line to the child; otherwise the line goes to stdin. */
  take(line: string): boolean;
}

/** How a process ended: its exit code, or the signal that ended it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Complete lines that arrived together. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** Number of lines over the limit, which are left out. */
  readonly overlong: number;
}

/** A running child process. */
export interface Child {
  readonly pid: number;
  /** Ends with stdout, or shortly after the exit if a grandchild holds the pipe. Not reading it pauses the child. */
  readonly lines: AsyncIterable<LineBatch>;
  /** Resolves when the pipe has taken the text; never rejects (see `exited`). */
  write(text: string): Promise<void>;
  /** Asks the child to end. */
  closeStdin(): void;
  /** The end of stderr, redacted. */
  stderrTail(): string;
  /** Never rejects. */
  readonly exited: Promise<Exit>;
  /**
   * Closes stdin, then sends TERM and KILL to the whole group and to descendants that left it. Settles when the process is gone. May be
   * called more than once.
   */
  stop(options?: { politely?: boolean }): Promise<Exit>;
}

/** Output of a command that has ended. */
export interface Output extends Exit {
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** Stdout was longer than the limit. */
  readonly truncated: boolean;
}

/** A temporary change of a file of the user. */
export interface BorrowSpec {
  readonly agent: string;
  /** An existing folder, and the path from there. Links below the folder are not followed. */
  readonly root: string;
  readonly path: string;
  /** Returns the changed content, given the present content (undefined: no file). Throws if that is impossible. */
  readonly change: (before: string | undefined) => string;
  /** Returns true if the content that another session installed also serves this one. */
  readonly shares: (installed: string) => boolean;
  /** Removes the entries of Reins from content that was changed since; returns undefined if nothing is left. */
  readonly retract: (now: string) => string | undefined;
}

/** A user's file that Reins has changed for a session, and the way to restore it. */
export interface Borrowed {
  readonly content: string;
  /** Restores the file when no other session needs it; byte for byte, if nobody changed it. May be called more than once; never throws. */
  giveBack(): void;
}

/** Changes files of the user and restores them even when Reins dies. Changes nothing if that cannot be guaranteed. */
export interface UserFiles {
  /** Changes a file at most as long as Reins lives. Throws a ReinsError if the file must not be touched. */
  borrow(spec: BorrowSpec): Promise<Borrowed>;
  /** Changes a file until `discard`, beyond the life of Reins. */
  keep(spec: BorrowSpec): Promise<void>;
  /** Undoes `keep`. Works without a record too: then `retract` removes the entries of Reins. Throws if the file cannot be written. */
  discard(spec: BorrowSpec): void;
  /** Restores files of dead processes that the user has changed since. */
  recover(agent: string, retract: BorrowSpec["retract"]): Promise<void>;
  list(agent: string): readonly BorrowedInfo[];
}

/** The state of a user's file that Reins has changed. */
export interface BorrowedInfo {
  readonly path: string;
  /** True for a file changed by `keep`. */
  readonly kept: boolean;
  /** Number of sessions that need the change now. */
  readonly sessions: number;
}

/** All child processes of one Reins. */
export interface Processes {
  /** Records the intent in the ledger, starts the guardian if needed, and starts the child. Throws a ReinsError (`not_installed`, ...). */
  launch(spec: LaunchSpec): Promise<Child>;
  /** Runs a short command to its end, or stops it at the deadline. Output is capped. Throws like `launch`. */
  run(spec: Omit<LaunchSpec, "stdin">, deadlineMs: number): Promise<Output>;
  /** Like `launch`, for a program that `start` forks. Undefined in a replay. */
  hold?<Started>(spec: HeldSpec, start: StartHeld<Started>): Promise<{ started: Started; child: Held }>;
  /** Memory of all children in bytes; undefined if unknown. */
  memory?(): Promise<number | undefined>;
  /** Undefined in a replay, which touches no files. */
  readonly files?: UserFiles | undefined;
  /** Stops processes that a dead Reins left behind, and restores its borrowed files. Called once at the start. */
  reap(): Promise<void>;
  close(): Promise<void>;
}
