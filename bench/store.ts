/**
 * Durable append and replay, compared with bare node:sqlite using the same rows, settings and transactions. `node bench/store.ts [pairs]`
 * prints one JSON line each.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { EventBatch } from "../src/core/log/event-batch.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openStore } from "../src/store/index.ts";
import { interleave, milliseconds } from "./pairs.ts";
import { report } from "./report.ts";
import { batchesOf, streamOf } from "./support/stream-events.ts";

const pairs = Number(process.argv[2] ?? 30);
const count = 20_000;
const folder = mkdtempSync(join(tmpdir(), "reins-bench-"));
const owner = { pid: process.pid, start: undefined, place: "bench", run: "bench" };
let sessions = 0;

/** Both databases keep the rows of earlier pairs. */
using store = openStore({ folder });
const bare = new DatabaseSync(join(folder, "bare.db"));
bare.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000;
  CREATE TABLE events (session INTEGER, seq INTEGER, type TEXT, line TEXT, PRIMARY KEY (session, seq)) WITHOUT ROWID`);
const insert = bare.prepare("INSERT INTO events VALUES (?, ?, ?, ?)");
const select = bare.prepare("SELECT line FROM events WHERE session = ? ORDER BY seq");

async function append(): Promise<number> {
  const id = `ses_${++sessions}`;
  const batches = batchesOf(streamOf(id, count), 64);
  const log = store.open(id, { cwd: folder, mode: "ask", owner });
  const ms = await milliseconds(() => {
    for (const batch of batches) log.append(new EventBatch(batch));
  });
  log.end();
  return (count / ms) * 1000;
}

let bareSessions = 0;
async function appendBare(): Promise<number> {
  const session = ++bareSessions;
  const batches = batchesOf(streamOf(`ses_${session}`, count), 64);
  const ms = await milliseconds(() => {
    for (const batch of batches) {
      bare.exec("BEGIN IMMEDIATE");
      for (const event of batch) insert.run(session, event.seq, event.type, JSON.stringify(event));
      bare.exec("COMMIT");
    }
  });
  return (count / ms) * 1000;
}

report("store-append", ">= 0.5", "events/s", await interleave(pairs, append, appendBare));

async function replay(): Promise<number> {
  const log = store.open("ses_1", { cwd: folder, mode: "ask", owner });
  let seen = 0;
  const ms = await milliseconds(async () => {
    const reader = log.read(0);
    while (seen < count) seen += (await reader.next()).value?.length ?? count;
  });
  return (count / ms) * 1000;
}

async function replayBare(): Promise<number> {
  let seen = 0;
  const ms = await milliseconds(() => {
    for (const { line } of select.iterate(1)) seen += (JSON.parse(String(line)) as { seq: number }).seq;
  });
  if (seen === 0) throw new Error("No events were read.");
  return (count / ms) * 1000;
}

report("store-replay", ">= 0.5", "events/s", await interleave(pairs, replay, replayBare));
bare.close();
rmSync(folder, { recursive: true, force: true });
