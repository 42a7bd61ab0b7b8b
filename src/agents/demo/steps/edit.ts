import { changeFile, previewChange } from "../change-file.ts";
import type { Change } from "../change-file.ts";
import { ToolProblem } from "../../shared/endings.ts";
import type { StepOf } from "../grammar.ts";
import type { Inputs } from "../tools.ts";
import type { Turn } from "../turn.ts";
import { useTool } from "../use-tool.ts";
import { locate } from "../workspace.ts";

export async function edit(turn: Turn, step: StepOf<"edit">): Promise<void> {
  await useTool(turn, {
    name: "edit",
    input: { path: step.path, from: step.from, to: step.to },
    held: true,
    locate: ({ path }) => locate(turn.desk.options, path),
    preview: (input) => previewChange(turn, input.path, replaceFirst(input)),
    run: async (input, callId) => {
      await changeFile(turn, callId, input.path, replaceFirst(input));
      return { output: `${input.path} was changed.`, note: `Edited ${input.path}` };
    },
  });
}

function replaceFirst({ path, from, to }: Inputs["edit"]): Change {
  return (before) => {
    if (before === undefined) throw new ToolProblem(`There is no file ${path}.`, "error", "ENOENT");
    if (!before.includes(from)) throw new ToolProblem(`${path} does not contain “${from}”.`);
    // A function, because a text to put in has no meaning of its own for $.
    return before.replace(from, () => to);
  };
}
