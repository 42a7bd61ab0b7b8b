import { constants, copyFile, lstat, mkdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { ToolProblem } from "../../shared/endings.ts";
import { placeOf, shown, workPlace } from "../places.ts";
import { defineTool } from "./definition.ts";

const itself = { entry: true };

export const move = defineTool<{ readonly path: string; readonly to: string }>({
  name: "move",
  tool: "move",
  description: "Move or rename a file. Nothing is overwritten. Folders on the way are made.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, to: { type: "string" } },
    required: ["path", "to"],
  },
  check: (input) => ({ path: input.text("path"), to: input.text("to") }),
  about: ({ path, to }) => ({ path, to }),
  places: async (turn, { path, to }) => [await placeOf(turn, path, itself), await placeOf(turn, to, itself)],
  run: async (turn, { path, to }, running) => {
    const from = await workPlace(turn, path, running, itself);
    const target = await workPlace(turn, to, running, itself);
    turn.signal.throwIfAborted();
    await mkdir(dirname(target), { recursive: true });
    await moveFile(from, target, to);
    turn.close({
      type: "file.changed",
      path: shown(turn, to),
      op: "move",
      oldPath: shown(turn, path),
      callId: running.callId,
    });
    return { text: `${shown(turn, path)} is now ${shown(turn, to)}.` };
  },
});

/** A rename would overwrite without a word, so a copy that does not is made first. */
async function moveFile(from: string, target: string, asked: string): Promise<void> {
  if (!(await lstat(from)).isFile())
    throw new ToolProblem("Only a file can be moved; use the shell for anything else.");
  await copyFile(from, target, constants.COPYFILE_EXCL).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new ToolProblem(`${asked} is there already.`, "error", "EEXIST");
  });
  await unlink(from);
}
