/** Reins processes to be killed, each with a home and a workspace of its own. */
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

/** Ignores TERM, has one in a session of its own that does too, and one that keeps forking; says so, and stays. */
const stubborn = `trap '' TERM HUP INT
setsid sh -c 'trap "" TERM HUP; while :; do sleep 60; done' &
sh -c 'while :; do sleep 0.1; done' &
echo ready
while :; do sleep 60; done`;

/** Ends at once, and leaves one in its group and one in a session of its own that lost its parent. */
const leaves = `sleep 60 &
setsid sh -c 'trap "" TERM; sleep 60' &
echo gone`;

/** Else where Node puts it without being told, so that it is warm from the last time: half of a start is compiling. */
const compileCache = process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "node-compile-cache");

export class Stage implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "reins-chaos-"));
  readonly leaves: string = shellScript(this.folder, "leaves", leaves);
  readonly stubborn: string = shellScript(this.folder, "stubborn", stubborn);
  #scenes = 0;

  /** The library, in a script of its own. */
  library(...args: string[]): Scene {
    const victim = fileURLToPath(new URL("./victim.ts", import.meta.url));
    return this.#scene([victim, this.leaves, this.stubborn, ...args]);
  }

  /** The command. */
  command(prompt: string): Scene {
    return this.#scene([bin, "run", "-a", "demo", "--mode", "full", "--json", prompt]);
  }

  /** The command as one with an older Node has started it again, with a channel to it. */
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
  /** What it has said on stdout. */
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

  /** When it has said so many lines, or such a one; at once when it has ended without. */
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

  /** Of it and all it started. */
  processes(): number[] {
    return processesOf(this.home);
  }

  /** When it is gone: how, and how many milliseconds it then took until nothing of it was left. */
  async over(): Promise<{ code: number | null; signal: NodeJS.Signals | null; tookMs: number }> {
    await this.exited;
    const tookMs = await nothingLeft(this.home);
    await this.#read;
    return { code: this.process.exitCode, signal: this.process.signalCode, tookMs };
  }
}
