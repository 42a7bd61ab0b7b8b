/** Child processes as the folders above see them. */

export interface LaunchSpec {
  /** A path or a name on PATH; never a shell line. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child (see `childEnvironment`), without our mark, which `launch` adds. */
  readonly env: Readonly<Record<string, string>>;
  /** Which agent it is for, in the ledger. */
  readonly agent: string;
  readonly sessionId?: string | undefined;
  /** `ignore` gives the child an empty stdin, so that it never waits for one. */
  readonly stdin: "pipe" | "ignore";
  /** How it talks to us beside stdin and stdout. */
  readonly secondChannel?: SecondChannel | undefined;
}

/**
 * A second way of talking to a child, such as requests that it makes over HTTP. What it says there stands among its lines, so a
 * recording has all of it, and a replay needs no second way.
 */
export interface SecondChannel {
  /** Called once, when the child is there. Each line is said as it comes; what was said before is said then. */
  listen(say: (line: string) => void): void;
  /** What comes as a long stream, pulled: what nobody reads stays where it is. Must not throw. */
  readonly lines?: AsyncIterable<LineBatch> | undefined;
  /** Whether this line to the child goes the second way; else it goes to stdin. */
  take(line: string): boolean;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Whole lines as they arrived together. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** How many lines were longer than the limit and left out. */
  readonly overlong: number;
}

export interface Child {
  readonly pid: number;
  /** Ends when stdout ends, or shortly after the process exited though a grandchild holds the pipe. Not reading it pauses the child. */
  readonly lines: AsyncIterable<LineBatch>;
  /** Resolves when the text is handed to the pipe; never rejects (a dead child shows in `exited`). */
  write(text: string): Promise<void>;
  /** Closes stdin: the polite way to ask for the end. */
  closeStdin(): void;
  /** The last of stderr, redacted. */
  stderrTail(): string;
  /** Resolves when the process is gone; never rejects. */
  readonly exited: Promise<Exit>;
  /** Polite close, TERM, KILL to the whole group, and what escaped it; settled when the process is gone. May be called often. */
  stop(options?: { politely?: boolean }): Promise<Exit>;
}

export interface Output extends Exit {
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  /** There was more on stdout than is kept. */
  readonly truncated: boolean;
}

/** A file of the user's that is changed for a while. */
export interface BorrowSpec {
  /** Whose it is to know what was put into it. */
  readonly agent: string;
  /** An existing folder, and the path from there; no link below it is followed. */
  readonly root: string;
  readonly path: string;
  /** What is in it for the time being, from what is there (undefined: no file). Throws where that cannot be done. */
  readonly change: (before: string | undefined) => string;
  /** Whether what another session has put into it will do. */
  readonly shares: (installed: string) => boolean;
  /** When somebody has changed it since: the text without what was put into it; undefined where nothing is left. */
  readonly retract: (now: string) => string | undefined;
}

export interface Borrowed {
  /** What is in it now. */
  readonly content: string;
  /** Gives it back when nobody else needs it: byte for byte, where it is as it was left. May be called often; never throws. */
  giveBack(): void;
}

/** Files of the user's: whatever becomes of Reins, they get back what they had. Nothing is changed where that cannot be promised. */
export interface UserFiles {
  /** As long as Reins lives, at most. Throws a ReinsError where the file is not to be touched. */
  borrow(spec: BorrowSpec): Promise<Borrowed>;
  /** Until it is `discard`ed, whatever becomes of Reins. */
  keep(spec: BorrowSpec): Promise<void>;
  /** Also what nothing is known of any more: then `retract` says what goes. Throws where it could not be written. */
  discard(spec: BorrowSpec): void;
  /** Gives back what dead ones have left in files that somebody has changed since. */
  recover(agent: string, retract: BorrowSpec["retract"]): Promise<void>;
  list(agent: string): readonly BorrowedInfo[];
}

export interface BorrowedInfo {
  readonly path: string;
  /** Somebody wants it so until further notice. */
  readonly kept: boolean;
  /** How many sessions need it now. */
  readonly sessions: number;
}

/** All child processes of one Reins. */
export interface Processes {
  /** Writes the intent to the ledger, makes sure that the guardian watches, and starts the child. Throws a ReinsError (`not_installed`, `invalid_input`, ...). */
  launch(spec: LaunchSpec): Promise<Child>;
  /** Runs a short command to its end, or stops it at the deadline. Output is capped. Throws like `launch`. */
  run(spec: Omit<LaunchSpec, "stdin">, deadlineMs: number): Promise<Output>;
  /** Bytes that all of them have now; undefined, or no such method, where it cannot be known. */
  memory?(): Promise<number | undefined>;
  /** Files of the user's; none where nothing of the machine is touched, as in a replay. */
  readonly files?: UserFiles | undefined;
  /** Ends what an earlier Reins that died has left behind, and gives back what it had borrowed. Called once at the start. */
  reap(): Promise<void>;
  /** Stops every child. */
  close(): Promise<void>;
}
