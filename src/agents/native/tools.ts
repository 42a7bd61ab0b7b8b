/** The tools of this agent: the canonical ones by their canonical names, and which of them a conversation has. */
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
  context,
  filter,
  parent,
}: Pick<Turn, "context" | "filter" | "parent">): readonly ToolDefinition[] {
  const { disallowed } = filter;
  const [subagent, planning] = [parent !== undefined, context.mode === "plan"];
  const last = lastOffers.get(context.tools);
  if (last?.disallowed === disallowed && last?.subagent === subagent && last.planning === planning) return last.tools;
  const tools = context.tools.filter((definition) => {
    if (disallowed !== undefined && isNamed(disallowed, { ...definition, nativeName: definition.name })) return false;
    if (subagent && notForSubagents.has(definition)) return false;
    return definition !== proposePlan || planning;
  });
  lastOffers.set(context.tools, { disallowed, subagent, planning, tools });
  return tools;
}
