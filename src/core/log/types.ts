/**
 * The log: where events go and where readers read them, and what a store keeps beside it. The interfaces a store implements;
 * `memory-log.ts` is the log without a store.
 */
import type { Rule } from "../policy/rule.ts";
import type { ErrorCode } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { EventType, Outcome, ReinsEvent, Tokens } from "../../events/types.ts";
import type { EventBatch } from "./event-batch.ts";

export interface SessionLog {
  /** Takes events in the order of their `seq`. Never throws, never waits. */
  append(batch: EventBatch): void;
  /** The only backpressure: while it is a promise, the agent is not read until that resolves. */
  room(): Promise<void> | undefined;
  /** The last event that readers may see: it is durable where there is a store that can be written. */
  readonly acked: number;
  /** Called with `acked` each time that it grows, perhaps within `append`. One listener. */
  onAck(listener: (seq: number) => void): void;
  /** Everything after a `seq`, then what follows, until the log ends or the reader leaves. */
  read(after: number): AsyncIterableIterator<EventBatch>;
  /** Nothing follows: readers end when they have read it all. Called when everything is acknowledged. */
  end(): void;
}

export interface Log {
  open(sessionId: string, about?: SessionAbout): SessionLog;
}

/** What a call forbade of a session: rules that deny or ask, and tools. */
export interface Forbidden {
  readonly rules: readonly Rule[];
  readonly tools: readonly string[];
}

/** What a store keeps of a session that its events do not tell. */
export interface SessionAbout {
  readonly cwd: string;
  /** What the person chose. */
  readonly mode: Mode;
  readonly model?: string | undefined;
  /** The agent file that it goes by. */
  readonly agentFile?: string | undefined;
  readonly forbidden?: Forbidden | undefined;
  readonly owner: LeaseOwner;
  /** Keeping has failed, or works again; one sentence. */
  readonly onTrouble?: ((message: string) => void) | undefined;
}

/** The durable log and what can be known from it. All of it is quick and waits for nothing but the disk. */
export interface Store extends Log, Disposable {
  /** Why nothing can be kept here, in one sentence; undefined when all is well. Looking at it opens the store. */
  readonly trouble: string | undefined;
  /** A warning about a store that can be used all the same. Returned once, after it was opened. */
  takeWarning(): string | undefined;
  readonly sessions: StoredSessions;
  readonly leases: Leases;
  readonly usage: UsageRecords;
  readonly breakers: Breakers;
  readonly blobs: Blobs;
  /** What was said, done and changed, newest first. */
  search(words: string, options?: SearchOptions): readonly SearchHit[];
  /** Removes what need not be kept, and what nothing refers to. */
  collect(options?: CollectOptions): Collected;
  close(): void;
}

export interface StoredSession {
  readonly id: string;
  readonly cwd: string;
  /** The person's own, else the agent's, else the beginning of the first prompt. */
  readonly title?: string | undefined;
  readonly parent?: string | undefined;
  /** It did not go on since it was forked: the state is still that of the original. */
  readonly copied?: true | undefined;
  /** Where it was imported from: an agent's id and its own id of the session. */
  readonly source?: string | undefined;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastSeq: number;
  readonly turns: number;
  /** The turn that was begun and not completed, so far as is durable. */
  readonly openTurn?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** Of the current leg. */
  readonly agent?: string | undefined;
  readonly state?: string | undefined;
  /** The mode that the person chose. */
  readonly mode?: Mode | undefined;
  readonly model?: string | undefined;
  /** The agent file that it goes by. */
  readonly agentFile?: string | undefined;
  readonly forbidden?: Forbidden | undefined;
  readonly costUsd?: number | undefined;
}

export interface StoredLeg {
  /** From 1. */
  readonly number: number;
  readonly agent: string;
  readonly agentVersion?: string | undefined;
  readonly state?: string | undefined;
  readonly model?: string | undefined;
  readonly mode?: Mode | undefined;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export interface StoredTurn {
  readonly id: string;
  readonly origin: "prompt" | "agent";
  /** The beginning of the prompt. */
  readonly prompt?: string | undefined;
  readonly agent: string;
  readonly startedAt: string;
  readonly endedAt?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly firstSeq: number;
  readonly lastSeq?: number | undefined;
  readonly usage?: Tokens | undefined;
  readonly costUsd?: number | undefined;
}

export interface SessionFilter {
  readonly cwd?: string | undefined;
  readonly agent?: string | undefined;
  /** Only those that come after this one in the list. */
  readonly before?: Pick<StoredSession, "id" | "updatedAt"> | undefined;
  readonly limit?: number | undefined;
}

export interface ReadOptions {
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
  readonly without?: readonly EventType[] | undefined;
}

export interface StoredSessions {
  /** The one that was used last first. Those in which nothing was ever asked are left out. */
  list(filter?: SessionFilter): readonly StoredSession[];
  /** By its id, or by the beginning of it where that is enough. */
  get(id: string): StoredSession | undefined;
  lastIn(cwd: string): StoredSession | undefined;
  /** Of all sessions, or of those whose events refer to this content. */
  folders(ref?: string): readonly string[];
  /** The one whose current leg has this state, or an agent's own id in it. */
  byState(state: string): StoredSession | undefined;
  /** Those with a turn that was begun and that nobody is going to end: whoever had it could not write that down. */
  abandoned(): readonly StoredSession[];
  legs(id: string): readonly StoredLeg[];
  turns(id: string): readonly StoredTurn[];
  rename(id: string, title: string): void;
  remove(id: string): void;
  /** The whole turns of a session as another session. The text is not searched twice, and nothing is counted twice. */
  fork(id: string, newId: string): StoredSession;
  /** A part of a session's events, oldest first. */
  read(id: string, options?: ReadOptions): readonly ReinsEvent[];
  /** The same as the lines of JSON they are kept as. */
  lines(id: string, options?: ReadOptions): readonly string[];
  /** Behind the last event of a session that nobody else writes, all or nothing. */
  append(id: string, events: readonly ReinsEvent[]): void;
  /** A whole session from elsewhere. One from the same source is replaced, unless it went on here since: then nothing happens. */
  add(session: ImportedSession): StoredSession;
}

/** A session that was held elsewhere. Its events are stamped with its id, from 1. */
export interface ImportedSession extends Pick<StoredSession, "id" | "cwd" | "title" | "createdAt" | "updatedAt"> {
  readonly source: string;
  readonly events: readonly ReinsEvent[];
}

export interface LeaseOwner {
  readonly pid: number;
  /** When the process was started: pids are used again. Undefined where it cannot be known. */
  readonly start: string | undefined;
  /** Of which machine and space of pids the pid is. */
  readonly place: string;
  /** Which Reins in that process. */
  readonly run: string;
}

export interface Lease extends LeaseOwner {
  readonly sessionId: string;
  /** When the owner last said that it is there, in milliseconds. */
  readonly seenAt: number;
}

export interface Leases {
  of(sessionId: string): Lease | undefined;
  all(): readonly Lease[];
  /** Takes a session that nobody has, or that this run had (`from`). False when another was faster. */
  take(sessionId: string, owner: LeaseOwner, from?: string): boolean;
  release(sessionId: string, run: string): void;
}

export interface UsageRow {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly agent: string;
  /** Empty where it is not known. */
  readonly model: string;
  readonly turns: number;
  readonly tokens: Readonly<Record<keyof Tokens, number>>;
  /** Absent where nobody knows the price of any of it. */
  readonly costUsd?: number;
  /** Of so many turns nobody knows the price; they are not in `costUsd`. */
  readonly unpriced?: number;
  /** That its turns took. */
  readonly seconds: number;
}

export interface LimitRow {
  readonly agent: string;
  readonly window: string;
  readonly status: "ok" | "warning" | "reached";
  readonly usedPercent?: number | undefined;
  readonly resetsAt?: string | undefined;
  readonly updatedAt: string;
}

export interface UsageRecords {
  rows(since?: string): readonly UsageRow[];
  /** Of the sessions of these folders that are still kept. */
  rowsIn(folders: readonly string[], since?: string): readonly UsageRow[];
  /** The last that was heard of each window of each agent's plan. */
  limits(): readonly LimitRow[];
}

export interface BreakerRow {
  readonly key: string;
  readonly until: number;
  readonly code?: ErrorCode | undefined;
  readonly reason: string;
}

export interface Breakers {
  list(now?: number): readonly BreakerRow[];
  set(row: BreakerRow): void;
  clear(key: string): void;
}

/** What is too large for an event, in files that are named after what is in them. */
export interface Blobs {
  put(content: string | Uint8Array): string | undefined;
  /** Undefined where it is gone, or never was. */
  get(ref: string): Uint8Array | undefined;
}

export interface SearchOptions extends Pick<SessionFilter, "cwd" | "agent"> {
  /** Default: 20. */
  readonly limit?: number | undefined;
}

export interface SearchHit {
  readonly session: StoredSession;
  readonly seq: number;
  readonly type: EventType;
  readonly time: string;
  readonly excerpt: string;
}

export interface CollectOptions {
  /** Sessions that were not used for so many days are removed. */
  readonly keepDays?: number | undefined;
  /** Above that the sessions that were not used for the longest are removed. */
  readonly maxMb?: number | undefined;
  /** Only says what it would do. */
  readonly dry?: boolean | undefined;
  /** Not when it was done less than a day ago, and without giving the room back to the disk, which takes long. */
  readonly daily?: boolean | undefined;
}

export interface Collected {
  readonly sessions: readonly StoredSession[];
  readonly files: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}
