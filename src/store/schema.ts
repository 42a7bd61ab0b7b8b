/**
 * The database schema as migration steps. An older database is migrated by the steps that it lacks. A released step
 * never changes.
 *
 * Events are stored in the order of their session, so that a session is read from one place. `search` stores no text:
 * its row id combines the session's number and the `seq`, and the text is in the event.
 */
export const steps: readonly string[] = [
  `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    cwd TEXT NOT NULL,
    title TEXT,
    titled_by TEXT,
    parent TEXT,
    copied INTEGER NOT NULL DEFAULT 0,
    source TEXT UNIQUE,
    source_seq INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    last_seq INTEGER NOT NULL DEFAULT 0,
    indexed_seq INTEGER NOT NULL DEFAULT 0,
    turns INTEGER NOT NULL DEFAULT 0,
    open_turn TEXT,
    outcome TEXT,
    leg INTEGER NOT NULL DEFAULT 0,
    mode TEXT,
    model TEXT,
    agent_file TEXT,
    cost_usd REAL
  ) STRICT;
  CREATE INDEX sessions_by_use ON sessions (updated_at);
  CREATE INDEX sessions_by_folder ON sessions (cwd, updated_at);
  CREATE INDEX sessions_with_open_turn ON sessions (id) WHERE open_turn IS NOT NULL;

  CREATE TABLE legs (
    session INTEGER NOT NULL,
    number INTEGER NOT NULL,
    agent TEXT NOT NULL,
    agent_version TEXT,
    state TEXT,
    model TEXT,
    mode TEXT,
    first_seq INTEGER NOT NULL,
    PRIMARY KEY (session, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX legs_by_state ON legs (state);

  CREATE TABLE turns (
    session INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    origin TEXT NOT NULL,
    prompt TEXT,
    agent TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    outcome TEXT,
    last_seq INTEGER,
    usage TEXT,
    cost_usd REAL,
    PRIMARY KEY (session, first_seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE events (
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE VIRTUAL TABLE search USING fts5 (text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2");

  CREATE TABLE blob_uses (
    session INTEGER NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (session, hash)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE usage (
    day TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT NOT NULL,
    turns INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    thought INTEGER NOT NULL,
    cost_usd REAL NOT NULL,
    seconds REAL NOT NULL,
    PRIMARY KEY (day, agent, model)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE limits (
    agent TEXT NOT NULL,
    window TEXT NOT NULL,
    status TEXT NOT NULL,
    used_percent REAL,
    resets_at TEXT,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (agent, window)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE leases (
    session TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    start TEXT,
    place TEXT NOT NULL,
    run TEXT NOT NULL,
    seen_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE breakers (
    key TEXT PRIMARY KEY,
    until INTEGER NOT NULL,
    code TEXT,
    reason TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `ALTER TABLE sessions ADD COLUMN forbidden TEXT`,
  `
  ALTER TABLE usage ADD COLUMN unpriced INTEGER NOT NULL DEFAULT 0;
  UPDATE usage SET unpriced = turns WHERE cost_usd = 0 AND input + output + cache_read + cache_write > 0;
  `,
];
