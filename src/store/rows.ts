/** Rows of the tables as the interface has them. */
import type { Forbidden, StoredLeg, StoredSession, StoredTurn } from "../core/log/types.ts";
import type { Mode } from "../events/modes.ts";
import type { Outcome, ReinsEvent, Tokens } from "../events/types.ts";

/** With what is asked of the current leg. */
export const sessionColumns = `s.*, l.agent, l.state
  FROM sessions s LEFT JOIN legs l ON l.session = s.number AND l.number = s.leg`;

/** SQLite takes whole numbers, and not every one. */
export function rowLimit(limit = Infinity): number {
  return Math.min(Math.ceil(limit), 2 ** 31);
}

export function eventOf(line: string): ReinsEvent {
  return JSON.parse(line) as ReinsEvent;
}

export interface SessionRow {
  number: number;
  id: string;
  cwd: string;
  title: string | null;
  parent: string | null;
  copied: 0 | 1;
  source: string | null;
  created_at: number;
  updated_at: number;
  last_seq: number;
  turns: number;
  open_turn: string | null;
  outcome: Outcome | null;
  leg: number;
  mode: Mode | null;
  model: string | null;
  agent_file: string | null;
  forbidden: string | null;
  cost_usd: number | null;
  agent: string | null;
  state: string | null;
}

export function storedSession(row: SessionRow): StoredSession {
  return {
    id: row.id,
    cwd: row.cwd,
    title: row.title ?? undefined,
    parent: row.parent ?? undefined,
    copied: row.copied === 1 ? true : undefined,
    source: row.source ?? undefined,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    lastSeq: row.last_seq,
    turns: row.turns,
    openTurn: row.open_turn ?? undefined,
    outcome: row.outcome ?? undefined,
    agent: row.agent ?? undefined,
    state: row.state ?? undefined,
    mode: row.mode ?? undefined,
    model: row.model ?? undefined,
    agentFile: row.agent_file ?? undefined,
    forbidden: row.forbidden === null ? undefined : (JSON.parse(row.forbidden) as Forbidden),
    costUsd: row.cost_usd ?? undefined,
  };
}

export interface LegRow {
  number: number;
  agent: string;
  agent_version: string | null;
  state: string | null;
  model: string | null;
  mode: Mode | null;
  first_seq: number;
  /** Where the next one begins. */
  next_seq: number | null;
  session_last_seq: number;
}

export function storedLeg(row: LegRow): StoredLeg {
  return {
    number: row.number,
    agent: row.agent,
    agentVersion: row.agent_version ?? undefined,
    state: row.state ?? undefined,
    model: row.model ?? undefined,
    mode: row.mode ?? undefined,
    firstSeq: row.first_seq,
    lastSeq: row.next_seq === null ? row.session_last_seq : row.next_seq - 1,
  };
}

export interface TurnRow {
  id: string;
  origin: "prompt" | "agent";
  prompt: string | null;
  agent: string;
  started_at: string;
  ended_at: string | null;
  outcome: Outcome | null;
  first_seq: number;
  last_seq: number | null;
  usage: string | null;
  cost_usd: number | null;
}

export function storedTurn(row: TurnRow): StoredTurn {
  return {
    id: row.id,
    origin: row.origin,
    prompt: row.prompt ?? undefined,
    agent: row.agent,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    outcome: row.outcome ?? undefined,
    firstSeq: row.first_seq,
    lastSeq: row.last_seq ?? undefined,
    usage: row.usage === null ? undefined : (JSON.parse(row.usage) as Tokens),
    costUsd: row.cost_usd ?? undefined,
  };
}
