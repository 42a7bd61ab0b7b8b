import { open } from "node:fs/promises";
import type { ToolOutput } from "../../../events/types.ts";
import type { StepOf } from "../grammar.ts";
import type { Turn } from "../turn.ts";
import { useTool } from "../use-tool.ts";
import { insidePath, locate } from "../workspace.ts";

export async function read(turn: Turn, step: StepOf<"read">): Promise<void> {
  const { context, options } = turn.desk;
  await useTool(turn, {
    name: "read",
    input: { path: step.path },
    held: true,
    locate: ({ path }) => locate(options, path),
    run: async ({ path }) => ({
      output: await readHead(await insidePath(options, path), context.limits.inlineBytes),
      note: `Read ${path}`,
    }),
  });
}

/** The beginning of a file of any size, cut between two characters. */
async function readHead(path: string, limit: number): Promise<ToolOutput> {
  await using file = await open(path);
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, limit)), 0, undefined, 0);
  const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: bytesRead < size });
  return { text, bytes: size, kept: Buffer.byteLength(text) };
}
