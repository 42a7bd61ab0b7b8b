import { ToolProblem } from "../../shared/endings.ts";
import { changeFile, previewChange } from "../change-file.ts";
import type { Change } from "../change-file.ts";
import { placeOf, shown } from "../places.ts";
import { defineTool } from "./definition.ts";

interface Input {
  readonly path: string;
  readonly from: string;
  readonly to: string;
  readonly all: boolean;
}

export const edit = defineTool<Input>({
  name: "edit",
  tool: "edit",
  description: "Replace a text in a file. `from` must stand there exactly once, unless `all` is set.",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      from: { type: "string", description: "The text that is there, to the letter." },
      to: { type: "string" },
      all: { type: "boolean", description: "Replace it everywhere in the file." },
    },
    required: ["path", "from", "to"],
  },
  check: (input) => {
    const from = input.anyText("from");
    if (from === "") throw new ToolProblem("from must not be empty in the input of edit.");
    return { path: input.text("path"), from, to: input.anyText("to"), all: input.flag("all") };
  },
  about: ({ path }) => ({ path }),
  places: async (turn, { path }) => [await placeOf(turn, path)],
  inquiry: async (turn, input) => ({ diff: await previewChange(turn, input.path, replacing(input)) }),
  run: async (turn, input, running) => {
    await changeFile(turn, input.path, replacing(input), running);
    return { text: `${shown(turn, input.path)} is changed.` };
  },
});

function replacing({ path, from, to, all }: Input): Change {
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
