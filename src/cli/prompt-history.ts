/** Prompts of earlier sessions in a file, one JSON string a line, the last ones only. */
import { appendFile, readFile, rename, rm, writeFile } from "node:fs/promises";

const mostPrompts = 1_000;
/** A prompt may hold what a person would not want kept; a very long one is not kept at all. */
const longestPrompt = 20_000;
/** The file is shortened when it has twice as many lines, or more characters than this, so that most starts only read it. */
const mostChars = 4_000_000;

/** The oldest first. Shortens a file that has grown too long. */
export async function loadPrompts(file: string): Promise<readonly string[]> {
  const text = await readFile(file, "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  const kept = lastLines(lines);
  if (lines.length > 2 * mostPrompts || text.length > mostChars) await replace(file, kept);
  return kept.flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "string" ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** As many as are kept, and no more than half of the characters that the file may have. */
function lastLines(lines: readonly string[]): readonly string[] {
  const last = lines.slice(-mostPrompts);
  let chars = 0;
  const first = last.findLastIndex((line) => (chars += line.length + 1) > mostChars / 2);
  return last.slice(first + 1);
}

/** Another process reads either the old file or the new one, never half of one. */
async function replace(file: string, lines: readonly string[]): Promise<void> {
  const made = `${file}.${process.pid}`;
  try {
    await writeFile(made, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
    await rename(made, file);
  } catch {
    await rm(made, { force: true });
  }
}

export async function addPrompt(file: string, text: string): Promise<void> {
  if (text.length > longestPrompt) return;
  await appendFile(file, `${JSON.stringify(text)}\n`, { mode: 0o600 }).catch(() => undefined);
}
