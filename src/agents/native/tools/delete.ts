import { lstat, unlink } from "node:fs/promises";
import { ToolProblem } from "../../shared/endings.ts";
import { previewChange, reportChange, textAt } from "../change-file.ts";
import { placeOf, shown, workPlace } from "../places.ts";
import { defineTool } from "./definition.ts";

/** A link is deleted itself, and what it leads to stays. */
const itself = { entry: true };

export const deleteFile = defineTool<{ readonly path: string }>({
  name: "delete",
  tool: "delete",
  description: "Delete a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  check: (input) => ({ path: input.text("path") }),
  about: ({ path }) => ({ path }),
  places: async (turn, { path }) => [await placeOf(turn, path, itself)],
  inquiry: async (turn, { path }) => ({ diff: await previewChange(turn, path, () => undefined) }),
  run: async (turn, { path }, running) => {
    const real = await workPlace(turn, path, running, itself);
    const found = await lstat(real).catch(() => undefined);
    if (found === undefined) throw new ToolProblem(`There is no file ${path}.`, "error", "ENOENT");
    if (found.isDirectory()) throw new ToolProblem(`${path} is a folder.`, "error", "EISDIR");
    const before = found.isFile() ? await textAt(real) : "missing";
    turn.signal.throwIfAborted();
    await unlink(real);
    const text = before === "missing" ? undefined : before.text;
    reportChange(turn, running, { path, op: "delete", before: text, after: undefined });
    return { text: `${shown(turn, path)} is deleted.` };
  },
});
