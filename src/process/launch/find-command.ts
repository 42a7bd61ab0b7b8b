/** Finds a command as the system would, without running anything. */
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";

export interface FoundCommand {
  readonly path: string;
  /** False: this user may not run the file. */
  readonly executable: boolean;
}

/** A command with a slash is a path relative to the current folder; any other is a name on the PATH of `env`. */
export async function findCommand(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<FoundCommand | undefined> {
  let unusable: FoundCommand | undefined;
  for await (const found of candidates(command, env)) {
    if (found.executable) return found;
    unusable ??= found;
  }
  return unusable;
}

/** Returns every program of that name on PATH, in order. Links to one program count once. */
export async function findCommands(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const programs = new Map<string, string>();
  for await (const { path, executable } of candidates(command, env)) {
    const program = await realpath(path).catch(() => path);
    if (executable && !programs.has(program)) programs.set(program, path);
  }
  return [...programs.values()];
}

async function* candidates(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
): AsyncGenerator<FoundCommand> {
  if (command === "") return;
  const windows = process.platform === "win32";
  if (command.includes("/") || (windows && command.includes("\\"))) {
    const found = await look(resolve(command));
    if (found !== undefined) yield found;
    return;
  }
  // Node starts `.cmd` and `.bat` files only with a shell, which Reins never uses.
  const endings = windows && !/\.(exe|com)$/i.test(command) ? [".exe", ".com"] : [""];
  for (const folder of (env["PATH"] ?? env["Path"] ?? "").split(delimiter)) {
    // An empty entry means the current folder, which is not safe.
    if (folder === "") continue;
    for (const ending of endings) {
      const found = await look(resolve(join(folder, command + ending)));
      if (found !== undefined) yield found;
    }
  }
}

async function look(path: string): Promise<FoundCommand | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() !== true) return undefined;
  return access(path, constants.X_OK).then(
    () => ({ path, executable: true }),
    () => ({ path, executable: false }),
  );
}
