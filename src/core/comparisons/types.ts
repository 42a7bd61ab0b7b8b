/** Comparisons: the same prompt on several agents, each in a git worktree of its own. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { EventOf } from "../../events/types.ts";
import type { Prompt, Session, SessionOptions } from "../api.ts";

export interface NewComparison {
  /** A folder in a git repository that has a commit. */
  readonly cwd: string;
  readonly prompt: Prompt;
  /** Who works on it; the same agent may come twice, with another model. */
  readonly entries: readonly { readonly agent: string; readonly model?: string | undefined }[];
  readonly mode?: Mode | undefined;
}

/** `waiting`: somebody has to answer. `gone`: its session is not there, or never began. */
export type EntryState = "running" | "waiting" | "gone" | EventOf<"turn.completed">["outcome"];

export interface KeptEntry {
  readonly how: "branch" | "apply";
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  readonly at: string;
}

export interface ComparisonEntry {
  /** From 1. */
  readonly number: number;
  readonly agent: string;
  readonly model?: string | undefined;
  /** The id of its session; none where it could not begin. */
  readonly session?: string | undefined;
  readonly state: EntryState;
  readonly error?: Pick<ErrorInfo, "code" | "message" | "help"> | undefined;
  readonly branch: string;
  /** The worktree. */
  readonly folder: string;
  readonly kept?: KeptEntry | undefined;
}

export interface Comparison {
  readonly id: string;
  readonly cwd: string;
  readonly prompt: string;
  readonly mode?: Mode | undefined;
  readonly createdAt: string;
  /** The commit that all of them began from. */
  readonly base: string;
  /** Files that were changed in the folder and not committed: the agents do not see that. */
  readonly uncommitted: number;
  readonly entries: readonly ComparisonEntry[];
}

export interface ChangedFile {
  readonly path: string;
  readonly change: "added" | "modified" | "deleted";
  /** Lines; not of a binary file. */
  readonly added?: number | undefined;
  readonly removed?: number | undefined;
}

export interface EntryChanges {
  readonly files: readonly ChangedFile[];
  /** Everything that is other than in `base`, as a unified diff. */
  readonly patch: string;
  /** The patch is longer than is shown. */
  readonly cut: boolean;
  /** Why its changes could not be read. */
  readonly trouble?: string | undefined;
}

export interface ComparisonDetails extends Omit<Comparison, "entries"> {
  readonly entries: readonly (ComparisonEntry & EntryChanges)[];
}

export interface KeepAnswer extends KeptEntry {
  readonly files: readonly ChangedFile[];
}

/** Comparisons of this user, in this process or of a server. */
export interface ComparisonsApi {
  /** Where one agent cannot begin, none does. */
  create(wanted: NewComparison): Promise<Comparison>;
  /** The newest first. */
  list(): Promise<readonly Comparison[]>;
  /** With what each agent has changed so far. */
  get(id: string): Promise<ComparisonDetails>;
  /** The open session of an entry, else the kept one, resumed. */
  session(id: string, entry: number): Promise<Session>;
  /** Commits what an agent made on its branch, or puts it into the folder, which must be clean. */
  keep(id: string, entry: number, how: KeptEntry["how"]): Promise<KeepAnswer>;
  /** Ends its agents and removes its worktrees. Resolves with the branches that stay. */
  remove(id: string): Promise<readonly string[]>;
}

/** An opened session of a comparison. */
export interface ComparedSession {
  readonly id: string;
  /** Resolves when the prompt is taken; rejects when it is refused. */
  begin(prompt: Prompt): Promise<unknown>;
  close(): Promise<void>;
}

/** Whoever holds the sessions of comparisons: a server, or a Reins in this process. */
export interface ComparedSessions {
  open(options: SessionOptions): Promise<ComparedSession>;
  close(id: string): Promise<void>;
  state(id: string): Promise<EntryState>;
}
