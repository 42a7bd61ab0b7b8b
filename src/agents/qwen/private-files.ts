/** Files only the agent may read, such as MCP servers with their keys: in a folder of their own that goes when the session goes. */
import { lstat, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The owner's pid is in the name, so that what a crash left can be told from what is in use. */
const folderName = /^reins-qwen-(\d+)-/;
/** Another container may share the folder and have pids of its own. The agent reads its files when it starts; after this it has. */
const readMs = 120_000;

export class PrivateFiles {
  readonly #parent: string;
  #folder: Promise<string> | undefined;

  constructor(parent: string = tmpdir()) {
    this.#parent = parent;
  }

  /** Writes it and gives its path. */
  async write(name: string, content: string | Buffer): Promise<string> {
    // mkdtemp makes it for this user alone.
    this.#folder ??= mkdtemp(join(this.#parent, `reins-qwen-${process.pid}-`));
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
export async function removeAbandonedFiles(parent: string = tmpdir()): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = folderName.exec(name)?.[1];
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
