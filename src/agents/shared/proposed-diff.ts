import { resolve } from "node:path";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Tool } from "../../events/tools.ts";
import { diffWith, fileAt, replaced } from "./file-before.ts";
import { filePath } from "./tool-call.ts";

/**
 * What an edit would do, for the person who is asked, with inputs as Claude Code and those after it name them. Undefined where there is
 * nothing to show: another tool, a file that is too large, an edit that does not fit.
 */
export function proposedDiff(tool: Tool, input: Wire, cwd: string): string | undefined {
  const path = filePath(input);
  if (path === undefined || (tool !== "write" && tool !== "edit")) return undefined;
  const before = fileAt(resolve(cwd, path));
  const { content, old_string: from, new_string: to, replace_all: all } = input;
  const after = tool === "write" ? content : replaced(before.text ?? "", from, to, all === true);
  return typeof after === "string" ? diffWith(before, after, cwd) : undefined;
}
