import { changeFile, previewChange } from "../change-file.ts";
import type { StepOf } from "../grammar.ts";
import type { Turn } from "../turn.ts";
import { useTool } from "../use-tool.ts";
import { locate } from "../workspace.ts";

export async function write(turn: Turn, step: StepOf<"write">): Promise<void> {
  await useTool(turn, {
    name: "write",
    input: { path: step.path, text: step.text },
    held: true,
    locate: ({ path }) => locate(turn.desk.options, path),
    preview: ({ path, text }) => previewChange(turn, path, () => text),
    run: async ({ path, text }, callId) => {
      const op = await changeFile(turn, callId, path, () => text);
      return { output: op === "create" ? `${path} is new.` : `${path} was overwritten.`, note: `Wrote ${path}` };
    },
  });
}
