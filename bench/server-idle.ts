/**
 * Memory of an idle server, after its start and after a page has read a session and left, compared with an empty Node. `node
 * bench/server-idle.ts` builds the package. Linux only.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { median, rounded } from "./pairs.ts";
import { installedCommand } from "./support/installed.ts";
import { served } from "./support/served.ts";

const rounds = 5;
/** The server frees unused memory after some seconds of inactivity. */
const restMs = 15_000;

function megabytes(pid: number): number {
  return (Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024) / 1e6;
}

async function empty(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  await sleep(1_000);
  const found = megabytes(child.pid!);
  child.kill();
  return found;
}

const [started, used, floor]: [number[], number[], number[]] = [[], [], []];
using command = installedCommand();
for (let round = 0; round < rounds; round++) {
  await using server = await served(command.path);
  await sleep(restMs);
  started.push(megabytes(server.pid));
  const { id } = await server.call("/api/sessions", { agent: "demo", cwd: server.cwd, prompt: "stream 1000" });
  for (const path of ["/api/me", "/api/agents", "/api/sessions", "/api/usage", `/api/sessions/${id}/events`])
    await server.call(path);
  await sleep(restMs);
  used.push(megabytes(server.pid));
  floor.push(await empty());
}
console.log(
  JSON.stringify({
    bench: "server-idle",
    startedMB: rounded(median(started)),
    usedMB: rounded(median(used)),
    goal: "< 120",
    emptyNodeMB: rounded(median(floor)),
    rounds,
  }),
);
