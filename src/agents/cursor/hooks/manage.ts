/** Implements `reins hooks`: the state of the user's hooks files, and permanent hooks of Reins in them. */
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { currentFolder } from "../../../process/launch/current-folder.ts";
import type { AgentContext } from "../../contract.ts";
import type { HooksInfo, HooksManagement, HooksScope } from "../../shared/hooks.ts";
import { findCursor, installedVersion, program } from "../program.ts";
import { commandsIn } from "./hooks-file.ts";
import { borrowing, doubtAbout, entriesFor, filesOf, ours, pathOf, shimFolder, waitFor } from "./install.ts";
import { shimName, shimPrograms, writeShim } from "./shim.ts";

const scopes = ["user", "project"] as const;

export function hooksManagement(context: AgentContext): HooksManagement {
  const { env } = context;
  const here = (at: { readonly cwd?: string | undefined } | undefined): string => at?.cwd ?? currentFolder();
  return {
    status: async (at) => {
      const version = await versionOf(context);
      return scopes.map((scope) => infoOf(context, scope, here(at), version));
    },
    install: async (scope, at) => {
      const version = await versionOf(context);
      const shim = await writeShim(shimFolder(env), await shimPrograms(context));
      await filesOf(context).keep(borrowing([scope, here(at), env], entriesFor(shim, version, waitFor(context))));
      return infoOf(context, scope, here(at), version);
    },
    remove: async (scope, at) => {
      filesOf(context).discard(borrowing([scope, here(at), env], []));
      return infoOf(context, scope, here(at));
    },
  };
}

/** Removes entries that a crash left in files that somebody changed since. */
export async function recoverHooks({ processes, env }: AgentContext): Promise<void> {
  const { retract } = borrowing(["user", "/", env], []);
  await processes.files?.recover(program.id, retract);
}

/** A file with permanent hooks. With a plugin as well, each hook would run twice. */
export function keptPlace(context: AgentContext, cwd: string): HooksScope | undefined {
  return scopes.find((scope) => {
    const { kept, state } = infoOf(context, scope, cwd);
    return kept && state === "installed";
  });
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
  const commands = text === null ? undefined : commandsIn(text);
  if (text === null || commands === undefined)
    return { ...about, state: "broken", others: 0, detail: "It is not a hooks file that Reins can read." };
  const isOurs = ours(env);
  const own = commands.filter(({ command }) => isOurs(command)).length;
  const foreign = commands.some(({ command }) => !isOurs(command) && command.includes(shimName));
  const detail = foreign
    ? "It contains hooks of another Reins, with another home folder."
    : doubtAbout(path, text, version);
  return { ...about, state: own > 0 ? "installed" : "not_installed", others: commands.length - own, detail };
}

/** Null when the file exists and cannot be read. */
function textOf(path: string): string | null | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : null;
  }
}
