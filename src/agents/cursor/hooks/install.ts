/** Makes Cursor load our hooks for a session: through a plugin, or through a file of the person's that is given back. */
import { join } from "node:path";
import { ReinsError } from "../../../events/errors.ts";
import { stateHome } from "../../../process/home.ts";
import type { AgentContext } from "../../contract.ts";
import { program } from "../program.ts";
import { runsPlugins } from "./events.ts";
import { timeoutsIn } from "./hooks-file.ts";
import { borrowing, doubtAbout, entriesFor, ours, placeVariable, waitIn } from "./places.ts";
import type { FilePlace, HooksPlace } from "./places.ts";
import { writePlugin } from "./plugin.ts";
import { shimPrograms } from "./programs.ts";
import { writeShim } from "./shim.ts";

export interface Installed {
  /** Of its command line. */
  readonly args: readonly string[];
  /** Seconds that an answer may take. */
  readonly wait: number;
  /** Why they may not run all the same. */
  readonly doubt?: string | undefined;
  /** What it means where none fires. */
  readonly unheard: string;
  readonly giveBack: () => void;
}

export interface InstallOptions {
  readonly context: AgentContext;
  readonly cwd: string;
  readonly version: string | undefined;
  /** Of this session alone. */
  readonly folder: string;
  /** Seconds. */
  readonly wait: number;
}

const noneFired = "A tool has run and no hook of Reins has fired, so Reins was not asked about it:";

/** Where the script lies that files of the person's name. It stays: they may name it after Reins is gone. */
export function shimFolder(env: AgentContext["env"]): string {
  return join(stateHome(env), "hooks");
}

export function install(place: Exclude<HooksPlace, "off">, options: InstallOptions): Promise<Installed> {
  return place === "plugin" ? installPlugin(options) : installInto(place, options);
}

async function installPlugin({ context, version, folder, wait }: InstallOptions): Promise<Installed> {
  if (!runsPlugins(version))
    throw new ReinsError("unsupported", "This version of Cursor runs no hooks of plugins.", {
      agent: program.id,
      help: `Set ${placeVariable} to project or user, or update Cursor.`,
    });
  const shim = await writeShim(join(folder, "bin"), await shimPrograms(context));
  const plugin = await writePlugin(folder, entriesFor(shim, version, wait));
  const unheard = `${noneFired} this Cursor seems to run no hooks of plugins. Set ${placeVariable}=project.`;
  return { args: ["--plugin-dir", plugin], wait, unheard, giveBack: () => {} };
}

async function installInto(place: FilePlace, { context, cwd, version, wait }: InstallOptions): Promise<Installed> {
  const { processes, env } = context;
  if (processes.files === undefined)
    throw new ReinsError("unsupported", "Files of the person's cannot be changed here.");
  const folder = shimFolder(env);
  const shim = await writeShim(folder, await shimPrograms(context));
  const spec = borrowing({ place, cwd, env, folder }, entriesFor(shim, version, wait));
  const borrowed = await processes.files.borrow(spec);
  const path = join(spec.root, spec.path);
  return {
    args: [],
    wait: Math.min(wait, waitIn(timeoutsIn(borrowed.content, ours(folder)))),
    unheard: `${noneFired} Cursor seems to pass over ${path}.`,
    doubt: doubtAbout(path, borrowed.content, version),
    giveBack: () => borrowed.giveBack(),
  };
}
