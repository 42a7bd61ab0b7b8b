/** The tools of this agent: the canonical ones by their canonical names, and which of them a conversation has. */
import { isNamed } from "./gate.ts";
import type { ToolDefinition } from "./tools/definition.ts";
import { deleteFile } from "./tools/delete.ts";
import { edit } from "./tools/edit.ts";
import { glob } from "./tools/glob.ts";
import { grep } from "./tools/grep.ts";
import { list } from "./tools/list.ts";
import { move } from "./tools/move.ts";
import { plan } from "./tools/plan.ts";
import { proposePlan } from "./tools/propose-plan.ts";
import { question } from "./tools/question.ts";
import { read } from "./tools/read.ts";
import { shell } from "./tools/shell.ts";
import { task } from "./tools/task.ts";
import { webFetch } from "./tools/web-fetch.ts";
import { write } from "./tools/write.ts";
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

/** A subagent works; it does not plan, ask or hand on. */
const notForSubagents: ReadonlySet<ToolDefinition> = new Set([plan, task, question, proposePlan]);

/** What the model is offered now. What a mode excludes is offered all the same: the mode may change, and a denial explains itself. */
export function toolsFor({ desk, filter, parent }: Pick<Turn, "desk" | "filter" | "parent">): ToolDefinition[] {
  const { disallowed } = filter;
  return desk.tools.filter((definition) => {
    if (disallowed !== undefined && isNamed(disallowed, { ...definition, nativeName: definition.name })) return false;
    if (parent !== undefined && notForSubagents.has(definition)) return false;
    return definition !== proposePlan || desk.mode === "plan";
  });
}
