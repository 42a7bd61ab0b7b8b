import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const png: Buffer = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** A folder with one attachment of each kind: an image, a short text, bytes, a long text, and a folder. */
export async function attachmentsFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "reins-test-"));
  await writeFile(join(folder, "a.png"), png);
  await writeFile(join(folder, "note.txt"), "hello\n");
  await writeFile(join(folder, "data.bin"), Buffer.from([1, 0, 2]));
  await writeFile(join(folder, "long.txt"), "x".repeat(300 * 1024));
  await mkdir(join(folder, "folder"));
  return folder;
}
