/**
 * The terminal interface in a real terminal of 120 x 40: the goals of docs/performance.md, one JSON line each. CPU is the kernel's count
 * for the interface's own process, which also runs the core and the store; wall times are valid on a quiet machine only. The floor is `node
 * -e 0`, or a renderer of 30 lines (`minimal/tui.ts`). `node bench/run.js tui [name ...]`; `tui-peers.ts` measures other terminal
 * interfaces.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { interleave, median, percentile } from "./pairs.ts";
import { report } from "./report.ts";
import { installedCommand } from "./support/installed.ts";
import { inTerminal, type InTerminal } from "./support/in-terminal.ts";
import { fileNames, longSession, repositoryOf } from "./support/tui-places.ts";
import { line, prompt, pressed, typed } from "./support/typing.ts";

const here = import.meta.dirname;
const installed = installedCommand();
const home = mkdtempSync(join(tmpdir(), "reins-bench-"));
const work = join(home, "work");
mkdirSync(work);
const agent = join(here, "support", "tui-agent.mjs");
const env = {
  PATH: process.env["PATH"],
  HOME: home,
  REINS_HOME: join(home, "reins"),
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
  LANG: "C.UTF-8",
};
const empty = "What should";
const keys = {
  enter: "\r",
  newSession: "\x18n",
  next: "\x0e",
  search: "\x06",
  pageUp: "\x1b[5~",
  previousPrompt: "\x1b[1;3A",
  backspace: "\x7f",
};
const frameEnd = "\x1b[?2026l";

/** Opens the interface with the agent of `support/tui-agent.mjs`. */
async function open(args: readonly string[] = [], shown = empty, cwd = work): Promise<InTerminal> {
  const terminal = inTerminal({
    args: [installed.path, "tui", "-a", `acp:${process.execPath} ${agent}`, ...args],
    env,
    cwd,
  });
  await terminal.until(shown);
  return terminal;
}

const measures: Readonly<Record<string, () => Promise<void>>> = {
  async "first-frame"() {
    const cpu: { reins: number[]; node: number[] } = { reins: [], node: [] };
    const wall = await interleave(
      8,
      async () => {
        using terminal = inTerminal({ args: [installed.path], env, cwd: work });
        const took = await terminal.until(empty);
        cpu.reins.push(terminal.cpuMs());
        return took;
      },
      async () => {
        using terminal = inTerminal({
          args: ["-e", "process.stdout.write('started');setTimeout(() => 0, 9e3)"],
          env,
          cwd: work,
        });
        const took = await terminal.until("started");
        cpu.node.push(terminal.cpuMs());
        return took;
      },
    );
    report("tui-first-frame", "<= 4", "ms", wall);
    const ratios = cpu.reins.map((ms, at) => ms / cpu.node[at]!);
    const medians = { a: median(cpu.reins), b: median(cpu.node), ratio: median(ratios), pairs: wall.pairs };
    report("tui-first-frame-cpu", "<= 4", "ms", medians);
  },

  async idle() {
    using terminal = await open();
    await terminal.quiet(4_000);
    const [bytes, cpu, began] = [terminal.bytes, terminal.cpuMs(), performance.now()];
    await sleep(10_000);
    line("tui-idle-bytes", "0", "bytes in 10 s", terminal.bytes - bytes);
    line("tui-idle-cpu", "< 0.3", "% of a core", (100 * (terminal.cpuMs() - cpu)) / (performance.now() - began));
  },

  /** 1,000 deltas a second into a session of 500 messages while a person types. */
  async streaming() {
    const [ms, stream] = [10_000, "stream 60000 1000"];
    const measure = async (terminal: InTerminal) => {
      await sleep(2_000);
      return typed(terminal, ms);
    };
    const reins = await (async () => {
      using terminal = await open();
      await prompt(terminal, "history 500");
      await terminal.quiet(2_000);
      await prompt(terminal, stream);
      return await measure(terminal);
    })();
    const floor = await (async () => {
      using terminal = inTerminal({ args: [join(here, "minimal", "tui.ts"), agent, stream], env, cwd: work });
      await terminal.until("Part 0");
      return await measure(terminal);
    })();
    line("tui-echo-p50", "", "ms", percentile(reins.echo, 50), percentile(floor.echo, 50));
    line("tui-echo-p95", "<= 10", "ms", percentile(reins.echo, 95), percentile(floor.echo, 95));
    line("tui-echo-cpu-p50", "", "ms", percentile(reins.keyCpu, 50), percentile(floor.keyCpu, 50));
    line("tui-echo-cpu-p95", "<= 10", "ms", percentile(reins.keyCpu, 95), percentile(floor.keyCpu, 95));
    line("tui-streaming-cpu", "<= 20", "% of a core", reins.cpu, floor.cpu);
  },

  /** Two sessions that both stream; one key switches between them. */
  async switching() {
    using terminal = await open();
    await prompt(terminal, "stream 60000 1000");
    await terminal.until("Part 1");
    const greeting = terminal.until("One interface");
    terminal.write(keys.newSession);
    await greeting;
    await prompt(terminal, "history 3");
    await terminal.until("Part 2");
    await prompt(terminal, "stream 60000 1000");
    await terminal.until("Part 1");
    const switched: number[] = [];
    const cpu: number[] = [];
    for (let round = 0; round < 20; round++) {
      const { took, mainMs } = await pressed(terminal, keys.next, frameEnd);
      switched.push(took);
      cpu.push(mainMs);
      await sleep(200);
    }
    line("tui-switch-max", "<= 50", "ms", Math.max(...switched));
    line("tui-switch-cpu-max", "<= 50", "ms", Math.max(...cpu));
  },

  /** Memory before and after 100,000 events in a session of 500 messages, each after ten seconds of rest. */
  async memory() {
    using terminal = await open();
    await prompt(terminal, "history 500");
    await terminal.quiet(11_000, 30_000);
    const before = terminal.residentMb();
    await prompt(terminal, "stream 100000 5000");
    await sleep(20_000);
    await terminal.quiet(11_000, 60_000);
    const after = terminal.residentMb();
    line("tui-memory", "", "MB after 100,000 events", after);
    line("tui-memory-grown", "<= 30", "MB", after - before);
  },

  /** A stored session of 10,000 messages in 5,000 turns. */
  async "long-session"() {
    const { id, last } = longSession(env.REINS_HOME, work, 5_000);
    using terminal = await open(["--resume", id], last);
    line("tui-long-first-frame-cpu", "<= 0.45", "s", terminal.cpuMs() / 1_000);
    await terminal.quiet(1_000);
    const pause = async (key: string, times: number) => {
      const all = [];
      for (let time = 0; time < times; time++) all.push(await pressed(terminal, key, frameEnd));
      return { wall: Math.max(...all.map(({ took }) => took)), cpu: Math.max(...all.map(({ mainMs }) => mainMs)) };
    };
    const pages = await pause(keys.pageUp, 150);
    const prompts = await pause(keys.previousPrompt, 50);
    line("tui-scroll-max", "<= 50", "ms", pages.wall);
    line("tui-scroll-cpu-max", "<= 50", "ms", pages.cpu);
    line("tui-previous-prompt-cpu-max", "<= 50", "ms", prompts.cpu);
    // Only the first message contains this word.
    terminal.write(keys.search);
    await terminal.until("Search");
    const search = await pressed(terminal, "aardvark", "1 of 1");
    line("tui-search-cpu", "", "ms", search.mainMs);
  },

  /** The `@` picker over 100,000 files: the time from each key until its best match is shown. */
  async files() {
    const folder = join(home, "files");
    const words = "needle";
    repositoryOf(folder, fileNames(100_000, words));
    using terminal = await open([], empty, folder);
    terminal.write("@");
    await terminal.until("❯ ");
    await terminal.quiet(3_000);
    const all = [];
    for (let round = 0; round < 5; round++) {
      for (let length = 1; length <= words.length; length++)
        all.push(await pressed(terminal, words[length - 1]!, `hay-${length}/`));
      for (let length = words.length - 1; length >= 1; length--)
        all.push(await pressed(terminal, keys.backspace, `hay-${length}/`));
      const shown = terminal.until("❯ ");
      terminal.write(keys.backspace);
      await shown;
      await terminal.quiet(500);
    }
    line(
      "tui-files-p50",
      "",
      "ms",
      percentile(
        all.map(({ took }) => took),
        50,
      ),
    );
    line("tui-files-max", "< 50", "ms", Math.max(...all.map(({ took }) => took)));
    line("tui-files-cpu-max", "< 50", "ms", Math.max(...all.map(({ mainMs }) => mainMs)));
  },

  /** Pastes, folds and sends 1 MB with tabs and non-ASCII letters; the agent reports the hash of what it received. */
  async paste() {
    const row = "\tcolumn\tжук\t日本語\tquoted \"text\" and 'more' of it until the end of this row\n";
    const text = row.repeat(Math.ceil((1024 * 1024) / Buffer.byteLength(row)));
    const hash = createHash("sha256").update(text).digest("hex");
    using terminal = await open();
    await terminal.quiet(2_000);
    const before = terminal.cpuMs();
    const folded = terminal.until("[Pasted text");
    terminal.write(`\x1b[200~${text}\x1b[201~`);
    await folded;
    line("tui-paste-cpu", "<= 0.5", "s", (terminal.cpuMs() - before) / 1_000);
    const answered = terminal.until(hash);
    terminal.write(keys.enter);
    await answered;
    line("tui-paste-bytes", String(Buffer.byteLength(text)), "bytes, same hash", Buffer.byteLength(text));
  },
};

const wanted = process.argv.slice(2);
try {
  for (const [name, measure] of Object.entries(measures)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    try {
      await measure();
    } catch (error) {
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  installed[Symbol.dispose]();
}
process.exit();
