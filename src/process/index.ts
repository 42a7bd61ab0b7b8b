/** Child processes: everything Reins starts goes through here, and nothing of it survives Reins. */
import type { Deadlines } from "../events/deadlines.ts";
import { ReinsError } from "../events/errors.ts";
import type { Limits } from "../events/limits.ts";
import type { Redactor } from "../events/redact.ts";
import { createChild } from "./child.ts";
import { beforeExit } from "./exit-hook.ts";
import { Guardian } from "./guardian.ts";
import { ledgerFolder, stateHome } from "./home.ts";
import { Ledger, ledgerPath } from "./ledger.ts";
import { markVariables, newMark } from "./mark.ts";
import { reapLedgers } from "./reap.ts";
import { runToEnd } from "./run.ts";
import { Running } from "./running.ts";
import { checkSpec, spawn } from "./spawn.ts";
import { signalGroup } from "./stop.ts";
import { processTable } from "./table.ts";
import type { LaunchSpec, Processes } from "./types.ts";

export { childEnvironment, type DeclaredEnvironment } from "./environment.ts";
export { findCommand, type FoundCommand } from "./find-command.ts";

export interface ProcessesOptions {
  /** The environment of Reins: it says where the ledger is. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly redact: Redactor;
  /** Whether a guardian watches, so that nothing is left when Reins is killed. */
  readonly guardian: boolean;
  /** Instead of the folder `env` leads to. */
  readonly home?: string | undefined;
  /** Instead of a random one; unique, and fit for a file name. */
  readonly runId?: string | undefined;
}

export function createProcesses(options: ProcessesOptions): Processes {
  const { deadlines, limits, redact, runId = newMark() } = options;
  const folder = ledgerFolder(options.home ?? stateHome(options.env));
  const table = processTable();
  const living = new Set<Running>();
  const starting = new Set<Promise<unknown>>();
  const guardian = options.guardian ? new Guardian(ledgerPath(folder, runId), runId, () => living.size > 0) : undefined;
  let ledger: Promise<Ledger> | undefined;
  let takeBackHook: (() => void) | undefined;
  let closed = false;

  async function openLedger(): Promise<Ledger> {
    const start = await table.startOf(process.pid);
    try {
      return new Ledger(folder, { run: runId, pid: process.pid, start, place: table.place() });
    } catch (cause) {
      ledger = undefined;
      throw new ReinsError("invalid_input", `Reins cannot write its list of processes in ${folder}.`, {
        help: "Set REINS_HOME to a folder you can write to.",
        cause,
      });
    }
  }

  async function start(spec: LaunchSpec): Promise<Running> {
    const path = await checkSpec(spec);
    guardian?.watch();
    const book = await (ledger ??= openLedger());
    if (closed) throw closedError();
    takeBackHook ??= beforeExit(() => living.forEach((running) => signalGroup(running.process, "SIGKILL")));
    const mark = newMark();
    const entry = { child: mark, agent: spec.agent, session: spec.sessionId };
    book.intend(entry);
    try {
      const child = await spawn(path, spec, markVariables(process.env, runId, mark));
      const leader = table.startOf(child.pid).then((startTime) => ({ pid: child.pid, start: startTime }));
      const running = new Running({ process: child, mark, leader, deadlines, limits });
      living.add(running);
      void running.cleared.then(() => {
        living.delete(running);
        book.gone(entry);
      });
      book.started({ ...entry, ...(await leader) });
      return running;
    } catch (error) {
      book.gone(entry);
      throw error;
    }
  }

  /** So that `close` waits also for what is just being started. */
  async function tracked(spec: LaunchSpec): Promise<Running> {
    if (closed) throw closedError();
    const started = start(spec);
    starting.add(started);
    try {
      return await started;
    } finally {
      starting.delete(started);
    }
  }

  return {
    async launch(spec) {
      const running = await tracked(spec);
      return createChild(running, limits, redact);
    },
    async run(spec, deadlineMs) {
      return runToEnd(await tracked({ ...spec, stdin: "ignore" }), deadlineMs, redact);
    },
    reap: () => reapLedgers(folder, table),
    async close() {
      closed = true;
      await Promise.allSettled(starting);
      await Promise.all([...living].map((running) => running.stop()));
      await guardian?.leave();
      const book = await ledger?.catch(() => undefined);
      ledger = undefined;
      book?.remove();
      takeBackHook?.();
    },
  };
}

function closedError(): ReinsError {
  return new ReinsError("invalid_input", "This Reins is closed and starts nothing more.", {
    help: "Create another one.",
  });
}
