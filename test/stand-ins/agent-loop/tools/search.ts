/** Tools that search the workspace. */
import { glob, readFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { textOf } from "../fields.ts";
import type { LoopTool } from "../types.ts";

const passedOver = new Set([".git", "node_modules"]);

export const globTool: LoopTool = {
  name: "glob_file_search",
  description: "Find files by a pattern of their names.",
  required: ["pattern"],
  async run(input, { cwd }) {
    const files = await found(textOf(input["pattern"]), cwd);
    return { ok: true, text: files.join("\n") || "No files.", facts: { path: cwd, files } };
  },
};

export const grepTool: LoopTool = {
  name: "grep",
  description: "Find lines by a regular expression.",
  required: ["pattern"],
  optional: ["path"],
  async run(input, { cwd }) {
    const wanted = new RegExp(textOf(input["pattern"]));
    const root = resolve(cwd, textOf(input["path"]) || ".");
    const matches: { file: string; line: number; text: string }[] = [];
    const files = await found("**/*", root);
    for (const file of files.length === 0 ? [""] : files) {
      const content = await readFile(resolve(root, file), "utf8").catch(() => "");
      for (const [index, text] of content.split("\n").entries())
        if (wanted.test(text)) matches.push({ file: relative(cwd, resolve(root, file)), line: index + 1, text });
    }
    const text = matches.map((match) => `${match.file}:${match.line}:${match.text}`).join("\n") || "Nothing matches.";
    return { ok: true, text, facts: { path: root, matches } };
  },
};

async function found(pattern: string, cwd: string): Promise<string[]> {
  const files: string[] = [];
  const exclude = ({ name }: { readonly name: string }): boolean => passedOver.has(name);
  for await (const entry of glob(pattern, { cwd, withFileTypes: true, exclude }))
    if (entry.isFile()) files.push(relative(cwd, resolve(entry.parentPath, entry.name)));
  return files.sort();
}
