/** The files in which OpenCode's planning agent writes the plan of a conversation. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { toolKinds } from "../../events/tools.ts";
import { locate, type Workspace } from "../../workspace/real-paths.ts";
import type { ToolCall } from "../shared/tool-call.ts";
import { list, number, record, text, type JsonObject } from "../../protocols/json.ts";

const maxBytes = 256 * 1024;

/** In the repository, or else in the folder that the rules of the planning agent name. */
export function planFilesOf(
  conversation: JsonObject,
  worktree: string | undefined,
  planner: JsonObject | undefined,
): string[] {
  const created = number(record(conversation["time"])["created"]);
  const slug = text(conversation["slug"]);
  if (created === undefined || slug === undefined || !/^[\w-]+$/.test(slug)) return [];
  const own = list(planner?.["permission"]).flatMap((rule) => {
    const { permission, pattern } = record(rule);
    return permission === "external_directory" && typeof pattern === "string" && /[/\\]plans[/\\]\*$/.test(pattern)
      ? [pattern.slice(0, -2)]
      : [];
  });
  const folders = worktree === undefined || worktree === "/" ? own : [join(worktree, ".opencode", "plans"), ...own];
  return folders.map((folder) => join(folder, `${created}-${slug}.md`));
}

export async function readPlan(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const found = await stat(file).catch(() => undefined);
    if (found?.isFile() !== true || found.size > maxBytes) continue;
    const plan = await readFile(file, "utf8").catch(() => "");
    if (plan.trim() !== "") return plan;
  }
  return undefined;
}

export function isPlanEdit(
  { tool, locations = [] }: Pick<ToolCall, "tool" | "locations">,
  files: readonly string[],
  workspace: Workspace,
): boolean {
  if (toolKinds[tool] !== "edit" || locations.length === 0) return false;
  const plans = files.flatMap((file) => locate(workspace, file).real);
  const edited = locations.map(({ path }) => locate(workspace, path).real);
  return edited.every((real) => real.length > 0 && real.every((path) => plans.includes(path)));
}
