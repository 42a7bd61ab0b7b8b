/** Claude Code's tools: names for a filter, and the one whose input is a plan. */
import type { AcpCall, AcpTool } from "../../drivers/acp/index.ts";
import { record, text } from "../../drivers/acp/read.ts";
import type { Tool } from "../../events/tools.ts";

const nativeNames: Partial<Record<Tool, readonly string[]>> = {
  read: ["Read"],
  write: ["Write"],
  edit: ["Edit"],
  notebook: ["NotebookEdit"],
  shell: ["Bash"],
  glob: ["Glob"],
  grep: ["Grep"],
  web_fetch: ["WebFetch"],
  web_search: ["WebSearch"],
  task: ["Agent"],
  question: ["AskUserQuestion"],
  mcp: ["mcp__*"],
};

/** All that is left in mode `read`. */
export const lookingTools = ["Read", "Glob", "Grep", "WebFetch", "WebSearch", "AskUserQuestion", "TodoWrite"];
export const everyMcpTool = "mcp__*";

/** `shell(git *)` is `Bash(git *)` there; anything else is taken as its own spelling. */
export function namesOf(rules: readonly string[] = []): string[] {
  return rules.flatMap((rule) => {
    const [, name = "", part = ""] = /^([a-z_]+)(\(.*\))?$/s.exec(rule) ?? [];
    return nativeNames[name as Tool]?.map((native) => native + part) ?? [rule];
  });
}

/** It names its tools; only a plan needs to be told apart from a list of things to do. */
export function toolOfCall({ name, input }: AcpCall): Partial<AcpTool> | undefined {
  if (name === "ExitPlanMode") return { tool: "plan", input: { description: headline(text(record(input)["plan"])) } };
  return undefined;
}

/** The first line of a Markdown text that says something. */
function headline(markdown: string | undefined): string | undefined {
  return text(/^[#\s]*(\S.*)$/m.exec(markdown ?? "")?.[1]);
}
