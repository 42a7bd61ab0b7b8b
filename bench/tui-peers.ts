/**
 * The terminal interfaces of Claude Code, OpenCode and pi beside that of Reins with its own agent: the same terminal of 120 x 40, the same
 * model, the same answers. Each shows an answer of 60 parts (40 kB), then one of 1,000 pieces a second while a person types. CPU and memory
 * include all children of the program. `node bench/run.js tui` runs it isolated, after `tui.ts`.
 */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Proof } from "../src/agents/contract.ts";
import { proofOf } from "../src/testing/index.ts";
import { programOf } from "../test/real/support/program.ts";
import { createWorkspace, type Workspace } from "../test/real/support/workspace.ts";
import { percentile, rounded } from "./pairs.ts";
import { installedCommand } from "./support/installed.ts";
import { inTerminal } from "./support/in-terminal.ts";

interface Peer {
  readonly agent: string;
  /** Default: the agent's own program. */
  readonly args?: readonly string[];
  /** Text that is shown when the program takes prompts. */
  readonly ready: string;
  /**
   * Files in its home in addition to those of the proof: without them the program first asks about its theme, the key and trust in the
   * folder.
   */
  readonly files?: (workspace: Workspace, env: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

const installed = installedCommand();

const peers: Readonly<Record<string, Peer>> = {
  reins: {
    agent: "native",
    args: [installed.path, "-a", "native", "-m", "anthropic/claude-sonnet-5-5"],
    ready: "What should",
  },
  "claude code": {
    agent: "claude",
    ready: "❯",
    files: ({ cwd }, env) => ({
      ".claude.json": JSON.stringify({
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: [env["ANTHROPIC_API_KEY"]?.slice(-20)], rejected: [] },
        projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      }),
    }),
  },
  opencode: { agent: "opencode", ready: "Ask anything" },
  pi: { agent: "pi", ready: "scripted" },
};

async function measure(name: string, peer: Peer, modelUrl: string): Promise<void> {
  using workspace = createWorkspace();
  const proof: Proof = await proofOf(peer.agent);
  const env = {
    ...workspace.env,
    ...proof.env(modelUrl),
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
  };
  const files = { ...proof.files?.(modelUrl), ...peer.files?.(workspace, env) };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace.home, path)), { recursive: true });
    writeFileSync(join(workspace.home, path), text);
  }
  const program = peer.args === undefined ? { program: programOf(proof) } : {};
  using terminal = inTerminal({ args: peer.args ?? [], env, cwd: workspace.cwd, emulated: true, ...program });
  await terminal.shows(peer.ready, 60_000);
  await terminal.quiet(1_500, 8_000);
  const before = terminal.withChildren().residentMb;
  await ask("history 60");
  await terminal.shows('compute("59"', 60_000);
  await terminal.quiet(1_500, 8_000);
  await ask("stream 40000 1000");
  await terminal.shows('compute("1"', 60_000);
  await sleep(2_000);
  const { echo, cpu } = await typed(10_000);
  const figures = {
    echoP50: percentile(echo, 50),
    echoP95: percentile(echo, 95),
    cpuPercent: cpu,
    startMb: before,
    endMb: terminal.withChildren().residentMb,
  };
  const shown = Object.entries(figures).map(([key, value]) => [key, rounded(value)]);
  console.log(JSON.stringify({ bench: "tui-peers", who: name, keys: echo.length, ...Object.fromEntries(shown) }));

  /** Types a letter, waits until it is on the screen, then removes it. */
  async function typed(ms: number): Promise<{ readonly echo: readonly number[]; readonly cpu: number }> {
    const [cpu, began] = [terminal.withChildren().cpuMs, performance.now()];
    const echo: number[] = [];
    while (performance.now() - began < ms) {
      const shown = terminal.shows("\u0436");
      terminal.write("\u0436");
      echo.push(await shown);
      const removed = terminal.shows("\u0436", 20_000, false);
      terminal.write("\x7f");
      await removed;
      await sleep(100);
    }
    return { echo, cpu: (100 * (terminal.withChildren().cpuMs - cpu)) / (performance.now() - began) };
  }

  /** Waits before Enter: some programs take a line break that follows at once as part of a paste. */
  async function ask(words: string): Promise<void> {
    terminal.write(words);
    await terminal.shows(words);
    await sleep(500);
    terminal.write("\r");
  }
}

/** Runs in a separate process, so that pacing and measuring do not delay each other. */
async function startModel(): Promise<{ readonly url: string } & Disposable> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "support", "paced-model.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const url of createInterface({ input: child.stdout }))
    return { url, [Symbol.dispose]: () => void child.kill() };
  throw new Error("The model did not start.");
}

const model = await startModel();
const wanted = process.argv.slice(2);
for (const [name, peer] of Object.entries(peers)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  try {
    await measure(name, peer, model.url);
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
model[Symbol.dispose]();
installed[Symbol.dispose]();
process.exit();
