/** Converts table rows to the types of the store interface. */
import type { Lease, StoredLeg, StoredSession, StoredTurn } from "../core/log/types.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { Database } from "./database.ts";

/** Columns of a session with the agent and state of its current leg. */
export const sessionColumns = `s.number, s.id, s.cwd, s.title, s.parent, s.copied, s.source, s.created_at, s.updated_at,
  s.last_seq, s.turns, s.open_turn, s.outcome, l.agent, l.state, s.mode, s.model, s.agent_file, s.forbidden, s.cost_usd
  FROM sessions s LEFT JOIN legs l ON l.session = s.number AND l.number = s.leg`;

export const legColumns = "l.number, l.agent, l.agent_version, l.state, l.model, l.mode, l.first_seq";

export const turnColumns =
  "id, origin, prompt, agent, started_at, ended_at, outcome, first_seq, last_seq, usage, cost_usd";

export type Row = Readonly<Record<string, string | number | null>>;

const fieldNames = new Map<string, string>();

function fieldOf(column: string): string {
  const known = fieldNames.get(column);
  if (known !== undefined) return known;
  const field = column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  fieldNames.set(column, field);
  return field;
}

/** Converts a row: column names to camel case, JSON columns to values, NULL to undefined. */
export function fromRow<Value>(row: Row, json: readonly string[] = []): Value {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row))
    fields[fieldOf(name)] = json.includes(name) && value !== null ? JSON.parse(String(value)) : (value ?? undefined);
  return fields as Value;
}

export type SessionRow = Row & { readonly number: number; readonly id: string };

export function storedSession({ number: _number, copied, ...row }: SessionRow): StoredSession {
  const isoTime = (ms: Row[string] | undefined): string => new Date(Number(ms)).toISOString();
  return {
    ...fromRow<StoredSession>(row, ["forbidden"]),
    copied: copied === 1 ? true : undefined,
    createdAt: isoTime(row["created_at"]),
    updatedAt: isoTime(row["updated_at"]),
  };
}

export const storedLeg = (row: Row): StoredLeg => fromRow(row);
export const storedTurn = (row: Row): StoredTurn => fromRow(row, ["usage"]);
export const lease = (row: Row): Lease => fromRow(row);

/** SQLite accepts only integers, up to a maximum. */
export function rowLimit(limit = Infinity): number {
  return Math.min(Math.ceil(limit), 2 ** 31);
}

export function eventOf(line: string): ReinsEvent {
  return JSON.parse(line) as ReinsEvent;
}

/** Call inside a transaction. Usage records stay. */
export function removeSession(db: Database, number: number, id: string): void {
  db.run("DELETE FROM search WHERE rowid BETWEEN (? << 32) AND (? << 32) + 4294967295", [number, number]);
  for (const table of ["events", "legs", "turns", "blob_uses"])
    db.run(`DELETE FROM ${table} WHERE session = ?`, [number]);
  db.run("DELETE FROM leases WHERE session = ?", [id]);
  db.run("DELETE FROM sessions WHERE number = ?", [number]);
}
