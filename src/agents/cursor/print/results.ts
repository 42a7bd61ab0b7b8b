/** The outcome of a call in print mode, and the file that it changed. */
import { clipText } from "../../../events/clip.ts";
import { unifiedDiff } from "../../../events/diff.ts";
import { defaultLimits } from "../../../events/limits.ts";
import { displayPath } from "../../../events/paths.ts";
import type { Tool } from "../../../events/tools.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { number, text, type JsonObject } from "../../../protocols/json.ts";
import type { Outcome } from "../../shared/calls.ts";
import type { CursorResult } from "../../shared/cursor/results.ts";
import { withDiff } from "../../shared/file-diff.ts";

const rejected = "Cursor rejected this call: without --force it must ask, and in print mode it cannot ask anybody.";

export function outcomeOf({ reason, facts, said }: CursorResult): Outcome {
  const bytes = Buffer.byteLength(said);
  const outcome = { output: { text: said, bytes, kept: bytes }, exitCode: number(facts["exitCode"]) };
  const failed = reason ?? (facts["isError"] === true ? "error" : undefined);
  if (failed === undefined) return outcome;
  const silent = said === "" || said === "User Rejected";
  const why = silent ? (failed === "denied" ? rejected : "The tool failed without a message.") : said;
  const { text: message } = clipText(why, defaultLimits.inlineBytes);
  return { ...outcome, failed: { error: { message }, reason: failed } };
}

export interface Done {
  readonly callId: string;
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly facts: JsonObject;
}

/** Decided by the header of the diff, or else by the text before. An edited file existed. */
export function isNewFile(facts: JsonObject, tool?: Tool): boolean {
  const header = /^--- (.*)$/m.exec(text(facts["diffString"]) ?? "")?.[1];
  if (header !== undefined) return header === "/dev/null";
  return tool !== "edit" && typeof facts["beforeFullFileContent"] !== "string";
}

export function filesChanged({ callId, tool, args, facts }: Done, cwd: string): AgentEvent[] {
  const given = text(facts["path"]) ?? text(args["path"]) ?? text(args["filePath"]) ?? text(args["file_path"]);
  if (given === undefined) return [];
  const path = displayPath(given, cwd);
  if (tool === "delete") return [{ type: "file.changed", path, op: "delete", callId }];
  if (tool !== "write" && tool !== "edit") return [];
  const op = isNewFile(facts, tool) ? "create" : "modify";
  const after = text(facts["afterFullFileContent"]);
  const diff = after === undefined ? undefined : unifiedDiff(path, text(facts["beforeFullFileContent"]), after);
  return [withDiff({ type: "file.changed", path, op, callId }, facts["diffString"] ?? diff)];
}
