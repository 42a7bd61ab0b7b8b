/** Where a command is, looked up as the system would, without running anything. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
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
  if (command === "") return undefined;
  const windows = process.platform === "win32";
  if (command.includes("/") || (windows && command.includes("\\"))) return look(resolve(command));
  // Node does not start `.cmd` and `.bat` shims without a shell, and there is never a shell: only real programs count.
  const endings = windows && !/\.(exe|com)$/i.test(command) ? [".exe", ".com"] : [""];
  let unusable: FoundCommand | undefined;
  for (const folder of (env["PATH"] ?? env["Path"] ?? "").split(delimiter)) {
    // An empty entry would mean the current folder, where anybody may have put anything.
    if (folder === "") continue;
    for (const ending of endings) {
      const found = await look(resolve(join(folder, command + ending)));
      if (found?.executable) return found;
      unusable ??= found;
    }
  }
  return unusable;
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
