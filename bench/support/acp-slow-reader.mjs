#!/usr/bin/env node
// `node acp-slow-reader.mjs <dist/index.js>`: reads 100 MB of a scripted ACP agent at 1 MB a second and prints the memory of this process.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { agentPath } from "./bare-acp.mjs";

const { createReins } = await import(pathToFileURL(process.argv[2]).href);
const home = mkdtempSync(join(tmpdir(), "reins-bench-"));
const before = process.memoryUsage().rss;
let most = 0;
let bytes = 0;
{
  await using reins = createReins({ env: { PATH: process.env.PATH, HOME: home, REINS_HOME: home } });
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
console.log(JSON.stringify({ before, most, bytes }));
