/**
 * Results of Cursor's tools, which have the same format in its stream, its hooks and the cloud. The only key of a
 * result names its kind.
 */
import type { AgentEvent, AgentEventOf, PlanEntry } from "../../../events/types.ts";
import { isRecord, list, number, record, text, texts, type JsonObject } from "../../../protocols/json.ts";

type Reason = AgentEventOf<"tool.failed">["reason"];

export interface CursorResult {
  readonly reason?: Reason | undefined;
  /** The fields of the result, for any kind. */
  readonly facts: JsonObject;
  readonly said: string;
}

/** A result whose only key is neither listed here nor `success` has no kind. */
const kinds: readonly (readonly [RegExp, Reason])[] = [
  [/reject|denied|permission/i, "denied"],
  [/timeout|timedout/i, "timeout"],
  [/cancel|abort/i, "cancelled"],
  [/fail|error|notfound|invalid|busy|nospace|toolarge/i, "error"],
];

export function resultOf(result: unknown): CursorResult {
  const kinded = record(result);
  const success = kinded["success"];
  if (success !== undefined) return { facts: record(success), said: saidIn(success) };
  for (const [kind, body] of Object.entries(kinded)) {
    const reason = kinds.find(([pattern]) => pattern.test(kind))?.[1];
    if (reason === undefined || (!isRecord(body) && text(body) === undefined)) continue;
    const facts = record(body);
    // A command that ran to its end and failed has an exit code and its whole output.
    if (reason === "error" && number(facts["exitCode"]) !== undefined) return { facts, said: saidIn(facts) };
    return { reason, facts, said: text(body) ?? whyIn(facts) };
  }
  return { facts: kinded, said: saidIn(result) };
}

function whyIn(facts: JsonObject): string {
  const names = ["errorMessage", "error", "message", "reason", "stderr", "interleavedOutput"];
  const said = names.map((name) => text(facts[name]) ?? text(record(facts[name])["message"]));
  return said.find((one) => one !== undefined) ?? "";
}

const outputs = ["interleavedOutput", "content", "contents", "message", "output", "markdown", "text", "resultSuffix"];

/** The output in a result without a kind. */
export function saidIn(body: unknown): string {
  if (!isRecord(body))
    return typeof body === "string" ? body : body === undefined || body === null ? "" : JSON.stringify(body);
  const said = [...outputs, "result", "answer"].map((name) => text(body[name])).find((one) => one !== undefined);
  if (said !== undefined) return said;
  const streams = texts([body["stdout"], body["stderr"]]).filter((part) => part !== "");
  // Also covers a command that printed nothing.
  if (streams.length > 0 || "stdout" in body || "interleavedOutput" in body) return streams.join("\n");
  const parts = [...list(body["content"]).flatMap(blockText), ...texts(body["files"])];
  if (parts.length > 0) return parts.join("\n");
  return Object.keys(body).length === 0 ? "" : JSON.stringify(body);
}

/** A string, `{ text: { text } }`, or `{ type: "text", text }`. */
function blockText(block: unknown): string[] {
  const inner = record(block)["text"];
  const said = text(block) ?? text(inner) ?? text(record(inner)["text"]);
  return said === undefined ? [] : [said];
}

const statuses: readonly (readonly [RegExp, PlanEntry["status"] | undefined])[] = [
  [/progress/i, "in_progress"],
  [/complete|done/i, "completed"],
  // A cancelled entry is not part of the plan.
  [/cancel/i, undefined],
  [/./s, "pending"],
];

/** Prefers the whole plan from the result: with `merge` the arguments hold only a part of it. */
export function planIn(args: JsonObject, facts: JsonObject): AgentEvent[] {
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
