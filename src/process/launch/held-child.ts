/** Tracks a process that another module forked, from its start until it and its descendants are gone. */
import type { Deadlines } from "../../events/deadlines.ts";
import { endAll } from "../stop/end.ts";
import { within } from "../stop/stop.ts";
import type { Leader } from "../table/owned.ts";
import type { Exit, Held, HeldProcess } from "../types.ts";

export interface HeldChildOptions {
  readonly process: Pick<HeldProcess<unknown>, "pid" | "exited">;
  readonly mark: string;
  readonly leader: Promise<Leader>;
  readonly deadlines: Deadlines;
}

export class HeldChild implements Held {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly leader: Promise<Leader>;
  readonly cleared: Promise<Exit>;
  readonly #deadlines: Deadlines;
  #gone = false;
  #stopped: Promise<Exit> | undefined;

  constructor({ process: held, mark, leader, deadlines }: HeldChildOptions) {
    this.pid = held.pid;
    this.leader = leader;
    this.#deadlines = deadlines;
    this.exited = held.exited.then((exit) => {
      this.#gone = true;
      return exit;
    });
    this.cleared = this.exited.then(async (exit) => {
      await endAll({ child: mark, leaders: [await leader], fresh: true }, deadlines.drain);
      return exit;
    });
  }

  /** Does nothing after the exit, because the system may have given the pid to another process. */
  signal(name: NodeJS.Signals): void {
    if (this.#gone) return;
    try {
      process.kill(process.platform === "win32" ? this.pid : -this.pid, name);
    } catch {
      // Already gone; the exit follows.
    }
  }

  stop(): Promise<Exit> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<Exit> {
    // An interactive shell ignores TERM but ends with its terminal. CONT wakes a suspended process, so that it can end.
    this.signal("SIGHUP");
    this.signal("SIGCONT");
    if (await within(this.#deadlines.politeClose, this.exited)) return this.cleared;
    for (const name of ["SIGTERM", "SIGKILL"] as const) {
      this.signal(name);
      if (await within(this.#deadlines.term, this.exited)) return this.cleared;
    }
    // A process that survives KILL hangs in the kernel; do not wait for it.
    return { code: null, signal: null };
  }
}
