/** The tools of its model: none that changes anything in ask and plan mode. */
import {
  deleteFileTool,
  editFileTool,
  globTool,
  grepTool,
  imageTool,
  listDirTool,
  planTool,
  questionTool,
  readFileTool,
  todoTool,
  webFetchTool,
  webSearchTool,
  writeFileTool,
  type LoopTool,
} from "../agent-loop/index.ts";
import type { Seat } from "./seat.ts";

const looking = [readFileTool, grepTool, globTool, listDirTool, webFetchTool, webSearchTool, todoTool, questionTool];

export function toolsOf({ mode, mcp, terminal }: Seat): LoopTool[] {
  if (mode === "ask") return [...looking, mcp.tool];
  if (mode === "plan") return [...looking, mcp.tool, planTool];
  return [...looking, mcp.tool, writeFileTool, editFileTool, deleteFileTool, terminal.tool, imageTool];
}
