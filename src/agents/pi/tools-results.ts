/** What came out of a call: its text, its images, its exit code, and if it failed, why. */
import { clipText } from "../../events/clip.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEventOf, Content, ToolOutput } from "../../events/types.ts";
import { isRecord, list, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

export type Failed = Pick<AgentEventOf<"tool.failed">, "error" | "reason">;

export function outputOf(result: Wire): ToolOutput {
  const said = textOf(result["content"]);
  const kept = Buffer.byteLength(said);
  // A long output is cut for the model; how long it was stands beside it.
  const whole = number(record(record(result["details"])["truncation"])["totalBytes"]) ?? 0;
  const output: ToolOutput = { text: said, bytes: Math.max(whole, kept), kept };
  const content = imagesOf(result["content"]);
  if (content.length > 0) output.content = content;
  return output;
}

export function failureOf(result: Wire, denied: boolean): Failed {
  const said = textOf(result["content"]);
  const error: Failed["error"] = {
    message: clipText(said, defaultLimits.inlineBytes).text || "The tool failed and did not say why.",
  };
  const exitCode = /(?:^|\n)Command exited with code (\d+)$/.exec(said)?.[1];
  if (exitCode !== undefined) error.exitCode = Number(exitCode);
  if (denied) return { error, reason: "denied" };
  if (/(?:^|\n)(?:Operation|Command) aborted$/.test(said)) return { error, reason: "cancelled" };
  return { error, reason: /(?:^|\n)Command timed out after \S+ seconds$/.test(said) ? "timeout" : "error" };
}

export function textOf(content: unknown): string {
  return list(content)
    .flatMap((part) => (isRecord(part) && part["type"] === "text" ? [text(part["text"]) ?? ""] : []))
    .join("\n");
}

function imagesOf(content: unknown): Content[] {
  return list(content).flatMap((part): Content[] => {
    const data = isRecord(part) && part["type"] === "image" ? text(part["data"]) : undefined;
    if (data === undefined) return [];
    const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
    return [{ type: "image", mediaType: text(record(part)["mimeType"]) ?? "image/png", data, bytes }];
  });
}
