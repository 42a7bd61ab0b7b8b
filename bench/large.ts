/**
 * The commands on a large store: ten thousand sessions and five million events. Takes minutes and some gigabytes of disk, so it runs only
 * by name: `npm run bench -- large`. `REINS_LARGE=<sessions>x<events per session>` makes it smaller.
 */
import { execFileSync } from "node:child_process";
import { EventBatch } from "../src/core/log/event-batch.ts";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../src/store/index.ts";
import { median, rounded } from "./pairs.ts";
import { installedCommand } from "./support/installed.ts";
import { streamOf } from "./support/stream-events.ts";

const [sessions = 10_000, each = 500] = (process.env["REINS_LARGE"] ?? "10000x500").split("x").map(Number);
const folder = mkdtempSync(join(tmpdir(), "reins-large-"));
const owner = { pid: process.pid, start: undefined, place: "bench", run: "bench" };
using command = installedCommand();
mkdirSync(join(folder, "work"));

try {
  fill();
  const env = { PATH: process.env["PATH"], HOME: folder, REINS_HOME: folder };
  measure("large-sessions", "< 200", ["sessions"]);
  measure("large-search", "< 1000", ["search", "word4711", "word12"]);
  measure("large-search-common", "< 1000", ["search", "npm", "test"]);

  function measure(bench: string, goal: string, args: readonly string[]): void {
    const run = () => execFileSync(process.execPath, [command.path, ...args], { cwd: join(folder, "work"), env });
    // Run once unmeasured: the disk is still writing the data that filled the store.
    run();
    const times = Array.from({ length: 15 }, () => {
      const began = performance.now();
      run();
      return performance.now() - began;
    });
    console.log(JSON.stringify({ bench, ms: rounded(median(times)), goal, sessions, events: sessions * each }));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fill(): void {
  using store = openStore({ folder });
  for (let number = 1; number <= sessions; number++) {
    const id = `ses_${number.toString().padStart(8, "0")}`;
    const log = store.open(id, { cwd: join(folder, "work"), mode: "ask", owner });
    log.append(new EventBatch(streamOf(id, each)));
    log.end();
  }
}
