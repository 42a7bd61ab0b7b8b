/** Public types of comparisons: the same prompt on several agents, each in its own git worktree. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { EventOf } from "../../events/types.ts";
import type { Prompt, Session, SessionOptions } from "../api.ts";

/** A comparison to start. */
export interface NewComparison {
  /** A folder in a git repository that has at least one commit. */
  readonly cwd: string;
  readonly prompt: Prompt;
  /** The agents to compare. The same agent may occur twice with different models. */
  readonly entries: readonly { readonly agent: string; readonly model?: string | undefined }[];
  readonly mode?: Mode | undefined;
}

/**
 * `waiting`: a permission or question needs an answer. `gone`: the session does not exist or never started. Otherwise
 * the outcome of its turn.
 */
export type EntryState = "running" | "waiting" | "gone" | EventOf<"turn.completed">["outcome"];

/** How the changes of an entry were kept. */
export interface KeptEntry {
  /** `branch`: committed on its branch. `apply`: applied to the user's folder. */
  readonly how: "branch" | "apply";
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  readonly at: string;
}

/** An agent in a comparison. */
export interface ComparisonEntry {
  /** Number of the entry, from 1. */
  readonly number: number;
  readonly agent: string;
  readonly model?: string | undefined;
  /** Id of its session. Missing when it could not start. */
  readonly session?: string | undefined;
  readonly state: EntryState;
  /** Why the prompt could not be sent. */
  readonly error?: Pick<ErrorInfo, "code" | "message" | "help"> | undefined;
  readonly branch: string;
  /** Path of the worktree. */
  readonly folder: string;
  /** Set after `keep()`. */
  readonly kept?: KeptEntry | undefined;
}

/** A comparison and the state of its agents. */
export interface Comparison {
  readonly id: string;
  readonly cwd: string;
  readonly prompt: string;
  readonly mode?: Mode | undefined;
  readonly createdAt: string;
  /** The commit that all agents started from. */
  readonly base: string;
  /** Number of files with uncommitted changes in the folder. The agents do not see those changes. */
  readonly uncommitted: number;
  readonly entries: readonly ComparisonEntry[];
}

/** A file that an agent changed. */
export interface ChangedFile {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  /** Number of lines. Missing for binary files. */
  readonly added?: number | undefined;
  readonly removed?: number | undefined;
}

/** The changes of one entry. */
export interface EntryChanges {
  readonly files: readonly ChangedFile[];
  /** All differences from `base`, as a unified diff. */
  readonly patch: string;
  /** True when the patch is longer than shown. */
  readonly cut: boolean;
  /** Why the changes could not be read. */
  readonly trouble?: string | undefined;
}

/** A comparison with the changes of each agent. */
export interface ComparisonDetails extends Omit<Comparison, "entries"> {
  readonly entries: readonly (ComparisonEntry & EntryChanges)[];
}

/** Result of keeping the changes of an entry. */
export interface KeepAnswer extends KeptEntry {
  readonly files: readonly ChangedFile[];
}

/** Comparisons of this user, in this process or on a server. */
export interface ComparisonsApi {
  /** Starts a comparison. When one agent cannot start, none does. */
  create(wanted: NewComparison): Promise<Comparison>;
  /** Lists comparisons, newest first. */
  list(): Promise<readonly Comparison[]>;
  /** Returns a comparison with the changes of each agent so far. */
  get(id: string): Promise<ComparisonDetails>;
  /** Returns the open session of an entry, otherwise resumes the stored one. */
  session(id: string, entry: number): Promise<Session>;
  /** Commits the changes of an entry on its branch, or applies them to the folder, which must be clean. */
  keep(id: string, entry: number, how: KeptEntry["how"]): Promise<KeepAnswer>;
  /** Ends the agents and removes the worktrees. Resolves with the branches that stay. */
  remove(id: string): Promise<readonly string[]>;
}

/** An open session of a comparison. */
export interface ComparedSession {
  readonly id: string;
  /** Resolves when the prompt is accepted; rejects when it is refused. */
  begin(prompt: Prompt): Promise<unknown>;
  close(): Promise<void>;
}

/** Holds the sessions of comparisons: a server, or a Reins in this process. */
export interface ComparedSessions {
  open(options: SessionOptions): Promise<ComparedSession>;
  close(id: string): Promise<void>;
  state(id: string): Promise<EntryState>;
}
