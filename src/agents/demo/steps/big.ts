import { ToolProblem } from "../../shared/endings.ts";
import type { Turn } from "../turn.ts";
import { useTool } from "../use-tool.ts";

const line = `${"0123456789".repeat(6)}abc\n`;

/** That many bytes of tool output in one piece, as a program's one long line would be. */
export async function big(turn: Turn, bytes: number): Promise<void> {
  const limit = turn.desk.context.limits.lineBytes;
  await useTool(turn, {
    name: "big",
    input: { bytes },
    run: async () => {
      if (bytes > limit) throw new ToolProblem(`More than ${limit} bytes at once is too much.`);
      return {
        output: line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes),
        note: `Made ${bytes} bytes of output`,
      };
    },
  });
}
