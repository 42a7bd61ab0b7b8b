/** What a call that went well changed: files, and the plan. */
import { list, record, text } from "../../../drivers/stream-json/read.ts";
import type { Wire } from "../../../drivers/stream-json/read.ts";
import { unifiedDiff } from "../../../events/diff.ts";
import type { Tool } from "../../../events/tools.ts";
import type { AgentEvent, AgentEventOf, PlanEntry } from "../../../events/types.ts";
import { withDiff } from "../../shared/file-diff.ts";
import { workspacePath } from "../../shared/workspace-path.ts";

export interface Done {
  readonly callId: string;
  readonly tool: Tool;
  readonly args: Wire;
  readonly facts: Wire;
}

/** The file was not there: the header of its diff says so, and there is no text before. What is known to be edited was there. */
export function isNewFile(facts: Wire, tool?: Tool): boolean {
  const header = /^--- (.*)$/m.exec(text(facts["diffString"]) ?? "")?.[1];
  if (header !== undefined) return header === "/dev/null";
  return tool !== "edit" && typeof facts["beforeFullFileContent"] !== "string";
}

export function filesChanged({ callId, tool, args, facts }: Done, cwd: string): AgentEvent[] {
  const given = text(facts["path"]) ?? text(args["path"]) ?? text(args["filePath"]) ?? text(args["file_path"]);
  if (given === undefined) return [];
  const path = workspacePath(given, cwd);
  if (tool === "delete") return [{ type: "file.changed", path, op: "delete", callId }];
  if (tool !== "write" && tool !== "edit") return [];
  const op = isNewFile(facts, tool) ? "create" : "modify";
  const event: AgentEventOf<"file.changed"> = { type: "file.changed", path, op, callId };
  return [withDiff(event, facts["diffString"] ?? diffIn(path, facts))];
}

function diffIn(path: string, facts: Wire): string | undefined {
  const after = text(facts["afterFullFileContent"]);
  return after === undefined ? undefined : unifiedDiff(path, text(facts["beforeFullFileContent"]), after);
}

const statuses: readonly (readonly [RegExp, PlanEntry["status"] | undefined])[] = [
  [/progress/i, "in_progress"],
  [/complete|done/i, "completed"],
  // What is no longer to be done is no part of the plan.
  [/cancel/i, undefined],
  [/./s, "pending"],
];

/** The whole plan, where it is told: what is merged into it is only a part. */
export function planIn({ args, facts }: Pick<Done, "args" | "facts">): AgentEvent[] {
  const todos = list(facts["todos"]).length > 0 || args["merge"] === true ? facts["todos"] : args["todos"];
  if (!Array.isArray(todos)) return [];
  const entries = todos.flatMap((todo): PlanEntry[] => {
    const { content, status } = record(todo);
    const said = text(content);
    const known = statuses.find(([pattern]) => pattern.test(text(status) ?? "pending"))?.[1];
    return said === undefined || known === undefined ? [] : [{ text: said, status: known }];
  });
  return [{ type: "plan.updated", entries }];
}
