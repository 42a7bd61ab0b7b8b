/** Reins processes to be killed, each with its own home and workspace. */
import { type ChildProcess, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { bin } from "../support/command.ts";
import { nothingLeft, processesOf, sweep } from "../support/leftovers.ts";
import { shellScript } from "../support/processes.ts";

/** Ignores TERM, starts a child in its own session that ignores it too, and another that keeps forking; prints a line and stays. */
const stubborn = `trap '' TERM HUP INT
setsid sh -c 'trap "" TERM HUP; while :; do sleep 60; done' &
sh -c 'while :; do sleep 0.1; done' &
echo ready
while :; do sleep 60; done`;

/** Exits at once and leaves a child in its group and an orphan in its own session. */
const leaves = `sleep 60 &
setsid sh -c 'trap "" TERM; sleep 60' &
echo gone`;

/** The default is Node's own location, so that the cache is warm from earlier runs: half of a start is compiling. */
const compileCache = process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "node-compile-cache");

export class Stage implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "reins-chaos-"));
  readonly leaves: string = shellScript(this.folder, "leaves", leaves);
  readonly stubborn: string = shellScript(this.folder, "stubborn", stubborn);
  #scenes = 0;

  /** Runs the library in victim.ts. */
  library(...args: string[]): Scene {
    const victim = fileURLToPath(new URL("./victim.ts", import.meta.url));
    return this.#scene([victim, this.leaves, this.stubborn, ...args]);
  }

  command(prompt: string): Scene {
    return this.#scene([bin, "run", "-a", "demo", "--mode", "full", "--json", prompt]);
  }

  /** Runs the command as if an older Node had restarted it, with an IPC channel to it. */
  commandAgain(prompt: string): Scene {
    return this.#scene([bin, "run", "-a", "demo", "--mode", "full", "--json", prompt], { REINS_AGAIN: "1" }, ["ipc"]);
  }

  script(path: string, ...args: string[]): Scene {
    return this.#scene([path, ...args]);
  }

  [Symbol.dispose](): void {
    sweep(this.folder);
  }

  #scene(args: readonly string[], more: Record<string, string> = {}, channel: ["ipc"] | [] = []): Scene {
    const home = join(this.folder, `home-${++this.#scenes}-`);
    const cwd = join(home, "work");
    mkdirSync(cwd, { recursive: true });
    const env = { PATH: process.env["PATH"], HOME: home, REINS_HOME: home, NODE_COMPILE_CACHE: compileCache };
    const stdio: StdioOptions = ["ignore", "pipe", "pipe", ...channel];
    return new Scene(home, spawn(process.execPath, args, { cwd, env: { ...env, ...more }, stdio }));
  }
}

export class Scene {
  readonly home: string;
  readonly process: ChildProcess;
  readonly lines: string[] = [];
  stderr = "";
  readonly exited: Promise<unknown>;
  readonly #read: Promise<unknown>;
  #onLine: () => void = () => {};

  constructor(home: string, process: ChildProcess) {
    this.home = home;
    this.process = process;
    this.exited = once(process, "exit");
    const reader = createInterface({ input: process.stdout! });
    this.#read = once(reader, "close");
    reader.on("line", (line) => {
      this.lines.push(line);
      this.#onLine();
    });
    process.stderr!.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
  }

  /** Resolves after this many lines, or a line with this text; at once when the process has ended. */
  async said(what: number | string): Promise<void> {
    const isSaid = (): boolean =>
      typeof what === "number" ? this.lines.length >= what : this.lines.some((line) => line.includes(what));
    const heard = new Promise<void>((resolve) => {
      this.#onLine = () => {
        if (isSaid()) resolve();
      };
      this.#onLine();
    });
    await Promise.race([heard, this.#read]);
  }

  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    this.process.kill(signal);
  }

  /** The process ids of the victim and everything it started. */
  processes(): number[] {
    return processesOf(this.home);
  }

  /** Resolves after the exit with the exit status and the milliseconds until no process was left. */
  async over(): Promise<{ code: number | null; signal: NodeJS.Signals | null; tookMs: number }> {
    await this.exited;
    const tookMs = await nothingLeft(this.home);
    await this.#read;
    return { code: this.process.exitCode, signal: this.process.signalCode, tookMs };
  }
}
