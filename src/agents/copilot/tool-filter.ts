/** Tools by name, as arguments: Copilot takes them when it starts, and its rules that deny outrank everything else. */
import type { Tool } from "../../events/tools.ts";
import type { ToolFilter } from "../contract.ts";
import { toolNames } from "./tools.ts";

/** How its own rules call what a canonical tool does. */
const ruleNames: Partial<Record<Tool, string>> = {
  shell: "shell",
  write: "write",
  edit: "write",
  delete: "write",
  move: "write",
  web_fetch: "url",
};

/** All that is left in mode `read`: the model does not see the others. */
export const lookingTools = ["view", "grep", "glob", "web_fetch", "web_search"];

export function filterArguments({ allowed = [], disallowed = [] }: ToolFilter): string[] {
  return [
    ...allowed.map((rule) => `--allow-tool=${ruleOf(rule)}`),
    // A rule with a part in parentheses is about some calls; without, the tool itself goes.
    ...disallowed.flatMap((rule) => namesOf(rule).map((name) => `--excluded-tools=${name}`)),
    ...disallowed.filter((rule) => namesOf(rule).length === 0).map((rule) => `--deny-tool=${ruleOf(rule)}`),
  ];
}

/** `shell(git *)` is `shell(git:*)` there. */
function ruleOf(rule: string): string {
  const [, name = "", , part] = /^([a-z_]+)(\((.*)\))?$/s.exec(rule) ?? [];
  const own = ruleNames[name as Tool];
  if (own === undefined) return rule;
  return part === undefined ? own : `${own}(${own === "shell" ? part.replace(/ \*$/, ":*") : part})`;
}

function namesOf(rule: string): string[] {
  return [...toolNames].filter(([name, tool]) => tool === rule || name === rule).map(([name]) => name);
}
