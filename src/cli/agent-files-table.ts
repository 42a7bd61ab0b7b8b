import type { AgentFileInfo } from "../core/agent-file-info.ts";
import { table } from "./table.ts";

/** The agents that are files, what each is made of, and what is wrong with it. */
export function agentFilesTable(files: readonly AgentFileInfo[]): string {
  if (files.length === 0) return "";
  const rows = files.map((file) => ({
    cells: [
      file.id,
      file.agent ?? "",
      file.model ?? "",
      file.mode ?? "",
      file.description ?? file.name ?? "",
      file.path,
    ],
    below: belowOf(file),
  }));
  return `\n${table(["agent file", "agent", "model", "mode", "what it is", "found"], rows)}`;
}

function belowOf({ problem, ignored = [] }: AgentFileInfo): string | undefined {
  const said = problem === undefined ? ignored : [problem];
  return said.length === 0 ? undefined : `→ ${said.join(" ")}`;
}
