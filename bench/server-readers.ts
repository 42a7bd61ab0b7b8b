/**
 * 200 readers of one session over WebSockets while its agent sends 1,000 events a second: whether a reader misses an event, and how long
 * each event takes to arrive, compared with a bare `ws` server that broadcasts as much. `node bench/server-readers.ts` builds the package.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { median, rounded } from "./pairs.ts";
import { agentPath } from "./support/bare-acp.mjs";
import { installedCommand } from "./support/installed.ts";
import { served } from "./support/served.ts";
import { readers, type Reading } from "./support/socket-readers.ts";

const count = 200;
const perSecond = 1_000;
const events = 5_000;
const rounds = 5;
const bare = fileURLToPath(new URL("support/bare-broadcast.mjs", import.meta.url));

interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly wrong: number;
}

async function figures(reading: Reading, deltas: number): Promise<Figures> {
  await reading.untilAll(deltas);
  const sorted = reading.latencies().toSorted();
  if (sorted.length !== count * deltas) throw new Error(`Only ${sorted.length} of ${count * deltas} deltas arrived.`);
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1]! / 1e6;
  return { p50: at(0.5), p99: at(0.99), wrong: reading.wrong };
}

async function reins(command: string): Promise<Figures> {
  await using server = await served(command);
  const agent = `acp:${process.execPath} ${agentPath}`;
  const { id } = await server.call("/api/sessions", { agent, cwd: server.cwd, prompt: "hello" });
  const headers = { authorization: `Bearer ${server.token}` };
  using reading = await readers(count, `${server.url.replace("http", "ws")}/ws`, headers, {
    type: "watch",
    session: id,
    after: 0,
  });
  // A message of one delta makes two events: the delta, and its completion when the next message begins.
  const prompt = `pace ${events / 2} ${perSecond / 2}`;
  await server.call(`/api/sessions/${id}/turns`, { prompt, whenBusy: "queue" });
  return await figures(reading, events / 2);
}

async function floor(): Promise<Figures> {
  const child = spawn(process.execPath, [bare], { stdio: ["ignore", "pipe", "inherit"] });
  const port = String((await child.stdout[Symbol.asyncIterator]().next()).value).trim();
  using reading = await readers(count, `ws://127.0.0.1:${port}`, {});
  using asking = await readers(1, `ws://127.0.0.1:${port}`, {}, `pace ${events} ${perSecond}`);
  try {
    return asking.wrong === 0 ? await figures(reading, events) : { p50: 0, p99: 0, wrong: 1 };
  } finally {
    child.kill();
  }
}

using command = installedCommand();
const ours: Figures[] = [];
const theirs: Figures[] = [];
for (let round = 0; round < rounds; round++) {
  ours.push(await reins(command.path));
  theirs.push(await floor());
}
const of = (all: readonly Figures[], which: keyof Figures): number => median(all.map((one) => one[which]));
console.log(
  JSON.stringify({
    bench: "server-readers",
    readers: count,
    perSecond,
    lost: ours.reduce((sum, { wrong }) => sum + wrong, 0),
    addedP99Ms: rounded(of(ours, "p99") - of(theirs, "p99")),
    goal: "< 50, nothing lost",
    reins: { p50: rounded(of(ours, "p50")), p99: rounded(of(ours, "p99")) },
    floor: { p50: rounded(of(theirs, "p50")), p99: rounded(of(theirs, "p99")) },
    rounds,
  }),
);
