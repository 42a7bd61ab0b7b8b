/** Usage by day, agent and model. It stays when sessions are removed. */
import type { EventOf, Tokens } from "../events/types.ts";
import type { LimitRow, UsageRecords, UsageRow } from "../core/log/types.ts";
import type { Database } from "./database.ts";
import { fromRow, type Row } from "./rows.ts";

interface Used {
  readonly event: EventOf<"turn.completed">;
  readonly model: string;
  readonly usage: Tokens | undefined;
  readonly byModel: Readonly<Record<string, Tokens>> | undefined;
  readonly costUsd: number | undefined;
}

/** Adds the usage of a finished turn. Call inside a transaction. */
export function count(db: Database, { event, model, usage, byModel, costUsd }: Used): void {
  const parts = Object.entries(byModel ?? {});
  // With several models the cost per model is unknown, so the whole cost counts for the first.
  const rows: readonly [string, Tokens | undefined][] = parts.length > 0 ? parts : [[model, usage]];
  const insert = db.sql(
    `INSERT INTO usage (day, agent, model, turns, input, output, cache_read, cache_write, thought, cost_usd, seconds, unpriced)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (day, agent, model) DO UPDATE SET turns = turns + excluded.turns, input = input + excluded.input,
     output = output + excluded.output, cache_read = cache_read + excluded.cache_read,
     cache_write = cache_write + excluded.cache_write, thought = thought + excluded.thought, cost_usd = cost_usd + excluded.cost_usd,
     seconds = seconds + excluded.seconds, unpriced = unpriced + excluded.unpriced`,
  );
  for (const [index, [name, tokens]] of rows.entries()) {
    const first = index === 0;
    const amounts = (["input", "output", "cacheRead", "cacheWrite", "thought"] as const).map((key) =>
      Math.round(tokens?.[key] ?? 0),
    );
    const ofTurn = first ? [costUsd ?? 0, event.durationMs / 1000] : [0, 0];
    const unpriced = costUsd === undefined && amounts.some((amount) => amount > 0) ? 1 : 0;
    insert.run(event.time.slice(0, 10), event.agent, name, first ? 1 : 0, ...amounts, ...ofTurn, unpriced);
  }
}

export function usageRecords(db: Database): UsageRecords {
  const all = "SELECT * FROM usage WHERE day >= ? ORDER BY day DESC, agent, model";
  const limits = "SELECT * FROM limits ORDER BY agent, window";
  return {
    rows: (since = "") => db.reading(() => db.rows<Row>(all, [since])).map(usageRow),
    rowsIn: (folders, since = "") =>
      db.reading(() => db.rows<Row>(ofTurns, [JSON.stringify(folders), since])).map(usageRow),
    limits: () => db.reading(() => db.rows<Row>(limits)).map((row) => fromRow<LimitRow>(row)),
  };
}

const amounts = {
  input: "input",
  output: "output",
  cache_read: "cacheRead",
  cache_write: "cacheWrite",
  thought: "thought",
};

/** Excludes imported turns, which were used elsewhere, and turns of a fork that its parent already counts. */
const ofTurns = `
  SELECT substr(t.ended_at, 1, 10) AS day, t.agent, coalesce(
      (SELECT l.model FROM legs l WHERE l.session = t.session AND l.first_seq <= t.first_seq ORDER BY l.number DESC LIMIT 1),
      s.model, '') AS model, count(*) AS turns,
    ${Object.entries(amounts)
      .map(([column, key]) => `sum(coalesce(json_extract(t.usage, '$.${key}'), 0)) AS ${column}`)
      .join(", ")},
    sum(coalesce(t.cost_usd, 0)) AS cost_usd, sum(t.cost_usd IS NULL AND t.usage IS NOT NULL) AS unpriced,
    sum(max(0, unixepoch(t.ended_at, 'subsec') - unixepoch(t.started_at, 'subsec'))) AS seconds
  FROM turns t JOIN sessions s ON s.number = t.session
  WHERE s.cwd IN (SELECT value FROM json_each(?)) AND t.ended_at >= ? AND t.first_seq > coalesce(s.source_seq, 0)
    AND NOT EXISTS (SELECT 1 FROM sessions p JOIN turns o ON o.session = p.number WHERE p.id = s.parent AND o.id = t.id)
  GROUP BY day, t.agent, 3 ORDER BY day DESC, t.agent, 3`;

function usageRow(row: Row): UsageRow {
  type Columns = Omit<UsageRow, "tokens"> &
    UsageRow["tokens"] & { readonly costUsd: number; readonly unpriced: number };
  const { input, output, cacheRead, cacheWrite, thought, costUsd, unpriced, ...used } = fromRow<Columns>(row);
  return {
    ...used,
    tokens: { input, output, cacheRead, cacheWrite, thought },
    ...((costUsd > 0 || unpriced === 0) && { costUsd }),
    ...(unpriced > 0 && { unpriced }),
  };
}
