/**
 * The text of a skill: the project's file if there is one, otherwise the built-in text. The file came with the
 * repository, so its content is untrusted.
 */
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { printable } from "../../events/printable.ts";
import { repositorySkills, type RepositorySkill } from "../../view/repository-skills.ts";
import type { SkillSource } from "../../view/repository-actions.ts";
import { pathRules, relativeTo } from "../../workspace/paths.ts";
import { realPath } from "../../workspace/real-paths.ts";

const mostBytes = 32_000;
const cutNote = "\n\n(The rest of this file is left out: it is too long.)";

const { O_RDONLY, O_NONBLOCK } = constants;
/** Windows has no O_NOFOLLOW. */
const O_NOFOLLOW = (constants as { readonly O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;

interface Skill {
  readonly text: string;
  readonly source: SkillSource;
  readonly notes: readonly string[];
}

/** `top` is the root of the repository. A file in `cwd` takes precedence. */
export async function readSkill(cwd: string, top: string, skill: RepositorySkill): Promise<Skill> {
  const notes: string[] = [];
  const folders = [...new Set([realPath(cwd), realPath(top)])];
  for (const place of [".reins", ".cursor"])
    for (const folder of folders) {
      const file = join(folder, place, "skills", skill, "SKILL.md");
      const path = wayTo(realPath(top), file)?.join("/") ?? file;
      try {
        const text = await textOf(file, realPath(top));
        if (text === undefined) continue;
        if (text !== "") return { text, source: { from: "project", path }, notes };
        notes.push(`${path} has no text and is not used.`);
      } catch (thrown) {
        notes.push(`${path} is not used: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
      }
    }
  return { text: repositorySkills[skill], source: { from: "built-in" }, notes: notes.map(printable) };
}

/** Undefined when there is no file. Throws the reason when the file cannot be used. */
async function textOf(file: string, top: string): Promise<string | undefined> {
  const real = realPath(file);
  const way = wayTo(top, real);
  if (way === undefined || way[0] === ".git") throw new Error("it points outside the repository.");
  // O_NONBLOCK: a pipe would wait for a writer. O_NOFOLLOW: do not follow a symlink created in the meantime.
  const opened = await open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch((thrown: unknown) => {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new Error(`it cannot be read (${code}).`);
  });
  if (opened === undefined) return undefined;
  try {
    if (!(await opened.stat()).isFile()) throw new Error("it is not a file.");
    const { text, cut } = await beginningOf(opened);
    return printable(withoutFrontMatter(text)).trim() + (cut ? cutNote : "");
  } finally {
    await opened.close();
  }
}

async function beginningOf(file: FileHandle): Promise<{ readonly text: string; readonly cut: boolean }> {
  const bytes = Buffer.alloc(mostBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = (await file.read(bytes, length, bytes.length - length, length)).bytesRead;
  const cut = length > mostBytes;
  // Cut between characters: a streaming decoder holds back an incomplete one at the end.
  const text = new TextDecoder().decode(bytes.subarray(0, Math.min(length, mostBytes)), { stream: cut });
  return { text, cut };
}

function withoutFrontMatter(text: string): string {
  const lines = text.split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return text;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  return end === -1 ? text : lines.slice(end + 1).join("\n");
}

/** The path from a folder to a file in it, as parts. Undefined when the file is elsewhere. */
function wayTo(folder: string, file: string): readonly string[] | undefined {
  return relativeTo(folder, file, pathRules())?.split(/[\\/]/);
}
