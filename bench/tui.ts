/**
 * The terminal interface in a real terminal of 120 x 40, against a renderer of 30 lines (`minimal/tui.ts`) that shows the same stream. CPU is the
 * kernel's count of the interface's own process. `node bench/run.js tui`; `-- --clone` measures the sources and not the built command.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { interleave, percentile, rounded } from "./pairs.ts";
import { report } from "./report.ts";
import { installedCommand } from "./support/installed.ts";
import { inTerminal, type InTerminal } from "./support/in-terminal.ts";

const here = import.meta.dirname;
const isClone = process.argv.includes("--clone");
using installed = isClone ? undefined : installedCommand();
const command = installed?.path ?? join(here, "..", "bin", "reins.js");
const home = mkdtempSync(join(tmpdir(), "reins-bench-"));
const agent = join(here, "support", "tui-agent.mjs");
const env = {
  PATH: process.env["PATH"],
  HOME: home,
  REINS_HOME: home,
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
  LANG: "C.UTF-8",
};
const seconds = Number(process.env["REINS_BENCH_SECONDS"] ?? 10);
const line = (bench: string, goal: string, unit: string, reins: number, floor?: number): void =>
  console.log(
    JSON.stringify({
      bench,
      goal,
      reins: rounded(reins),
      ...(floor !== undefined && { floor: rounded(floor) }),
      unit,
      isClone,
    }),
  );

const open = (): InTerminal =>
  inTerminal([command, "tui", "--full", "-a", `acp:${process.execPath} ${agent}`], env, home);

/** Letters that no text of the agent contains in this form are typed while it streams; each is awaited before the next. */
async function typed(terminal: InTerminal, ms: number): Promise<{ echo: number[]; cpu: number }> {
  const [cpu, began] = [terminal.cpuMs(), performance.now()];
  const echo: number[] = [];
  for (let at = 0; performance.now() - began < ms; at++) {
    const mark = String.fromCodePoint(0x430 + (at % 32));
    const shown = terminal.until(mark);
    terminal.write(mark);
    echo.push(await shown);
    await sleep(100);
  }
  return { echo, cpu: (100 * (terminal.cpuMs() - cpu)) / (performance.now() - began) };
}

async function prompt(terminal: InTerminal, text: string): Promise<void> {
  const shown = terminal.until(text.slice(-4));
  terminal.write(text);
  await shown;
  terminal.write("\r");
}

try {
  const first = await interleave(
    8,
    async () => {
      using terminal = open();
      return await terminal.until("What should");
    },
    async () => {
      using terminal = inTerminal(["-e", "process.stdout.write('started')"], env, home);
      return await terminal.until("started");
    },
  );
  report("tui-first-frame", "<= 4", "ms", first);

  {
    using terminal = open();
    await terminal.until("What should");
    await sleep(5_000);
    const [bytes, cpu, began] = [terminal.bytes, terminal.cpuMs(), performance.now()];
    await sleep(10_000);
    line("tui-idle-bytes", "0", "bytes in 10 s", terminal.bytes - bytes);
    line("tui-idle-cpu", "< 0.3", "% of a core", (100 * (terminal.cpuMs() - cpu)) / (performance.now() - began));
    await prompt(terminal, "history 500");
    await sleep(5_000);
    await prompt(terminal, `stream ${1_000 * (seconds + 20)} 1000`);
    await sleep(3_000);
    using floor = inTerminal(
      [join(here, "minimal", "tui.ts"), agent, `stream ${1_000 * (seconds + 20)} 1000`],
      env,
      home,
    );
    await floor.until("Part 0");
    const reins = await typed(terminal, seconds * 1_000);
    const least = await typed(floor, seconds * 1_000);
    line("tui-echo-p50", "", "ms", percentile(reins.echo, 50), percentile(least.echo, 50));
    line("tui-echo-p95", "<= 10", "ms", percentile(reins.echo, 95), percentile(least.echo, 95));
    line("tui-streaming-cpu", "<= 20", "% of a core", reins.cpu, least.cpu);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exit(0);
