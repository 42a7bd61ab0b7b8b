/** Where a command is, looked up as the system would, without running anything. */
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";

export interface FoundCommand {
  readonly path: string;
  /** False: the file is there, but this user may not run it. */
  readonly executable: boolean;
}

/** A command with a slash is a path, from our own folder; any other is a name on the PATH of `env`. Undefined: not found. */
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

/** Every program of that name on the PATH, in its order: the first is the one that runs. Links to one program count once. */
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
  // Node does not start `.cmd` and `.bat` shims without a shell, and there is never a shell: only real programs count.
  const endings = windows && !/\.(exe|com)$/i.test(command) ? [".exe", ".com"] : [""];
  for (const folder of (env["PATH"] ?? env["Path"] ?? "").split(delimiter)) {
    // An empty entry would mean the current folder, where anybody may have put anything.
    if (folder === "") continue;
    for (const ending of endings) {
      const found = await look(resolve(join(folder, command + ending)));
      if (found !== undefined) yield found;
    }
  }
}

async function look(path: string): Promise<FoundCommand | undefined> {
  try {
    if (!(await stat(path)).isFile()) return undefined;
  } catch {
    return undefined;
  }
  return access(path, constants.X_OK).then(
    () => ({ path, executable: true }),
    () => ({ path, executable: false }),
  );
}
