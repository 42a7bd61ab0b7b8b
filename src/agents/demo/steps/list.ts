import { readdir } from "node:fs/promises";
import type { Turn } from "../turn.ts";
import { useTool } from "../use-tool.ts";

export async function list(turn: Turn): Promise<void> {
  const { cwd } = turn.desk.options;
  await useTool(turn, {
    name: "list",
    input: {},
    held: true,
    run: async () => {
      const entries = await readdir(cwd, { withFileTypes: true });
      const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
      return { output: names.join("\n"), note: `Listed ${names.length} ${names.length === 1 ? "entry" : "entries"}` };
    },
  });
}
