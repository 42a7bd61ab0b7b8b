import { changeFile, previewChange } from "../change-file.ts";
import { placeOf, shown } from "../places.ts";
import { defineTool } from "./definition.ts";

export const write = defineTool<{ readonly path: string; readonly content: string }>({
  name: "write",
  tool: "write",
  description: "Write a whole file. Folders on the way are made. To change a part of a file, use edit.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
  },
  check: (input) => ({ path: input.text("path"), content: input.anyText("content") }),
  about: ({ path }) => ({ path }),
  places: async (turn, { path }) => [await placeOf(turn, path)],
  inquiry: async (turn, { path, content }) => ({ diff: await previewChange(turn, path, () => content) }),
  run: async (turn, { path, content }, running) => {
    const op = await changeFile(turn, path, () => content, running);
    return { text: op === "create" ? `${shown(turn, path)} is written, and new.` : `${shown(turn, path)} is written.` };
  },
});
