import { open } from "node:fs/promises";
import { clipText } from "../../../events/clip.ts";
import { ToolProblem } from "../../shared/endings.ts";
import { placeOf, workPlace } from "../places.ts";
import { defineTool } from "./definition.ts";
import type { Done } from "./definition.ts";

interface Input {
  readonly path: string;
  /** The first line, from 1. */
  readonly line: number;
  readonly lines: number | undefined;
}

export const read = defineTool<Input>({
  name: "read",
  tool: "read",
  description: "Read a text file. A long one is cut; read on with `line`.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      line: { type: "integer", minimum: 1, description: "The first line to read; 1 unless given." },
      lines: { type: "integer", minimum: 1, description: "How many lines; as many as fit unless given." },
    },
    required: ["path"],
  },
  check: (input) => ({
    path: input.text("path"),
    line: input.optionalCount("line") ?? 1,
    lines: input.optionalCount("lines"),
  }),
  about: ({ path }) => ({ path }),
  places: async (turn, { path }) => [await placeOf(turn, path)],
  run: async (turn, input, running) => {
    const path = await workPlace(turn, input.path, running);
    return readLines(path, input, turn.desk.context.limits.inlineBytes);
  },
});

/** As many of the lines as fit, of a file of any size. */
async function readLines(path: string, { path: asked, line, lines }: Input, limit: number): Promise<Done> {
  await using file = await open(path);
  const found = await file.stat();
  if (found.isDirectory()) throw new ToolProblem(`${asked} is a folder.`, "error", "EISDIR");
  // A pipe or a device might never end.
  if (!found.isFile()) throw new ToolProblem(`${asked} is not a file.`);
  const last = lines === undefined ? Infinity : line + lines;
  let text = "";
  let at = 1;
  const decoder = new TextDecoder();
  for await (const chunk of file.createReadStream({ autoClose: false })) {
    const bytes = chunk as Buffer;
    if (at === 1 && bytes.includes(0)) throw new ToolProblem(`${asked} is not a text file.`);
    for (const piece of decoder.decode(bytes, { stream: true }).split(/(?<=\n)/)) {
      if (at >= line && at < last) text += piece;
      if (piece.endsWith("\n")) at++;
      if (at >= last || text.length > limit) break;
    }
    if (at >= last || text.length > limit) break;
  }
  const { text: fits, bytes } = clipText(text, limit);
  return { text: fits, bytes: bytes > limit ? found.size : bytes };
}
