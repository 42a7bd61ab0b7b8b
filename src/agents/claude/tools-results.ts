/** What came out of a call: its text, its images, its exit code, and if it failed, why. */
import { clipText } from "../../events/clip.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEventOf, Content, ToolOutput } from "../../events/types.ts";
import { isRecord, list, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

type Reason = AgentEventOf<"tool.failed">["reason"];

export interface Outcome {
  readonly output: ToolOutput;
  readonly failed: { readonly error: AgentEventOf<"tool.failed">["error"]; readonly reason: Reason } | undefined;
}

/** What the model is told about a call that was refused or interrupted. */
const toModel = /^The user doesn't want to proceed with this tool use|^\[Request interrupted by user/;

export interface ResultFacts {
  /** The `tool_result` block. */
  readonly block: Wire;
  /** The tool's own structured result, where the line has one. */
  readonly structured: unknown;
  /** The entry of `tool_result_meta` for this call. */
  readonly meta: Wire;
  /** The agent told before that it did not allow it. */
  readonly denied: boolean;
}

export function outcomeOf(facts: ResultFacts): Outcome {
  const { block, structured } = facts;
  const long = longOutput(structured);
  const said = long?.beginning ?? reportOf(structured) ?? textOf(block["content"]);
  const content = imagesOf(block["content"]);
  const kept = Buffer.byteLength(said);
  const output: ToolOutput = { text: said, bytes: long?.bytes ?? kept, kept };
  if (content.length > 0) output.content = content;
  if (block["is_error"] !== true) return { output, failed: undefined };
  const plain = said.replace(/^<tool_use_error>([\s\S]*)<\/tool_use_error>$/, "$1");
  const reason = reasonOf(facts, plain);
  const message =
    reason === "cancelled" && toModel.test(plain) ? "It was stopped." : clipText(plain, defaultLimits.inlineBytes).text;
  const error: AgentEventOf<"tool.failed">["error"] = { message: message || "The tool failed and did not say why." };
  const exitCode = /^Exit code (\d+)/.exec(plain)?.[1];
  if (exitCode !== undefined) error.exitCode = Number(exitCode);
  return { output, failed: { error, reason } };
}

/** A long output of a command is in a file of the agent's; its model is told of that, and of the beginning only a little. */
function longOutput(structured: unknown): { beginning: string; bytes: number } | undefined {
  const found = record(structured);
  const bytes = number(found["persistedOutputSize"]);
  const beginning = text(found["stdout"]);
  return bytes === undefined || beginning === undefined ? undefined : { beginning, bytes };
}

/** A subagent's report stands in the structured result without the words that were meant for the model only. */
function reportOf(structured: unknown): string | undefined {
  const found = record(structured);
  if (text(found["agentId"]) === undefined) return undefined;
  if (found["status"] === "async_launched") return "It runs in the background.";
  if (!Array.isArray(found["content"])) return undefined;
  return textOf(found["content"]).replace(/^\s*<tools-used-before-summary>[^<]*<\/tools-used-before-summary>\s*/, "");
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = list(content).map((part) => (record(part)["type"] === "text" ? text(record(part)["text"]) : undefined));
  return parts.filter((part) => part !== undefined).join("\n");
}

function imagesOf(content: unknown): Content[] {
  return list(content).flatMap((part): Content[] => {
    const source = record(record(part)["source"]);
    const data = text(source["data"]);
    if (!isRecord(part) || part["type"] !== "image" || data === undefined) return [];
    const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
    return [{ type: "image", mediaType: text(source["media_type"]) ?? "image/png", data, bytes }];
  });
}

/** The agent words a refusal and an interruption alike; only what it adds beside the text tells them apart. */
function reasonOf({ structured, meta, denied }: ResultFacts, said: string): Reason {
  if (
    denied ||
    record(meta["permission_decision"])["decision"] === "reject" ||
    meta["non_execution_kind"] === "permission-rule"
  )
    return "denied";
  if (meta["non_execution_kind"] === "user-rejected" || record(structured)["interrupted"] === true) return "cancelled";
  if (toModel.test(said)) return "cancelled";
  return /^(Exit code \d+\s+)?Command timed out/.test(said) ? "timeout" : "error";
}
