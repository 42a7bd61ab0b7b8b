/**
 * The cost of a warm session in Reins itself: memory per session, and processor time while idle. The agents are scripted and run in
 * separate processes, which are not counted. `node --expose-gc bench/sessions.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createReins } from "../src/index.ts";
import { rounded } from "./pairs.ts";
import { agentPath } from "./support/bare-acp.mjs";

const count = 30;
const idleMs = 10_000;
const home = mkdtempSync(join(tmpdir(), "reins-bench-"));
const memory = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().rss;
};
{
  await using reins = createReins({
    env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home },
    warm: { agents: 100 },
  });
  const open = async () => {
    const session = await reins.session({ agent: `acp:${process.execPath} ${agentPath}`, cwd: home });
    for (let turn = 0; turn < 3; turn++) await session.prompt("hello").result;
  };
  // Warm up: afterwards all code is loaded and compiled.
  for (let i = 0; i < 5; i++) await open();
  const before = memory();
  for (let i = 0; i < count; i++) await open();
  const each = (memory() - before) / count / 1e6;
  console.log(JSON.stringify({ bench: "session-memory", eachMB: rounded(each), goal: "< 5", sessions: count }));
  const used = process.cpuUsage();
  await sleep(idleMs);
  const { user, system } = process.cpuUsage(used);
  const percent = ((user + system) / 1_000 / idleMs) * 100;
  console.log(JSON.stringify({ bench: "idle-cpu", percent: rounded(percent), goal: "< 0.5", sessions: count + 5 }));
}
rmSync(home, { recursive: true, force: true });
