/** Starts and stops the guardian, a process that waits for the death of Reins and then stops everything of its run. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ReinsError } from "../../events/errors.ts";
import { scriptBeside } from "../launch/script-path.ts";
import { within } from "./stop.ts";

const main = scriptBeside(import.meta.url, "guardian-main");

/**
 * A waiting shell takes 1.6 MB and Node 46 MB, so Node starts only when it is needed. The shell ignores signals that are meant for Reins.
 * `read` returns when Reins writes `done`, and fails when Reins is dead.
 */
const wait = `trap '' HUP INT QUIT TERM PIPE TSTP; read -r word; [ "$word" = done ] || exec "$@"`;

/** Restarts between two launches. Further restarts would only fight a user or program that kills the guardian. */
const restarts = 3;
/** A suspended guardian does not answer, so do not wait longer. */
const leaveMs = 1_000;

export class Guardian {
  readonly #shell: string;
  readonly #command: readonly string[];
  readonly #needed: () => boolean;
  #process: ChildProcess | undefined;
  #restartsLeft = restarts;
  #leaving = false;

  /** `needed`: true while there are children, so that a dead guardian must be restarted. */
  constructor(ledgerPath: string, run: string, needed: () => boolean, shell = "/bin/sh") {
    this.#shell = shell;
    this.#command = [process.execPath, main, ledgerPath, run];
    this.#needed = needed;
  }

  /** Makes sure that the guardian runs; throws when it cannot be started. */
  watch(): void {
    this.#restartsLeft = restarts;
    if (!this.#process) this.#start();
  }

  /** Ends the guardian, because nothing is left to stop. */
  async leave(): Promise<void> {
    this.#leaving = true;
    const guardian = this.#process;
    if (!guardian) return;
    guardian.ref();
    const exited = once(guardian, "exit");
    guardian.stdin?.end("done\n");
    await within(leaveMs, exited);
    guardian.unref();
  }

  #start(): void {
    const guardian =
      this.#spawn(this.#shell, ["-c", wait, "reins-guardian", ...this.#command]) ??
      this.#spawn(...split(this.#command));
    if (!guardian) {
      throw new ReinsError("internal", "The guardian, which stops agents when Reins dies, could not be started.", {
        retryable: true,
        help: "Try again, or turn it off with the option `guardian: false`.",
      });
    }
    guardian.once("exit", () => {
      this.#process = undefined;
      if (!this.#leaving && this.#needed() && this.#restartsLeft-- > 0) this.#startIfPossible();
    });
    this.#process = guardian;
  }

  #startIfPossible(): void {
    try {
      this.#start();
    } catch {
      // The next launch tries again and reports the failure.
    }
  }

  #spawn(command: string, args: readonly string[]): ChildProcess | undefined {
    try {
      return spawnAside(command, args);
    } catch {
      return undefined;
    }
  }
}

/** Starts a process in a group of its own, without the marks, the output or the working folder of Reins. */
function spawnAside(command: string, args: readonly string[]): ChildProcess | undefined {
  const { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE };
  const child = spawn(command, args, { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"], env });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  // Without a pid the start failed.
  if (child.pid === undefined) return undefined;
  child.unref();
  unref(child.stdin);
  return child;
}

function split([command = "", ...args]: readonly string[]): [string, readonly string[]] {
  return [command, args];
}

/** The pipe of a child is a socket, although its type does not say so. */
function unref(stream: unknown): void {
  (stream as { unref?: () => void }).unref?.();
}
