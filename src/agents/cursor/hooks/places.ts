/** Where hooks are put: into a plugin of ours, which touches no file of the person's, or into a hooks.json of theirs. */
import { homedir } from "node:os";
import { join } from "node:path";
import { ReinsError } from "../../../events/errors.ts";
import type { BorrowSpec } from "../../../process/types.ts";
import type { AgentContext } from "../../contract.ts";
import { variableOf } from "../../variable.ts";
import { program } from "../program.ts";
import { eventsFor, gates } from "./events.ts";
import { flawIn, withEntries, withoutEntries } from "./hooks-file.ts";
import type { HookEntry } from "./hooks-file.ts";
import { commandFor, shimName } from "./shim.ts";
import type { Shim } from "./shim.ts";

/** A file of the person's: that of a project, or the one for all their projects. */
export type FilePlace = "project" | "user";
export type HooksPlace = FilePlace | "plugin" | "off";

export const placeVariable: string = variableOf(program.id, "HOOKS");
const places: readonly string[] = ["project", "user", "plugin", "off"] satisfies readonly HooksPlace[];

/** Undefined where nobody says. */
export function placeIn(env: AgentContext["env"]): HooksPlace | undefined {
  const given = env[placeVariable]?.trim() ?? "";
  if (given === "") return undefined;
  if (places.includes(given)) return given as HooksPlace;
  throw new ReinsError("invalid_input", `${placeVariable} is ${JSON.stringify(given)}, where no hooks can be.`, {
    agent: program.id,
    help: `Set it to ${places.join(", ")}, or leave it out.`,
  });
}

/** Others have a moment; what waits for a person has a little more than Reins itself waits, so that it is Reins that says no. */
const usualSeconds = 10;
const longerSeconds = 5;

/** More than any person needs, and a timer can be set to it. */
const mostSeconds = 86_400;

/** How long an answer may take, in seconds. */
export function waitFor({ deadlines }: Pick<AgentContext, "deadlines">): number {
  return Math.min(Math.ceil(deadlines.permission / 1000), mostSeconds);
}

export function entriesFor(shim: Shim, version: string | undefined, waitSeconds: number): readonly HookEntry[] {
  return eventsFor(version).map((event) => {
    const command = commandFor(shim, event);
    if (!gates(event)) return { event, command, timeout: usualSeconds };
    return { event, command, timeout: waitSeconds + longerSeconds, failClosed: true };
  });
}

/** How long Reins may take with what is in a file that somebody else has written. */
export function waitIn(entries: readonly Pick<HookEntry, "timeout">[]): number {
  return Math.max(1, Math.max(...entries.map(({ timeout }) => timeout)) - longerSeconds);
}

export function pathOf(place: FilePlace, cwd: string, env: AgentContext["env"]): { root: string; path: string } {
  return { root: place === "project" ? cwd : env["HOME"] || homedir(), path: ".cursor/hooks.json" };
}

export interface HooksFile {
  readonly place: FilePlace;
  readonly cwd: string;
  readonly env: AgentContext["env"];
  /** Where our script lies. */
  readonly folder: string;
}

export function borrowing(file: HooksFile, entries: readonly HookEntry[]): BorrowSpec {
  const isOurs = ours(file.folder);
  const { root, path } = pathOf(file.place, file.cwd, file.env);
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

/** One sentence where Cursor may not run what is in a file: it may have been written for a newer one. */
export function doubtAbout(path: string, text: string, version: string | undefined): string | undefined {
  const flaw = flawIn(text, version);
  return flaw && `${path} has ${flaw}: Cursor may pass over the whole file, and the hooks of Reins with it.`;
}

/** Entries of a Reins with another home are that one's. */
export function ours(folder: string): (command: string) => boolean {
  const start = join(folder, shimName);
  return (command) => command.includes(start) || command.includes(JSON.stringify(start).slice(1, -1));
}
