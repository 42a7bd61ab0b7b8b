/** Reins's side of the guardian: a process that waits for our death, whatever it is, and then ends everything of our run. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { ReinsError } from "../../events/errors.ts";
import { scriptBeside } from "../launch/script-path.ts";
import { within } from "./stop.ts";

const main = scriptBeside(import.meta.url, "guardian-main");

/**
 * A shell that only waits takes 1.6 MB where Node takes 46; Node comes when it is needed. The shell ignores what a terminal or a
 * person sends to end Reins. `read` returns when we say that all is done, and fails when we are dead.
 */
const wait = `trap '' HUP INT QUIT TERM PIPE TSTP; read -r word; [ "$word" = done ] || exec "$@"`;

/** How often it is started again between two launches; more would be a fight with whoever ends it. */
const restarts = 3;
/** One that was stopped by hand does not hear us; it will when it goes on. */
const leaveMs = 1_000;

export class Guardian {
  readonly #shell: string;
  readonly #command: readonly string[];
  readonly #needed: () => boolean;
  #process: ChildProcess | undefined;
  #restartsLeft = restarts;
  #leaving = false;

  /** `needed` says whether there are children, when it must be started again. */
  constructor(ledgerPath: string, run: string, needed: () => boolean, shell = "/bin/sh") {
    this.#shell = shell;
    this.#command = [process.execPath, main, ledgerPath, run];
    this.#needed = needed;
  }

  /** Makes sure that it runs; throws when it cannot. */
  watch(): void {
    this.#restartsLeft = restarts;
    if (!this.#process) this.#start();
  }

  /** Tells it that nothing is left to end. */
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
      throw new ReinsError("internal", "The guardian, which ends agents when Reins dies, could not be started.", {
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
      // The next launch tries again, and says why it cannot.
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

/** In a group of its own, with no mark of a run, no output of ours held open, and no folder held in use. */
function spawnAside(command: string, args: readonly string[]): ChildProcess | undefined {
  // What Node itself needs, and what lets it start sooner.
  const { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, LD_LIBRARY_PATH, NODE_COMPILE_CACHE };
  const child = spawn(command, args, { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"], env });
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  // Node has waited for the start: without a pid there was none.
  if (child.pid === undefined) return undefined;
  child.unref();
  unref(child.stdin);
  return child;
}

function split([command = "", ...args]: readonly string[]): [string, readonly string[]] {
  return [command, args];
}

/** A child's pipe is a socket, though its type does not say so. */
function unref(stream: unknown): void {
  (stream as { unref?: () => void }).unref?.();
}
