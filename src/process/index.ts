/** Child processes. Reins starts every process through this module, and none of them survives Reins. */
import type { Deadlines } from "../events/deadlines.ts";
import type { Limits } from "../events/limits.ts";
import type { Redactor } from "../events/redact.ts";
import { mergeLines } from "./output/merged-lines.ts";
import { createChild } from "./launch/spawn.ts";
import { ledgerFolder, stateHome } from "./home.ts";
import { Launcher } from "./launch/launch.ts";
import { memoryOf } from "./table/table.ts";
import { reapLedgers } from "./stop/reap.ts";
import { runToEnd } from "./launch/running.ts";
import type { Processes } from "./types.ts";

export { childEnvironment } from "./launch/environment.ts";
export { findCommand, findCommands } from "./launch/find-command.ts";

export interface ProcessesOptions {
  /** The environment of Reins, which determines where the ledger is. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly redact: Redactor;
  /** True: a guardian stops all children when Reins is killed. */
  readonly guardian: boolean;
  /** Default: the folder that `env` determines. */
  readonly home?: string | undefined;
  /** Unique, and part of a file name. Default: a random id. */
  readonly runId?: string | undefined;
}

export function createProcesses(options: ProcessesOptions): Processes {
  const { limits, redact } = options;
  const home = options.home ?? stateHome(options.env);
  const folder = ledgerFolder(home);
  const launcher = new Launcher(options, home);
  return {
    launch: async (spec) => mergeLines(createChild(await launcher.launch(spec), limits, redact), spec.secondChannel),
    run: async (spec, deadlineMs) => runToEnd(await launcher.launch({ ...spec, stdin: "ignore" }), deadlineMs, redact),
    hold: (spec, start) => launcher.hold(spec, start),
    memory: () => memoryOf(launcher.groups),
    files: launcher.files,
    reap: async () => {
      await reapLedgers(folder);
      await launcher.files.reap();
    },
    close: () => launcher.close(),
  };
}
