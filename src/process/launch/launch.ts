/** Starts processes so that none can be lost: first the guardian, then the ledger entry, then the process. */
import { ReinsError } from "../../events/errors.ts";
import { BorrowedFiles } from "../borrowed-files/owner.ts";
import { Guardian } from "../stop/guardian.ts";
import { ledgerFolder } from "../home.ts";
import type { ProcessesOptions } from "../index.ts";
import { Ledger, ledgerPath } from "../stop/ledger.ts";
import { recordsFolder } from "../borrowed-files/records.ts";
import { markVariables, newMark } from "../table/markers.ts";
import { HeldChild } from "./held-child.ts";
import { Running } from "./running.ts";
import { checkSpec, spawn } from "./spawn.ts";
import { beforeExit } from "../stop/stop.ts";
import type { Leader } from "../table/owned.ts";
import { processTable } from "../table/table.ts";
import type { Exit, HeldSpec, LaunchSpec, StartHeld } from "../types.ts";

interface Living {
  readonly pid: number;
  readonly leader: Promise<Leader>;
  /** Settles when the child and its descendants have ended. */
  readonly cleared: Promise<Exit>;
  /** Signals the process group. */
  signal(name: NodeJS.Signals): void;
  stop(): Promise<Exit>;
}

/** Starts the program with the marks of Reins; `mark` identifies this child. */
type Start<Kind extends Living> = (
  path: string,
  marks: Readonly<Record<string, string>>,
  mark: string,
) => Promise<Kind>;

export class Launcher {
  readonly #options: ProcessesOptions;
  readonly #folder: string;
  readonly #run: string;
  readonly #guardian: Guardian | undefined;
  readonly #table = processTable();
  readonly #living = new Set<Living>();
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

  launch(spec: LaunchSpec): Promise<Running> {
    return this.#tracked(spec, async (path, marks, mark) => {
      const child = await spawn(path, spec, marks);
      const { deadlines, limits } = this.#options;
      return new Running({ process: child, mark, leader: this.#leaderOf(child.pid), deadlines, limits });
    });
  }

  /** Like `launch`, for a process that another module forks. */
  hold<Started>(spec: HeldSpec, start: StartHeld<Started>): Promise<{ started: Started; child: HeldChild }> {
    let started: Started | undefined;
    return this.#tracked(spec, async (path, marks, mark) => {
      const process = start(path, { ...spec.env, ...marks });
      started = process.started;
      return new HeldChild({ process, mark, leader: this.#leaderOf(process.pid), deadlines: this.#options.deadlines });
    }).then((child) => ({ started: started as Started, child }));
  }

  get groups(): ReadonlySet<number> {
    return new Set([...this.#living].map(({ pid }) => pid));
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#living].map((running) => running.stop()));
    await this.files.close();
    // Before the guardian ends, because a kill in between would leave a ledger that nobody removes.
    (await this.#ledger?.catch(() => undefined))?.remove();
    await this.#guardian?.leave();
    this.#takeBackHook?.();
  }

  async #tracked<Kind extends Living>(spec: HeldSpec, start: Start<Kind>): Promise<Kind> {
    const started = this.#prepared(spec, start);
    this.#starting.add(started);
    try {
      return await started;
    } finally {
      this.#starting.delete(started);
    }
  }

  async #prepared<Kind extends Living>(spec: HeldSpec, start: Start<Kind>): Promise<Kind> {
    const path = await checkSpec(spec);
    if (this.#closed) throw closedError();
    this.#guardian?.watch();
    const ledger = await (this.#ledger ??= this.#openLedger());
    if (this.#closed) throw closedError();
    this.#takeBackHook ??= beforeExit(() => this.#living.forEach((living) => living.signal("SIGKILL")));
    return this.#start(path, spec, ledger, start);
  }

  async #start<Kind extends Living>(path: string, spec: HeldSpec, ledger: Ledger, start: Start<Kind>): Promise<Kind> {
    const mark = newMark();
    const entry = { child: mark, agent: spec.agent, session: spec.sessionId };
    ledger.intend(entry);
    const living = await start(path, markVariables(process.env, this.#run, mark), mark).catch((error: unknown) => {
      ledger.gone(entry);
      throw error;
    });
    this.#living.add(living);
    void living.cleared.then(() => {
      this.#living.delete(living);
      ledger.gone(entry);
    });
    ledger.started({ ...entry, ...(await living.leader) });
    return living;
  }

  #leaderOf(pid: number): Promise<Leader> {
    return this.#table.startOfChild(pid).then((start) => ({ pid, start }));
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
  return new ReinsError("invalid_input", "This Reins instance is closed and cannot start agents.", {
    help: "Create a new instance with `createReins`.",
  });
}
