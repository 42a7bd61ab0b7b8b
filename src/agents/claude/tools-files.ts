/** Which file a call changed, from what the tool reported afterwards. */
import { unifiedDiff } from "../../events/diff.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { withDiff } from "../shared/file-before.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { canonicalTool } from "./tools.ts";
import { isRecord, list, number, record, text, texts } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

export interface FileCall {
  readonly nativeName: string;
  readonly input: unknown;
  readonly callId: string;
  readonly parent: string | undefined;
}

/** Only for a call that succeeded. A subagent's result has no structure: then the input says which file it was. */
export function fileChanged(
  call: FileCall,
  result: unknown,
  said: string,
  cwd: string,
): AgentEventOf<"file.changed"> | undefined {
  const tool = canonicalTool(call.nativeName);
  if (tool !== "write" && tool !== "edit" && tool !== "notebook") return undefined;
  const input = record(call.input);
  const found = record(result);
  const named = found["filePath"] ?? found["notebook_path"] ?? input["file_path"] ?? input["notebook_path"];
  const path = text(named);
  if (path === undefined || text(found["error"]) !== undefined) return undefined;
  const created = isRecord(result) ? found["type"] === "create" : said.startsWith("File created");
  const place = workspacePath(path, cwd);
  const event: AgentEventOf<"file.changed"> = {
    type: "file.changed",
    path: place,
    op: created ? "create" : "modify",
    callId: call.callId,
    parent: call.parent,
  };
  const diff = diffOf(place, isRecord(result) ? found : { content: input["content"] }, created);
  return withDiff(event, diff);
}

function diffOf(path: string, found: Wire, created: boolean): string | undefined {
  if (created) return typeof found["content"] === "string" ? unifiedDiff(path, undefined, found["content"]) : undefined;
  const { original_file: before, updated_file: after } = found;
  if (typeof before === "string" && typeof after === "string") return unifiedDiff(path, before, after);
  const hunks = list(found["structuredPatch"]).filter(isRecord).map(hunkOf);
  return hunks.length > 0 ? `--- a/${path}\n+++ b/${path}\n${hunks.join("")}` : undefined;
}

function hunkOf(hunk: Wire): string {
  const range = (start: unknown, lines: unknown) => `${number(start) ?? 0},${number(lines) ?? 0}`;
  const header = `@@ -${range(hunk["oldStart"], hunk["oldLines"])} +${range(hunk["newStart"], hunk["newLines"])} @@\n`;
  return (
    header +
    texts(hunk["lines"])
      .map((line) => `${line}\n`)
      .join("")
  );
}
