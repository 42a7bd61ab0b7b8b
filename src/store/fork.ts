import { ReinsError } from "../events/errors.ts";
import type { Database } from "./database.ts";

/** Copies the finished turns of a session into a new session. A running turn is not copied. Call inside a transaction. */
export function forkSession(db: Database, number: number, newId: string): void {
  const source = db.row<{ id: string }>("SELECT id FROM sessions WHERE number = ?", [number])!;
  const ended = "SELECT max(last_seq) AS last FROM turns WHERE session = ?";
  const { last } = db.row<{ last: number | null }>(ended, [number])!;
  if (last === null) {
    throw new ReinsError("invalid_input", `Session ${source.id} has no finished turn, so there is nothing to fork.`, {
      help: "Wait for its first turn to end.",
    });
  }
  const { lastInsertRowid } = db
    .sql(
      `INSERT INTO sessions (id, cwd, title, titled_by, parent, copied, created_at, updated_at, last_seq, indexed_seq,
         turns, outcome, leg, mode, model, agent_file, forbidden)
       SELECT $newId, cwd, title, titled_by, id, 1, $now, $now, $last, $last,
         (SELECT count(*) FROM turns WHERE session = $number AND last_seq <= $last),
         (SELECT outcome FROM turns WHERE session = $number AND last_seq = $last),
         (SELECT count(*) FROM legs WHERE session = $number AND first_seq <= $last), mode, model, agent_file, forbidden
       FROM sessions WHERE number = $number`,
    )
    .run({ newId, now: Date.now(), last, number });
  const copy = Number(lastInsertRowid);
  // Replace only the first occurrence: the session id comes before any text of the agent in each line.
  db.sql(
    `INSERT INTO events (session, seq, type, line)
     SELECT $copy, seq, type, substr(line, 1, instr(line, $old) - 1) || $new || substr(line, instr(line, $old) + length($old))
     FROM events WHERE session = $number AND seq <= $last`,
  ).run({ copy, old: JSON.stringify(source.id), new: JSON.stringify(newId), number, last });
  db.run(
    `INSERT INTO legs SELECT ?, number, agent, agent_version, state, model, mode, first_seq
     FROM legs WHERE session = ? AND first_seq <= ?`,
    [copy, number, last],
  );
  db.run(
    `INSERT INTO turns SELECT ?, first_seq, id, origin, prompt, agent, started_at, ended_at, outcome, last_seq, usage, cost_usd
     FROM turns WHERE session = ? AND last_seq <= ?`,
    [copy, number, last],
  );
  db.run("INSERT INTO blob_uses SELECT ?, hash FROM blob_uses WHERE session = ?", [copy, number]);
}
