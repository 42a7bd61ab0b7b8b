/** `reins hooks`: what is in the files of the person's, and putting our hooks there until further notice. */
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ReinsError } from "../../../events/errors.ts";
import { currentFolder } from "../../../process/current-folder.ts";
import type { PersonsFiles } from "../../../process/types.ts";
import type { AgentContext } from "../../contract.ts";
import type { HooksInfo, HooksManagement, HooksScope } from "../../shared/hooks.ts";
import { findCursor } from "../binary.ts";
import { installedVersion } from "../installed-version.ts";
import { program } from "../program.ts";
import { commandsIn } from "./hooks-file.ts";
import { shimFolder } from "./install.ts";
import { borrowing, doubtAbout, entriesFor, ours, pathOf, waitFor } from "./places.ts";
import { shimPrograms } from "./programs.ts";
import { shimName, writeShim } from "./shim.ts";

const scopes = ["user", "project"] as const;

export function hooksManagement(context: AgentContext): HooksManagement {
  const { env } = context;
  const folder = shimFolder(env);
  const here = (at: { readonly cwd?: string | undefined } | undefined): string => at?.cwd ?? currentFolder();
  return {
    status: async (at) => {
      const version = await versionOf(context);
      return scopes.map((scope) => infoOf(context, scope, here(at), version));
    },
    install: async (scope, at) => {
      const version = await versionOf(context);
      const shim = await writeShim(folder, await shimPrograms(context));
      const file = { place: scope, cwd: here(at), env, folder };
      await filesOf(context).keep(borrowing(file, entriesFor(shim, version, waitFor(context))));
      return infoOf(context, scope, here(at), version);
    },
    remove: (scope, at) => {
      const files = filesOf(context);
      const spec = borrowing({ place: scope, cwd: here(at), env, folder }, []);
      files.discard(spec);
      return Promise.resolve(infoOf(context, scope, here(at)));
    },
  };
}

/** What a crash left in files that somebody changed since. */
export async function recoverHooks({ processes, env }: AgentContext): Promise<void> {
  const { retract } = borrowing({ place: "user", cwd: "/", env, folder: shimFolder(env) }, []);
  await processes.files?.recover(program.id, retract);
}

/** Where somebody wants our hooks to stay: in a plugin too, each would be asked twice. */
export function keptPlace(context: AgentContext, cwd: string): HooksScope | undefined {
  return scopes.find((scope) => {
    const { kept, state } = infoOf(context, scope, cwd);
    return kept && state === "installed";
  });
}

function filesOf({ processes }: AgentContext): PersonsFiles {
  if (processes.files !== undefined) return processes.files;
  throw new ReinsError("unsupported", "Files of the person's cannot be changed here.", { agent: program.id });
}

async function versionOf(context: AgentContext): Promise<string | undefined> {
  const { command } = await findCursor(context);
  return command && installedVersion(command, context);
}

function infoOf({ processes, env }: AgentContext, scope: HooksScope, cwd: string, version?: string): HooksInfo {
  const { root, path: below } = pathOf(scope, cwd, env);
  const path = join(root, below);
  const lent = processes.files?.list(program.id).find((one) => one.path === join(realpathSync(root), below));
  const about = { scope, path, kept: lent?.kept === true, sessions: lent?.sessions ?? 0 };
  const text = textOf(path);
  if (text === undefined) return { ...about, state: "absent", others: 0 };
  const commands = typeof text === "string" ? commandsIn(text) : undefined;
  if (commands === undefined)
    return { ...about, state: "broken", others: 0, detail: "It is no hooks file that Reins can read." };
  const isOurs = ours(shimFolder(env));
  const own = commands.filter(({ command }) => isOurs(command)).length;
  const foreign = commands.some(({ command }) => !isOurs(command) && command.includes(shimName));
  const detail = foreign ? "Hooks of a Reins with another home are in it." : doubtAbout(path, text ?? "", version);
  return { ...about, state: own > 0 ? "installed" : "not_installed", others: commands.length - own, detail };
}

/** Null: it is there and cannot be read. */
function textOf(path: string): string | null | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : null;
  }
}
