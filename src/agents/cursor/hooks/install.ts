/**
 * Makes Cursor load the hooks of Reins: through a plugin, which changes no file of the user, or through a hooks.json
 * that is restored later.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { ReinsError } from "../../../events/errors.ts";
import { stateHome } from "../../../process/home.ts";
import type { BorrowSpec, UserFiles } from "../../../process/types.ts";
import type { AgentContext } from "../../contract.ts";
import type { HooksScope } from "../../shared/hooks.ts";
import { variableOf } from "../../variable.ts";
import { choiceIn } from "../launch.ts";
import { cursorError, program } from "../program.ts";
import { eventsFor, gates, runsPlugins } from "./events.ts";
import { flawIn, timeoutsIn, withEntries, withoutEntries, type HookEntry } from "./hooks-file.ts";
import { commandFor, shimName, shimPrograms, writeShim } from "./shim.ts";

export type HooksPlace = HooksScope | "plugin";

const placeVariable = variableOf(program.id, "HOOKS");

export function placeIn(env: AgentContext["env"]): HooksPlace | "off" | undefined {
  return choiceIn(env, "HOOKS", ["project", "user", "plugin", "off"]);
}

/** In seconds. A hook that waits for a person waits a little longer than Reins, so that Reins denies first. */
const usualSeconds = 10;
const longerSeconds = 5;
const mostSeconds = 86_400;

export function waitFor({ deadlines }: Pick<AgentContext, "deadlines">): number {
  return Math.min(Math.ceil(deadlines.permission / 1000), mostSeconds);
}

export function entriesFor(shim: string, version: string | undefined, waitSeconds: number): readonly HookEntry[] {
  return eventsFor(version).map((event) => {
    const command = commandFor(shim, event);
    if (!gates(event)) return { event, command, timeout: usualSeconds };
    return { event, command, timeout: waitSeconds + longerSeconds, failClosed: true };
  });
}

export function pathOf(place: HooksScope, cwd: string, env: AgentContext["env"]): { root: string; path: string } {
  return { root: place === "project" ? cwd : env["HOME"] || homedir(), path: ".cursor/hooks.json" };
}

export function borrowing([scope, cwd, env]: Parameters<typeof pathOf>, entries: readonly HookEntry[]): BorrowSpec {
  const isOurs = ours(env);
  const { root, path } = pathOf(scope, cwd, env);
  return {
    agent: program.id,
    root,
    path,
    change: (before) =>
      withEntries(before === undefined ? before : withoutEntries(before, isOurs), entries, join(root, path)),
    shares: () => true,
    retract: (now) => withoutEntries(now, isOurs),
  };
}

/** Why Cursor may ignore the file: it may have been written for a newer version. */
export function doubtAbout(path: string, text: string, version: string | undefined): string | undefined {
  const flaw = flawIn(text, version);
  return flaw && `${path} has ${flaw}: Cursor may ignore the whole file, including the hooks of Reins.`;
}

/** The folder of the script that hooks files name. It is never removed, because they may name it after Reins has ended. */
export function shimFolder(env: AgentContext["env"]): string {
  return join(stateHome(env), "hooks");
}

/** Entries of a Reins with another home folder belong to that one. */
export function ours(env: AgentContext["env"]): (command: string) => boolean {
  const start = join(shimFolder(env), shimName);
  return (command) => command.includes(start) || command.includes(JSON.stringify(start).slice(1, -1));
}

export function filesOf({ processes }: AgentContext): UserFiles {
  if (processes.files !== undefined) return processes.files;
  throw new ReinsError("unsupported", "Reins cannot change the user's files here.", { agent: program.id });
}

interface Installed {
  readonly args: readonly string[];
  /** Seconds that an answer may take. */
  readonly wait: number;
  readonly doubt?: string | undefined;
  readonly unheard: string;
  readonly giveBack: () => void;
}

interface InstallOptions {
  readonly context: AgentContext;
  readonly cwd: string;
  readonly version: string | undefined;
  readonly folder: string;
  readonly wait: number;
}

const noneFired = "A tool has run and no hook of Reins has fired, so Reins was not asked about it:";

export function install(place: HooksPlace, options: InstallOptions): Promise<Installed> {
  return place === "plugin" ? installPlugin(options) : installInto(place, options);
}

const manifest = { name: "reins", version: "1.0.0", description: "Asks Reins about what is about to happen." };

async function installPlugin({ context, version, folder, wait }: InstallOptions): Promise<Installed> {
  if (!runsPlugins(version)) {
    const help = `Set ${placeVariable} to project or user, or update Cursor.`;
    throw cursorError("unsupported", "This version of Cursor runs no hooks of plugins.", help);
  }
  const shim = await writeShim(join(folder, "bin"), await shimPrograms(context));
  const plugin = join(folder, "plugin");
  await mkdir(join(plugin, ".cursor-plugin"), { recursive: true, mode: 0o700 });
  await mkdir(join(plugin, "hooks"), { mode: 0o700 });
  await writeFile(join(plugin, ".cursor-plugin", "plugin.json"), JSON.stringify(manifest), { mode: 0o600 });
  const hooks = withEntries(undefined, entriesFor(shim, version, wait));
  await writeFile(join(plugin, "hooks", "hooks.json"), hooks, { mode: 0o600 });
  const unheard = `${noneFired} this version of Cursor seems to run no hooks of plugins. Set ${placeVariable}=project.`;
  return { args: ["--plugin-dir", plugin], wait, unheard, giveBack: () => {} };
}

async function installInto(place: HooksScope, { context, cwd, version, wait }: InstallOptions): Promise<Installed> {
  const files = filesOf(context);
  const { env } = context;
  const shim = await writeShim(shimFolder(env), await shimPrograms(context));
  const spec = borrowing([place, cwd, env], entriesFor(shim, version, wait));
  const borrowed = await files.borrow(spec);
  const path = join(spec.root, spec.path);
  // Another session may have written the entries with a shorter time limit.
  const longest = Math.max(...timeoutsIn(borrowed.content, ours(env)));
  return {
    args: [],
    wait: Math.min(wait, Math.max(1, longest - longerSeconds)),
    unheard: `${noneFired} Cursor seems to ignore ${path}.`,
    doubt: doubtAbout(path, borrowed.content, version),
    giveBack: () => borrowed.giveBack(),
  };
}
