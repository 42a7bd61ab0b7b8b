import type { AcpCall, AcpTool } from "../../protocols/acp/index.ts";
import { record, text } from "../../protocols/json.ts";
import type { Tool } from "../../events/tools.ts";
import { nativeNames } from "../shared/tool-filter.ts";
import { headline } from "../shared/tool-call.ts";

const toolNames: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ["Read", "read"],
  ["Write", "write"],
  ["Edit", "edit"],
  ["NotebookEdit", "notebook"],
  ["Bash", "shell"],
  ["Glob", "glob"],
  ["Grep", "grep"],
  ["WebFetch", "web_fetch"],
  ["WebSearch", "web_search"],
  ["Agent", "task"],
  ["AskUserQuestion", "question"],
]);

export const lookingTools = ["Read", "Glob", "Grep", "WebFetch", "WebSearch", "AskUserQuestion", "TodoWrite"];
export const everyMcpTool = "mcp__*";

export function namesOf(rules: readonly string[] = []): string[] {
  return rules.flatMap((rule) => nativeNames(rule, toolNames));
}

/** The adapter names its tools; only a plan must be distinguished from a to-do list. */
export function toolOfCall({ name, input }: AcpCall): Partial<AcpTool> | undefined {
  if (name !== "ExitPlanMode") return undefined;
  return { tool: "plan", input: { description: headline(text(record(input)["plan"])) } };
}
