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

interface Offer {
  readonly disallowed: readonly string[] | undefined;
  readonly subagent: boolean;
  readonly planning: boolean;
  readonly tools: readonly ToolDefinition[];
}

/** The last of each session: a request mostly offers what the one before it did, and what is made of it stays the same too. */
const lastOffers = new WeakMap<readonly ToolDefinition[], Offer>();

/** What the model is offered now. What a mode excludes is offered all the same: the mode may change, and a denial explains itself. */
export function toolsFor({
  desk,
  filter,
  parent,
}: Pick<Turn, "desk" | "filter" | "parent">): readonly ToolDefinition[] {
  const { disallowed } = filter;
  const [subagent, planning] = [parent !== undefined, desk.mode === "plan"];
  const last = lastOffers.get(desk.tools);
  if (last?.disallowed === disallowed && last?.subagent === subagent && last.planning === planning) return last.tools;
  const tools = desk.tools.filter((definition) => {
    if (disallowed !== undefined && isNamed(disallowed, { ...definition, nativeName: definition.name })) return false;
    if (subagent && notForSubagents.has(definition)) return false;
    return definition !== proposePlan || planning;
  });
  lastOffers.set(desk.tools, { disallowed, subagent, planning, tools });
  return tools;
}
