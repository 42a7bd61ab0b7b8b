/** Private files for one agent, such as instructions and keys, in a folder that is removed with the session. */
import { lstat, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Younger folders are kept: a container that shares the folder has other pids. After this time the agent has read its files. */
const readMs = 120_000;

export class PrivateFiles {
  readonly #agent: string;
  readonly #parent: string;
  #folder: Promise<string> | undefined;

  constructor(agent: string, parent: string = tmpdir()) {
    this.#agent = agent;
    this.#parent = parent;
  }

  async write(name: string, content: string | Uint8Array): Promise<string> {
    // mkdtemp makes the folder readable for this user only. The pid in its name tells a folder in use from one that a crash left.
    this.#folder ??= mkdtemp(join(this.#parent, `reins-${this.#agent}-${process.pid}-`));
    const path = join(await this.#folder, name);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  }

  /** Does not throw: a folder that cannot be removed now is removed later, like one of a dead process. */
  async remove(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

export async function removeAbandonedFiles(agent: string, parent: string = tmpdir()): Promise<void> {
  const start = `reins-${agent}-`;
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = name.startsWith(start) ? /^(\d+)-/.exec(name.slice(start.length))?.[1] : undefined;
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(parent, name);
    const found = await lstat(folder).catch(() => undefined);
    if (found === undefined || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < readMs) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
