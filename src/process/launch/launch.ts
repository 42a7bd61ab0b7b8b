/** Starts processes so that none can be lost: first the guardian, then the ledger, then the start. */
import { ReinsError } from "../../events/errors.ts";
import { BorrowedFiles } from "../borrowed-files/owner.ts";
import { Guardian } from "../stop/guardian.ts";
import { ledgerFolder } from "../home.ts";
import type { ProcessesOptions } from "../index.ts";
import { Ledger, ledgerPath } from "../stop/ledger.ts";
import { recordsFolder } from "../borrowed-files/records.ts";
import { markVariables, newMark } from "../table/markers.ts";
import { Running } from "./running.ts";
import { checkSpec, spawn } from "./spawn.ts";
import { beforeExit, signalGroup } from "../stop/stop.ts";
import { processTable } from "../table/table.ts";
import type { LaunchSpec } from "../types.ts";

export class Launcher {
  readonly #options: ProcessesOptions;
  readonly #folder: string;
  readonly #run: string;
  readonly #guardian: Guardian | undefined;
  readonly #table = processTable();
  readonly #living = new Set<Running>();
  readonly #starting = new Set<Promise<unknown>>();
  readonly files: BorrowedFiles;
  #ledger: Promise<Ledger> | undefined;
  #takeBackHook: (() => void) | undefined;
  #closed = false;

  constructor(options: ProcessesOptions, home: string) {
    this.#options = options;
    this.#folder = ledgerFolder(home);
    this.#run = options.runId ?? newMark();
    const needed = (): boolean => this.#living.size > 0 || this.files.borrowed > 0;
    if (options.guardian) this.#guardian = new Guardian(ledgerPath(this.#folder, this.#run), this.#run, needed);
    this.files = new BorrowedFiles({
      folder: recordsFolder(home),
      run: this.#run,
      before: () => {
        if (this.#closed) throw closedError();
        this.#guardian?.watch();
      },
    });
  }

  async launch(spec: LaunchSpec): Promise<Running> {
    const started = this.#launch(spec);
    this.#starting.add(started);
    try {
      return await started;
    } finally {
      this.#starting.delete(started);
    }
  }

  get groups(): ReadonlySet<number> {
    return new Set([...this.#living].map(({ process: child }) => child.pid));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#living].map((running) => running.stop()));
    await this.files.close();
    // Before the guardian ends: a kill in between would leave a ledger that nobody removes.
    (await this.#ledger?.catch(() => undefined))?.remove();
    await this.#guardian?.leave();
    this.#takeBackHook?.();
  }

  async #launch(spec: LaunchSpec): Promise<Running> {
    const path = await checkSpec(spec);
    if (this.#closed) throw closedError();
    this.#guardian?.watch();
    const ledger = await (this.#ledger ??= this.#openLedger());
    if (this.#closed) throw closedError();
    this.#takeBackHook ??= beforeExit(() => this.#living.forEach((running) => signalGroup(running.process, "SIGKILL")));
    return this.#start(path, spec, ledger);
  }

  async #start(path: string, spec: LaunchSpec, ledger: Ledger): Promise<Running> {
    const mark = newMark();
    const entry = { child: mark, agent: spec.agent, session: spec.sessionId };
    ledger.intend(entry);
    const child = await spawn(path, spec, markVariables(process.env, this.#run, mark)).catch((error: unknown) => {
      ledger.gone(entry);
      throw error;
    });
    const leader = this.#table.startOfChild(child.pid).then((start) => ({ pid: child.pid, start }));
    const { deadlines, limits } = this.#options;
    const running = new Running({ process: child, mark, leader, deadlines, limits });
    this.#living.add(running);
    void running.cleared.then(() => {
      this.#living.delete(running);
      ledger.gone(entry);
    });
    ledger.started({ ...entry, ...(await leader) });
    return running;
  }

  async #openLedger(): Promise<Ledger> {
    const start = await this.#table.startOf(process.pid);
    try {
      return new Ledger(this.#folder, { run: this.#run, pid: process.pid, start, place: this.#table.host() });
    } catch (cause) {
      this.#ledger = undefined;
      throw new ReinsError("invalid_input", `Reins cannot write its list of processes in ${this.#folder}.`, {
        help: "Set REINS_HOME to a folder you can write to.",
        cause,
      });
    }
  }
}

function closedError(): ReinsError {
  return new ReinsError("invalid_input", "This Reins is closed and starts nothing more.", {
    help: "Create another one.",
  });
}
