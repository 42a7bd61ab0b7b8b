/** Child processes: everything Reins starts goes through here, and nothing of it survives Reins. */
import type { Deadlines } from "../events/deadlines.ts";
import type { Limits } from "../events/limits.ts";
import type { Redactor } from "../events/redact.ts";
import { withBeside } from "./beside.ts";
import { createChild } from "./child.ts";
import { ledgerFolder, stateHome } from "./home.ts";
import { Launcher } from "./launch.ts";
import { memoryOf } from "./memory.ts";
import { reapLedgers } from "./reap.ts";
import { runToEnd } from "./run.ts";
import type { Processes } from "./types.ts";

export { childEnvironment } from "./environment.ts";
export { findCommand, findCommands } from "./find-command.ts";

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
  const { limits, redact } = options;
  const home = options.home ?? stateHome(options.env);
  const folder = ledgerFolder(home);
  const launcher = new Launcher(options, home);
  return {
    launch: async (spec) => withBeside(createChild(await launcher.launch(spec), limits, redact), spec.beside),
    run: async (spec, deadlineMs) => runToEnd(await launcher.launch({ ...spec, stdin: "ignore" }), deadlineMs, redact),
    memory: () => memoryOf(launcher.groups),
    files: launcher.files,
    reap: async () => {
      await reapLedgers(folder);
      await launcher.files.reap();
    },
    close: () => launcher.close(),
  };
}
