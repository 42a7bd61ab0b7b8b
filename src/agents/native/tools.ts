/** The tools of this agent, by their canonical names, and which of them a conversation has. */
import { isNamed } from "../shared/in-process/tool-call.ts";
import { shell, task } from "./tools/commands.ts";
import type { ToolDefinition } from "./tools/definition.ts";
import { deleteFile, edit, list, move, read, write } from "./tools/files.ts";
import { plan, proposePlan, question } from "./tools/person.ts";
import { glob, grep } from "./tools/search.ts";
import { webFetch } from "./tools/web.ts";
import type { Turn } from "./turn.ts";

export const ownTools: readonly ToolDefinition[] = [
  read,
  list,
  glob,
  grep,
  write,
  edit,
  move,
  deleteFile,
  shell,
  webFetch,
  plan,
  task,
  question,
  proposePlan,
];

/** A subagent only works; it does not plan, ask or start subagents. */
const notForSubagents: ReadonlySet<ToolDefinition> = new Set([plan, task, question, proposePlan]);

/**
 * The tools that the model is offered now. Includes those that the mode excludes, because the mode may change and a
 * denial explains itself.
 */
export function toolsFor({
  context,
  filter,
  parent,
}: Pick<Turn, "context" | "filter" | "parent">): readonly ToolDefinition[] {
  return context.tools.filter((definition) => {
    if (isNamed(filter.disallowed, { ...definition, nativeName: definition.name })) return false;
    if (parent !== undefined && notForSubagents.has(definition)) return false;
    return definition !== proposePlan || context.mode === "plan";
  });
}
