import { constants, copyFile, lstat, mkdir, readdir, unlink, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { clipText } from "../../../events/clip.ts";
import { changeFile, previewChange, reportChange, textAt, type Change } from "../../shared/in-process/located-files.ts";
import { ToolProblem } from "../../shared/in-process/stop-turn.ts";
import type { Done } from "../../shared/in-process/tool-call.ts";
import { anyText, count, defineTool, flag, optional, text } from "./definition.ts";

/** Moves or deletes a link itself; the file it leads to stays. */
const itself = { entryItself: true };

export const read = defineTool({
  tool: "read",
  description: "Read a text file. A long one is cut; read on with `line`.",
  input: {
    path: text(),
    line: optional(count("The first line to read; 1 unless given."), 1),
    lines: optional(count("How many lines; as many as fit unless given."), undefined),
  },
  locate: (files, { path }) => [files.locate(path)],
  run: async (turn, input, running) => {
    const { files, host } = turn.context;
    await using file = await files.open(input.path, running.allowed);
    return await readLines(file, input, host.limits.inlineBytes);
  },
});

interface Lines {
  readonly path: string;
  readonly line: number;
  readonly lines: number | undefined;
}

async function readLines(file: FileHandle, { path, line, lines }: Lines, limit: number): Promise<Done> {
  const found = await file.stat();
  if (found.isDirectory()) throw new ToolProblem(`${path} is a folder.`, "error", "EISDIR");
  if (!found.isFile()) throw new ToolProblem(`${path} is not a file.`);
  const last = lines === undefined ? Infinity : line + lines;
  let wanted = "";
  let at = 1;
  const decoder = new TextDecoder();
  for await (const chunk of file.createReadStream({ autoClose: false })) {
    const bytes = chunk as Buffer;
    if (at === 1 && bytes.includes(0)) throw new ToolProblem(`${path} is not a text file.`);
    for (const piece of decoder.decode(bytes, { stream: true }).split(/(?<=\n)/)) {
      if (at >= line && at < last) wanted += piece;
      if (piece.endsWith("\n")) at++;
      if (at >= last || wanted.length > limit) break;
    }
    if (at >= last || wanted.length > limit) break;
  }
  const clipped = clipText(wanted, limit);
  return { text: clipped.text, bytes: clipped.bytes > limit ? found.size : clipped.bytes };
}

export const list = defineTool({
  tool: "list",
  description: "List a folder. Folders end in a slash.",
  input: { path: optional(text("The working folder unless given."), ".") },
  locate: (files, { path }) => [files.locate(path)],
  run: async (turn, { path }, running) => {
    const { files, host } = turn.context;
    const entries = await readdir(files.path(path, running.allowed), { withFileTypes: true });
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    return clipText(names.length === 0 ? "It is empty." : names.join("\n"), host.limits.inlineBytes);
  },
});

export const write = defineTool({
  tool: "write",
  description: "Write a whole file. Folders on the way are made. To change a part of a file, use edit.",
  input: { path: text(), content: anyText() },
  locate: (files, { path }) => [files.locate(path)],
  inquiry: async (turn, { path, content }) => ({ diff: await previewChange(turn, path, () => content) }),
  run: async (turn, { path, content }, running) => {
    const op = await changeFile(turn, running, path, () => content);
    return { text: `${turn.context.files.shown(path)} is written${op === "create" ? ", and new" : ""}.` };
  },
});

export const edit = defineTool({
  tool: "edit",
  description: "Replace a text in a file. `from` must stand there exactly once, unless `all` is set.",
  input: {
    path: text(),
    from: text("The text that is there, to the letter.", { exact: true }),
    to: anyText(),
    all: flag("Replace it everywhere in the file."),
  },
  locate: (files, { path }) => [files.locate(path)],
  inquiry: async (turn, input) => ({ diff: await previewChange(turn, input.path, replacing(input)) }),
  run: async (turn, input, running) => {
    await changeFile(turn, running, input.path, replacing(input));
    return { text: `${turn.context.files.shown(input.path)} is changed.` };
  },
});

interface Replacement {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

function replacing({ path, from, to, all }: Replacement): Change {
  return (before) => {
    if (before === undefined) throw new ToolProblem(`There is no file ${path}.`, "error", "ENOENT");
    const parts = before.split(from);
    if (parts.length === 1) throw new ToolProblem(`${path} does not contain that text.`);
    if (parts.length > 2 && !all)
      throw new ToolProblem(
        `${path} contains that text ${parts.length - 1} times; give more of what is around it, or set all.`,
      );
    return parts.join(to);
  };
}

export const move = defineTool({
  tool: "move",
  description: "Move or rename a file. Nothing is overwritten. Folders on the way are made.",
  input: { path: text(), to: text() },
  locate: (files, { path, to }) => [files.locate(path, itself), files.locate(to, itself)],
  run: async (turn, { path, to }, { callId, allowed }) => {
    const { files } = turn.context;
    const from = files.path(path, allowed, itself);
    const target = files.path(to, allowed, itself);
    turn.signal.throwIfAborted();
    await mkdir(dirname(target), { recursive: true });
    await moveFile(from, target, to);
    const [oldPath, newPath] = [files.shown(path), files.shown(to)];
    turn.close({ type: "file.changed", path: newPath, op: "move", oldPath, callId });
    return { text: `${oldPath} is now ${newPath}.` };
  },
});

/** A rename would overwrite the target, so the file is copied first. */
async function moveFile(from: string, target: string, asked: string): Promise<void> {
  if (!(await lstat(from)).isFile())
    throw new ToolProblem("Only a file can be moved; use the shell for anything else.");
  await copyFile(from, target, constants.COPYFILE_EXCL).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new ToolProblem(`${asked} is there already.`, "error", "EEXIST");
  });
  await unlink(from);
}

export const deleteFile = defineTool({
  tool: "delete",
  description: "Delete a file.",
  input: { path: text() },
  locate: (files, { path }) => [files.locate(path, itself)],
  inquiry: async (turn, { path }) => ({ diff: await previewChange(turn, path, () => undefined) }),
  run: async (turn, { path }, running) => {
    const real = turn.context.files.path(path, running.allowed, itself);
    const found = await lstat(real).catch(() => undefined);
    if (found === undefined) throw new ToolProblem(`There is no file ${path}.`, "error", "ENOENT");
    if (found.isDirectory()) throw new ToolProblem(`${path} is a folder.`, "error", "EISDIR");
    const content = found.isFile() ? await textAt(real) : "missing";
    turn.signal.throwIfAborted();
    await unlink(real);
    const before = content === "missing" ? undefined : content.text;
    reportChange(turn, running, { path, op: "delete", before, after: undefined });
    return { text: `${turn.context.files.shown(path)} is deleted.` };
  },
});
