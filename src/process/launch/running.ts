/** Tracks a process from its start until it and its descendants are gone. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Deadlines } from "../../events/deadlines.ts";
import type { Limits } from "../../events/limits.ts";
import type { Redactor } from "../../events/redact.ts";
import { readChunks } from "../output/chunks.ts";
import { endAll } from "../stop/end.ts";
import type { Leader } from "../table/owned.ts";
import type { PipedProcess } from "./spawn.ts";
import { signalGroup, stopLeader, within } from "../stop/stop.ts";
import { Tail } from "../output/tail.ts";
import type { Exit, Output } from "../types.ts";

export interface RunningOptions {
  /** Must be just started, so that no event was missed. */
  readonly process: PipedProcess;
  readonly mark: string;
  readonly leader: Promise<Leader>;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
}

export class Running {
  readonly process: PipedProcess;
  readonly leader: Promise<Leader>;
  readonly stderr: Tail;
  readonly stdout: AsyncIterable<Buffer>;
  /** Settles when the process has ended and its stderr is complete. */
  readonly exited: Promise<Exit>;
  /** Settles when its descendants have ended too. */
  readonly cleared: Promise<Exit>;
  readonly #exit: Promise<Exit>;
  readonly #deadlines: Deadlines;
  readonly #hurry = Promise.withResolvers<void>();
  #stopped: Promise<Exit> | undefined;

  constructor({ process: child, mark, leader, deadlines, limits }: RunningOptions) {
    this.process = child;
    this.leader = leader;
    this.#deadlines = deadlines;
    this.#exit = exitOf(child);
    this.stdout = readChunks(child.stdout, this.#exit, deadlines.drain);
    this.stderr = new Tail(limits.stderrBytes);
    child.stderr.on("data", (chunk: Buffer) => this.stderr.push(chunk));
    child.stderr.on("error", () => {});
    const stderrEnded = once(child.stderr, "close").catch(() => {});
    this.exited = this.#exit.then(async (exit) => {
      await within(deadlines.drain, stderrEnded);
      return exit;
    });
    // A child that closes its stdin is not an error of Reins.
    child.stdin?.on("error", () => {});
    this.cleared = this.#exit.then(async (exit) => {
      child.stdin?.destroy();
      await endAll({ child: mark, leaders: [await leader], fresh: true }, deadlines.drain);
      child.stderr.destroy();
      return exit;
    });
  }

  get pid(): number {
    return this.process.pid;
  }

  signal(name: NodeJS.Signals): void {
    signalGroup(this.process, name);
  }

  stop(politely = true): Promise<Exit> {
    if (!politely) this.#hurry.resolve();
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<Exit> {
    const gone = await stopLeader(this.process, this.#exit, this.#deadlines, this.#hurry.promise);
    // A process that survives KILL hangs in the kernel; do not wait for it.
    return gone ? this.cleared : { code: null, signal: null };
  }
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
}

const keptBytes = 1024 * 1024;

/** Runs a short command to its end and keeps the beginning of its output. */
export async function runToEnd(running: Running, deadlineMs: number, redact: Redactor): Promise<Output> {
  const kept: Buffer[] = [];
  const late = Promise.withResolvers<void>();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    late.resolve();
  }, deadlineMs);
  let bytes = 0;
  const finish = async (): Promise<Exit> => {
    for await (const chunk of running.stdout) {
      if (bytes < keptBytes) kept.push(chunk.subarray(0, keptBytes - bytes));
      bytes += chunk.length;
    }
    return running.cleared;
  };
  const exit: Exit = await Promise.race([finish(), late.promise.then(() => running.stop(false))]);
  clearTimeout(timer);
  const stdout = Buffer.concat(kept).toString();
  return { ...exit, stdout, stderr: running.stderr.text(redact), timedOut, truncated: bytes > keptBytes };
}
