/** Tools that read and change files of the workspace. */
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { textOf } from "../fields.ts";
import type { LoopTool, ToolResult } from "../types.ts";

export const readFileTool: LoopTool = {
  name: "read_file",
  description: "Read a file.",
  required: ["path"],
  async run(input, { cwd }) {
    const path = resolve(cwd, textOf(input["path"]));
    const content = await readFile(path, "utf8").catch(() => undefined);
    if (content === undefined) return failed(`File not found: ${path}`, { path });
    return { ok: true, text: content, facts: { path, content } };
  },
};

export const writeFileTool: LoopTool = {
  name: "write_file",
  description: "Write a whole file.",
  required: ["path", "text"],
  async run(input, { cwd }) {
    return change(resolve(cwd, textOf(input["path"])), () => textOf(input["text"]));
  },
};

export const editFileTool: LoopTool = {
  name: "edit_file",
  description: "Put a new text in the place of an old one; without an old one the file is written whole.",
  required: ["path", "new"],
  optional: ["old"],
  async run(input, { cwd }) {
    const path = resolve(cwd, textOf(input["path"]));
    const old = textOf(input["old"]);
    return change(path, (before) => {
      if (old === "") return textOf(input["new"]);
      return before?.includes(old) === true ? before.replace(old, () => textOf(input["new"])) : undefined;
    });
  },
};

export const deleteFileTool: LoopTool = {
  name: "delete_file",
  description: "Delete a file.",
  required: ["path"],
  async run(input, { cwd }) {
    const path = resolve(cwd, textOf(input["path"]));
    const before = await readFile(path, "utf8").catch(() => undefined);
    if (before === undefined) return failed(`File not found: ${path}`, { path });
    await rm(path);
    return { ok: true, text: `Deleted ${path}.`, facts: { path, before, size: Buffer.byteLength(before) } };
  },
};

export const listDirTool: LoopTool = {
  name: "list_dir",
  description: "List a folder.",
  required: ["path"],
  async run(input, { cwd }) {
    const path = resolve(cwd, textOf(input["path"]));
    if (!(await isFolder(path))) return failed(`No such folder: ${path}`, { path });
    const entries = await readdir(path, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const files = entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    const lines = [...folders.map((name) => `${name}/`), ...files];
    return { ok: true, text: lines.join("\n"), facts: { path, folders, files } };
  },
};

async function change(path: string, changed: (before: string | undefined) => string | undefined): Promise<ToolResult> {
  const before = await readFile(path, "utf8").catch(() => undefined);
  const after = changed(before);
  if (after === undefined) return failed(`The text to replace is not in ${path}.`, { path });
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, after);
  return { ok: true, text: `Wrote ${path}.`, facts: { path, before, after } };
}

const failed = (text: string, facts: object): ToolResult => ({ ok: false, text, facts: { ...facts } });

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
