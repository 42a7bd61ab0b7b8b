import { readdir } from "node:fs/promises";
import { placeOf, workPlace } from "../places.ts";
import { clipText } from "../../../events/clip.ts";
import { defineTool } from "./definition.ts";

export const list = defineTool<{ readonly path: string }>({
  name: "list",
  tool: "list",
  description: "List a folder. Folders end in a slash.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", description: "The working folder unless given." } },
  },
  check: (input) => ({ path: input.optionalText("path") ?? "." }),
  about: ({ path }) => ({ path }),
  places: async (turn, { path }) => [await placeOf(turn, path)],
  run: async (turn, { path }, running) => {
    const entries = await readdir(await workPlace(turn, path, running), { withFileTypes: true });
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
    return clipText(names.length === 0 ? "It is empty." : names.join("\n"), turn.desk.context.limits.inlineBytes);
  },
});
