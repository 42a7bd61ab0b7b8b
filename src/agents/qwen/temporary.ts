/** The program's own folder for files of a moment: what lies there may be mentioned in a prompt, though it is outside of the workspace. */
import { mkdir } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** By where it writes a conversation down: `<there>/projects/<project>/chats/<id>.jsonl`. */
export async function temporaryBeside(transcript: string): Promise<string> {
  const folder = join(dirname(dirname(dirname(dirname(transcript)))), "tmp");
  try {
    await mkdir(folder);
  } catch (error) {
    // Where the program has no folder at all it is a recording of one, and nobody will look.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") return tmpdir();
  }
  return folder;
}

/** Where it usually is. */
export function usualTemporary(env: Readonly<Record<string, string | undefined>>): string {
  return join(env["QWEN_RUNTIME_DIR"] || homeOf(env), "tmp");
}

/** Where its settings lie, and its conversations unless they were sent elsewhere. */
export function homeOf(env: Readonly<Record<string, string | undefined>>): string {
  return env["QWEN_HOME"] || join(env["HOME"] || homedir(), ".qwen");
}
