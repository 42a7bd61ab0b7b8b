/** Results of calls: text, exit code, failure, changed files and the plan. A result is one of several kinds, named by its only key. */
import { clipText } from "../../../events/clip.ts";
import { unifiedDiff } from "../../../events/diff.ts";
import { defaultLimits } from "../../../events/limits.ts";
import { displayPath } from "../../../events/paths.ts";
import type { Tool } from "../../../events/tools.ts";
import type { AgentEvent, AgentEventOf, PlanEntry } from "../../../events/types.ts";
import { isRecord, list, number, record, text, texts } from "../../../protocols/json.ts";
import type { JsonObject } from "../../../protocols/json.ts";
import { withDiff } from "../../shared/file-diff.ts";

type Reason = AgentEventOf<"tool.failed">["reason"];

export interface Outcome {
  readonly reason?: Reason | undefined;
  /** The fields of the result, whichever kind it is. */
  readonly facts: JsonObject;
  readonly said: string;
}

/** A result whose key is neither one of these nor `success` has no kinds at all. */
const kinds: readonly (readonly [RegExp, Reason])[] = [
  [/reject|denied|permission/i, "denied"],
  [/timeout|timedout/i, "timeout"],
  [/cancel|abort/i, "cancelled"],
  [/fail|error|notfound|invalid|busy|nospace|toolarge/i, "error"],
];

export function outcomeOf(result: unknown): Outcome {
  if (typeof result === "string") return { facts: {}, said: result };
  const kinded = record(result);
  const success = kinded["success"];
  if (success !== undefined) return { facts: record(success), said: saidIn(success) };
  for (const [kind, body] of Object.entries(kinded)) {
    const reason = kinds.find(([pattern]) => pattern.test(kind))?.[1];
    if (reason === undefined || (!isRecord(body) && text(body) === undefined)) continue;
    const facts = record(body);
    // A command that ran to its end and failed has an exit code, and all its output.
    if (reason === "error" && number(facts["exitCode"]) !== undefined) return { facts, said: saidIn(facts) };
    return { reason, facts, said: text(body) ?? whyIn(facts) };
  }
  return { facts: kinded, said: saidIn(result) };
}

const rejected = "Cursor rejected it by itself: without --force it would have to ask, and here it asks nobody.";

export function endOf(callId: string, { reason, facts, said }: Outcome, durationMs: number | undefined): AgentEvent {
  const failed = reason ?? (facts["isError"] === true ? "error" : undefined);
  if (failed !== undefined) {
    const silent = said === "" || said === "User Rejected";
    const why = silent ? (failed === "denied" ? rejected : "The tool failed and did not say why.") : said;
    const { text: message } = clipText(why, defaultLimits.inlineBytes);
    return { type: "tool.failed", callId, error: { message }, reason: failed };
  }
  const bytes = Buffer.byteLength(said);
  const output = { text: said, bytes, kept: bytes };
  return { type: "tool.completed", callId, output, exitCode: number(facts["exitCode"]), durationMs };
}

function whyIn(facts: JsonObject): string {
  const names = ["errorMessage", "error", "message", "reason", "stderr", "interleavedOutput"];
  const said = names.map((name) => text(facts[name]) ?? text(record(facts[name])["message"]));
  return said.find((one) => one !== undefined) ?? "";
}

function saidIn(body: unknown): string {
  const facts = record(body);
  const names = ["interleavedOutput", "content", "message", "output", "markdown", "text", "resultSuffix"];
  const said = names.map((name) => text(facts[name])).find((one) => one !== undefined);
  if (said !== undefined) return said;
  const streams = texts([facts["stdout"], facts["stderr"]]).filter((part) => part !== "");
  // Also for a command that printed nothing.
  if (streams.length > 0 || "stdout" in facts || "interleavedOutput" in facts) return streams.join("\n");
  const blocks = list(facts["content"]).flatMap(blockText);
  if (blocks.length > 0) return blocks.join("\n");
  const files = texts(facts["files"]);
  if (files.length > 0) return files.join("\n");
  if (typeof body === "string") return body;
  return Object.keys(facts).length === 0 ? "" : JSON.stringify(body);
}

/** `{ text: { text } }`, or `{ type: "text", text }`. */
function blockText(block: unknown): string[] {
  const inner = record(block)["text"];
  const said = text(inner) ?? text(record(inner)["text"]);
  return said === undefined ? [] : [said];
}

export interface Done {
  readonly callId: string;
  readonly tool: Tool;
  readonly args: JsonObject;
  readonly facts: JsonObject;
}

/** By the header of the diff, else by the text before. A file that is known to be edited was there. */
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

const statuses: readonly (readonly [RegExp, PlanEntry["status"] | undefined])[] = [
  [/progress/i, "in_progress"],
  [/complete|done/i, "completed"],
  // A cancelled entry is no part of the plan.
  [/cancel/i, undefined],
  [/./s, "pending"],
];

/** The whole plan, where it is told: with `merge` the arguments have only a part of it. */
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
