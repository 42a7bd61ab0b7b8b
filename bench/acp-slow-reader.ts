/**
 * 100 MB of messages from a scripted ACP agent to a reader that takes 1 MB a second: the memory of the whole process, Reins and its reader.
 * It takes some 100 seconds. `node bench/acp-slow-reader.ts`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createReins } from "../src/index.ts";
import { agentPath } from "./support/bare-acp.mjs";

const home = mkdtempSync(join(tmpdir(), "reins-bench-"));
let most = 0;
let bytes = 0;
{
  await using reins = createReins({ env: { PATH: process.env["PATH"], HOME: home, REINS_HOME: home } });
  await using session = await reins.session({ agent: `acp:${process.execPath} ${agentPath}`, cwd: home });
  const began = performance.now();
  for await (const event of session.prompt("flood 5000 20000 apart")) {
    if (event.type !== "message.delta") continue;
    bytes += event.text.length;
    const due = (bytes / 1e6) * 1_000 - (performance.now() - began);
    if (due > 50) {
      await sleep(due);
      most = Math.max(most, process.memoryUsage().rss);
    }
  }
}
rmSync(home, { recursive: true, force: true });
if (bytes < 99e6) throw new Error(`Only ${bytes} bytes of 100 MB came.`);
console.log(
  JSON.stringify({
    bench: "acp-slow-reader",
    peakMB: Math.round(most / 1e6),
    goal: "< 120",
    readMB: Math.round(bytes / 1e6),
  }),
);
