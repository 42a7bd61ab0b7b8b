/** What came of a call: its text, its exit code, and if it failed, why. A result is one of several kinds, named by its only key. */
import { isRecord, list, number, record, text } from "../../../drivers/stream-json/read.ts";
import type { Wire } from "../../../drivers/stream-json/read.ts";
import { clipText } from "../../../events/clip.ts";
import { defaultLimits } from "../../../events/limits.ts";
import type { AgentEvent, AgentEventOf } from "../../../events/types.ts";

type Reason = AgentEventOf<"tool.failed">["reason"];

export interface Outcome {
  readonly reason?: Reason | undefined;
  /** All that the result says, whichever kind it is. */
  readonly facts: Wire;
  readonly said: string;
}

/** By the name of a result's kind; what is none of these, and no success, has no kinds at all. */
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

/** Denied by nobody Reins knows: this channel asks nobody, and rejects by itself what it would have to ask about. */
const rejected = "Cursor rejected it by itself: without --force it would have to ask, and here it asks nobody.";

export function endOf(callId: string, outcome: Outcome, durationMs: number | undefined): AgentEvent {
  const { reason, facts, said } = outcome;
  const failed = reason ?? (facts["isError"] === true ? "error" : undefined);
  if (failed !== undefined) {
    const silent = said === "" || said === "User Rejected";
    const why = silent ? (failed === "denied" ? rejected : "The tool failed and did not say why.") : said;
    const message = clipText(why, defaultLimits.inlineBytes).text;
    return { type: "tool.failed", callId, error: { message }, reason: failed };
  }
  const bytes = Buffer.byteLength(said);
  const output = { text: said, bytes, kept: bytes };
  return { type: "tool.completed", callId, output, exitCode: number(facts["exitCode"]), durationMs };
}

function whyIn(facts: Wire): string {
  for (const name of ["errorMessage", "error", "message", "reason", "stderr", "interleavedOutput"]) {
    const said = text(facts[name]) ?? text(record(facts[name])["message"]);
    if (said !== undefined) return said;
  }
  return "";
}

function saidIn(body: unknown): string {
  const facts = record(body);
  for (const name of ["interleavedOutput", "content", "message", "output", "markdown", "text", "resultSuffix"]) {
    const said = text(facts[name]);
    if (said !== undefined) return said;
  }
  const streams = [text(facts["stdout"]), text(facts["stderr"])].filter((part) => part !== undefined);
  if (streams.length > 0) return streams.join("\n");
  // Of a command that said nothing.
  if ("stdout" in facts || "interleavedOutput" in facts) return "";
  const blocks = list(facts["content"]).flatMap(blockText);
  if (blocks.length > 0) return blocks.join("\n");
  const files = list(facts["files"]).filter((file) => typeof file === "string");
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
