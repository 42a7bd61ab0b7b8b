/** Interfaces of the log and of the store. A store implements them; `memory-log.ts` is the log without a store. */
import type { Rule } from "../policy/rule.ts";
import type { ErrorCode } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { EventType, Outcome, ReinsEvent, Tokens } from "../../events/types.ts";
import type { EventBatch } from "./event-batch.ts";

/** The log of one session: events are appended, readers read them at their own pace. */
export interface SessionLog {
  /** Appends events in the order of their `seq`. Never throws and never waits. */
  append(batch: EventBatch): void;
  /** Backpressure: while this returns a promise, the agent is not read until the promise resolves. */
  room(): Promise<void> | undefined;
  /** Sequence number of the last event that readers may see. With a writable store that event is durable. */
  readonly acked: number;
  /** Sets the listener, which is called with `acked` each time it grows, possibly during `append`. There is only one. */
  onAck(listener: (seq: number) => void): void;
  /** Yields all events after a `seq`, then new ones until the log ends or the reader leaves. */
  read(after: number): AsyncIterableIterator<EventBatch>;
  /** Ends the log: readers end after the last event. Called when every event is acknowledged. */
  end(): void;
}

/** Opens the logs of sessions. */
export interface Log {
  open(sessionId: string, about?: SessionAbout): SessionLog;
}

/** Restrictions that a caller set for a session: rules that deny or ask, and disallowed tools. They apply again on resume. */
export interface Forbidden {
  readonly rules: readonly Rule[];
  readonly tools: readonly string[];
}

/** Facts about a session that its events do not contain. */
export interface SessionAbout {
  readonly cwd: string;
  /** The mode that the user selected. */
  readonly mode: Mode;
  readonly model?: string | undefined;
  /** Name of the agent file in use. */
  readonly agentFile?: string | undefined;
  readonly forbidden?: Forbidden | undefined;
  readonly owner: LeaseOwner;
  /** Called with one sentence when storing fails, and when it works again. */
  readonly onTrouble?: ((message: string) => void) | undefined;
}

/** A durable log with queries over it. All calls are synchronous and wait only for the disk. Get one from `openStore()`. */
export interface Store extends Log, Disposable {
  /** Why nothing can be stored, in one sentence. Undefined when the store works. Reading this property opens the store. */
  readonly trouble: string | undefined;
  /** Returns a warning about a store that still works, once, after it was opened. */
  takeWarning(): string | undefined;
  readonly sessions: StoredSessions;
  readonly leases: Leases;
  readonly usage: UsageRecords;
  readonly breakers: Breakers;
  readonly blobs: Blobs;
  /** Full-text search over prompts, answers, tool calls and changed files; most recently used sessions first. */
  search(words: string, options?: SearchOptions): readonly SearchHit[];
  /** Removes sessions by age or total size, and content that nothing refers to. */
  collect(options?: CollectOptions): Collected;
  close(): void;
}

/** A session in the store. */
export interface StoredSession {
  /** The session's id, `ses_...`. Pass it as `resume`. */
  readonly id: string;
  readonly cwd: string;
  /** Set by the user, otherwise by the agent, otherwise the beginning of the first prompt. */
  readonly title?: string | undefined;
  /** Id of the session that this one was forked from. */
  readonly parent?: string | undefined;
  /** True for a fork that has not continued yet: its state is still that of the original. */
  readonly copied?: true | undefined;
  /** Source of an imported session: `<agent id>:<the agent's own id of the conversation>`. */
  readonly source?: string | undefined;
  /** Times are ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Sequence number of the last event. */
  readonly lastSeq: number;
  /** Number of turns. */
  readonly turns: number;
  /** Id of the turn that started and has not ended yet, as far as it is stored. */
  readonly openTurn?: string | undefined;
  /** Outcome of the last turn. */
  readonly outcome?: Outcome | undefined;
  /** Agent of the current leg. */
  readonly agent?: string | undefined;
  /** State of the current leg, for `resume`. */
  readonly state?: string | undefined;
  /** The mode that the user selected. */
  readonly mode?: Mode | undefined;
  readonly model?: string | undefined;
  /** Name of the agent file in use. */
  readonly agentFile?: string | undefined;
  /** Restrictions that the caller set. */
  readonly forbidden?: Forbidden | undefined;
  readonly costUsd?: number | undefined;
}

/** A leg: the part of a session held by one agent. */
export interface StoredLeg {
  /** Number of the leg, from 1. */
  readonly number: number;
  readonly agent: string;
  readonly agentVersion?: string | undefined;
  readonly state?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** A turn of a stored session. Times are ISO 8601. */
export interface StoredTurn {
  readonly id: string;
  readonly origin: "prompt" | "agent";
  /** The beginning of the prompt. */
  readonly prompt?: string | undefined;
  readonly agent: string;
  readonly startedAt: string;
  /** Missing while the turn runs, like `outcome` and `lastSeq`. */
  readonly endedAt?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly firstSeq: number;
  readonly lastSeq?: number | undefined;
  readonly usage?: Tokens | undefined;
  readonly costUsd?: number | undefined;
}

/** Filter and page of a list of sessions. */
export interface SessionFilter {
  /** Only sessions of this folder. */
  readonly cwd?: string | undefined;
  readonly agent?: string | undefined;
  /** Only sessions that come after this one in the list. For paging. */
  readonly before?: Pick<StoredSession, "id" | "updatedAt"> | undefined;
  readonly limit?: number | undefined;
}

/** Which events to read. */
export interface ReadOptions {
  /** Only events after this sequence number. */
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  /** Event types to leave out. */
  readonly without?: readonly EventType[] | undefined;
}

/** Queries and changes of the sessions in a store. */
export interface StoredSessions {
  /** Lists sessions, most recently used first. Sessions without a prompt are left out. */
  list(filter?: SessionFilter): readonly StoredSession[];
  /** Finds a session by its id, or by the beginning of the id when it is unique. */
  get(id: string): StoredSession | undefined;
  /** The most recently used session in a folder. */
  lastIn(cwd: string): StoredSession | undefined;
  /** Folders of all sessions, or of those whose events refer to this content. */
  folders(ref?: string): readonly string[];
  /** Finds the session whose current leg has this state, or this id of the agent's own inside its state. */
  byState(state: string): StoredSession | undefined;
  /** Sessions with an open turn and no owner: their process could not write the end. */
  abandoned(): readonly StoredSession[];
  legs(id: string): readonly StoredLeg[];
  turns(id: string): readonly StoredTurn[];
  rename(id: string, title: string): void;
  remove(id: string): void;
  /** Copies the finished turns of a session into a new session. The copy is not searched or counted twice. */
  fork(id: string, newId: string): StoredSession;
  /** Reads events of a session, oldest first. */
  read(id: string, options?: ReadOptions): readonly ReinsEvent[];
  /** Reads events as stored: one line of JSON each. */
  lines(id: string, options?: ReadOptions): readonly string[];
  /** Appends events to a session that no other process writes, atomically. */
  append(id: string, events: readonly ReinsEvent[]): void;
  /**
   * Adds an imported session. Replaces an earlier import from the same source, unless that session continued here:
   * then nothing changes.
   */
  add(session: ImportedSession): StoredSession;
}

/** A session from another source. Its events carry its id and are numbered from 1. */
export interface ImportedSession extends Pick<StoredSession, "id" | "cwd" | "title" | "createdAt" | "updatedAt"> {
  readonly source: string;
  readonly events: readonly ReinsEvent[];
}

/** The process that holds a lease. */
export interface LeaseOwner {
  readonly pid: number;
  /** Start time of the process, because pids are reused. Undefined when it cannot be determined. */
  readonly start: string | undefined;
  /** Identifies the machine and pid namespace of the pid. */
  readonly place: string;
  /** Identifies the Reins instance within the process. */
  readonly run: string;
}

/** The right of one process to write a session. */
export interface Lease extends LeaseOwner {
  readonly sessionId: string;
  /** When the owner was last seen, in milliseconds since the epoch. */
  readonly seenAt: number;
}

/** The leases of all sessions. */
export interface Leases {
  of(sessionId: string): Lease | undefined;
  all(): readonly Lease[];
  /** Takes a session that has no owner, or whose owner is the run `from`. Returns false when another process was faster. */
  take(sessionId: string, owner: LeaseOwner, from?: string): boolean;
  release(sessionId: string, run: string): void;
}

/** Usage of one agent and model on one day. */
export interface UsageRow {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly agent: string;
  /** Empty when unknown. */
  readonly model: string;
  readonly turns: number;
  readonly tokens: Readonly<Record<keyof Tokens, number>>;
  /** Missing when no price is known. */
  readonly costUsd?: number;
  /** Number of turns without a known price; they are not in `costUsd`. */
  readonly unpriced?: number;
  /** Duration of the turns. */
  readonly seconds: number;
}

/** The latest report about one rate-limit window of an agent's subscription. */
export interface LimitRow {
  /** Id of the agent. */
  readonly agent: string;
  /** Name of the window, such as `five_hour`. */
  readonly window: string;
  readonly status: "ok" | "warning" | "reached";
  readonly usedPercent?: number | undefined;
  /** When the window resets, ISO 8601. */
  readonly resetsAt?: string | undefined;
  readonly updatedAt: string;
}

/** Usage records. They stay when sessions are removed. */
export interface UsageRecords {
  /** Usage since a day (`YYYY-MM-DD`). */
  rows(since?: string): readonly UsageRow[];
  /** Usage of the stored sessions in these folders. */
  rowsIn(folders: readonly string[], since?: string): readonly UsageRow[];
  /** The latest report of each rate-limit window. */
  limits(): readonly LimitRow[];
}

/** An agent that is known to be unavailable. */
export interface BreakerRow {
  /** Id of the agent. */
  readonly key: string;
  /** Until when, in milliseconds since the epoch. */
  readonly until: number;
  readonly code?: ErrorCode | undefined;
  /** A sentence for people. */
  readonly reason: string;
}

/** Circuit breakers, shared by all processes. */
export interface Breakers {
  list(now?: number): readonly BreakerRow[];
  set(row: BreakerRow): void;
  clear(key: string): void;
}

/** Content that is too large for an event, in files named by their hash. */
export interface Blobs {
  /** Stores content and returns its reference, such as `sha256-...`. Undefined when it could not be written. */
  put(content: string | Uint8Array): string | undefined;
  /** Undefined when the content was removed or never existed. */
  get(ref: string): Uint8Array | undefined;
}

/** Options of a search. */
export interface SearchOptions extends Pick<SessionFilter, "cwd" | "agent"> {
  /** Maximum number of hits. Default: 20. */
  readonly limit?: number | undefined;
}

/** A place where the searched words occur. */
export interface SearchHit {
  readonly session: StoredSession;
  /** Sequence number of the event. */
  readonly seq: number;
  readonly type: EventType;
  readonly time: string;
  /** The text around the match, on one line. */
  readonly excerpt: string;
}

/** Options of a collection. Without any, it removes only content that nothing refers to. */
export interface CollectOptions {
  /** Removes sessions that were not used for this many days. */
  readonly keepDays?: number | undefined;
  /** Removes the longest unused sessions until the store is below this size. */
  readonly maxMb?: number | undefined;
  /** Reports what would be removed without removing it. */
  readonly dry?: boolean | undefined;
  /** Does nothing when the last run was less than a day ago, and does not shrink the file, which takes long. */
  readonly daily?: boolean | undefined;
}

/** Result of a collection: the removed sessions and the freed space. */
export interface Collected {
  readonly sessions: readonly StoredSession[];
  readonly files: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}
