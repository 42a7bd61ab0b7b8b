import { ReinsError } from "../events/errors.ts";
import type { Database } from "./database.ts";

/** Inside of a transaction: the whole turns of a session as another one. What runs in it right now is not forked. */
export function forkSession(db: Database, number: number, newId: string): void {
  const source = db.sql("SELECT id, title FROM sessions WHERE number = ?").get(number) as {
    id: string;
    title: string | null;
  };
  const { last } = db.sql("SELECT max(last_seq) AS last FROM turns WHERE session = ?").get(number) as {
    last: number | null;
  };
  if (last === null) {
    throw new ReinsError("invalid_input", `No turn of session ${source.id} is over, so there is nothing to fork.`, {
      help: "Wait for its first turn to end.",
    });
  }
  const now = Date.now();
  const { lastInsertRowid } = db
    .sql(
      `INSERT INTO sessions (id, cwd, title, titled_by, parent, copied, created_at, updated_at, last_seq, indexed_seq, turns, outcome, leg, mode, model, agent_file)
       SELECT ?2, cwd, title, titled_by, id, 1, ?3, ?3, ?4, ?4,
         (SELECT count(*) FROM turns WHERE session = ?1 AND last_seq <= ?4),
         (SELECT outcome FROM turns WHERE session = ?1 AND last_seq = ?4),
         (SELECT count(*) FROM legs WHERE session = ?1 AND first_seq <= ?4), mode, model, agent_file
       FROM sessions WHERE number = ?1`,
    )
    .run(number, newId, now, last);
  const copy = Number(lastInsertRowid);
  // The id of its session stands in each event, once, before anything an agent said.
  db.sql(
    `INSERT INTO events (session, seq, type, line)
     SELECT ?1, seq, type, substr(line, 1, instr(line, ?3) - 1) || ?4 || substr(line, instr(line, ?3) + length(?3))
     FROM events WHERE session = ?2 AND seq <= ?5`,
  ).run(copy, number, JSON.stringify(source.id), JSON.stringify(newId), last);
  db.sql(
    `INSERT INTO legs SELECT ?1, number, agent, agent_version, state, model, mode, first_seq
     FROM legs WHERE session = ?2 AND first_seq <= ?3`,
  ).run(copy, number, last);
  db.sql(
    `INSERT INTO turns SELECT ?1, first_seq, id, origin, prompt, agent, started_at, ended_at, outcome, last_seq, usage, cost_usd
     FROM turns WHERE session = ?2 AND last_seq <= ?3`,
  ).run(copy, number, last);
  db.sql("INSERT INTO blob_uses SELECT ?1, hash FROM blob_uses WHERE session = ?2").run(copy, number);
}
