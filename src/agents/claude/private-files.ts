/** Files only the agent may read, such as MCP servers with their keys: in a folder of their own that goes when the session goes. */
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The owner's pid is in the name, so that what a crash left can be told from what is in use. */
const folderName = /^reins-claude-(\d+)-/;

export class PrivateFiles {
  readonly #parent: string;
  #folder: Promise<string> | undefined;

  constructor(parent: string = tmpdir()) {
    this.#parent = parent;
  }

  /** Writes it and gives its path. */
  async write(name: string, content: string): Promise<string> {
    // mkdtemp makes it for this user alone.
    this.#folder ??= mkdtemp(join(this.#parent, `reins-claude-${process.pid}-`));
    const path = join(await this.#folder, name);
    await writeFile(path, content, { mode: 0o600 });
    return path;
  }

  async remove(): Promise<void> {
    if (this.#folder !== undefined) await rm(await this.#folder, { recursive: true, force: true });
  }
}

/** Removes the folders of owners that are gone. */
export async function removeAbandonedFiles(parent: string = tmpdir()): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = folderName.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = join(parent, name);
    const owner = await stat(folder).catch(() => undefined);
    if (owner !== undefined && owner.uid === process.getuid?.()) await rm(folder, { recursive: true, force: true });
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
