/** Files only one agent may read, such as instructions and keys: in a folder of their own that goes when the session goes. */
import { lstat, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Another container may share the folder and have pids of its own. The agent reads its files when it starts; after this it has. */
const readMs = 120_000;

export class PrivateFiles {
  readonly #agent: string;
  readonly #parent: string;
  #folder: Promise<string> | undefined;

  /** The agent's id becomes a part of the folder's name. */
  constructor(agent: string, parent: string = tmpdir()) {
    this.#agent = agent;
    this.#parent = parent;
  }

  /** Writes it and gives its path. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    // mkdtemp makes it for this user alone. The owner's pid is in its name, so that what a crash left can be told from what is in use.
    this.#folder ??= mkdtemp(join(this.#parent, `reins-${this.#agent}-${process.pid}-`));
    const path = join(await this.#folder, name);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  }

  /** As well as it can: what stays is removed with what dead owners left. */
  async remove(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Removes the folders of owners that are gone. */
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
