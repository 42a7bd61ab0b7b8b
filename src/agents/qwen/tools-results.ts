/** What came out of a call: its text, its exit code, and if it failed, why. */
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { clipText } from "../../events/clip.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEventOf, ToolOutput } from "../../events/types.ts";

type Failed = AgentEventOf<"tool.failed">;

export interface Outcome {
  readonly output: ToolOutput;
  readonly failed: Pick<Failed, "error" | "reason"> | undefined;
}

/** `why`: it was kept from running. */
export function outcomeOf(block: Wire, why: Failed["reason"] | undefined): Outcome {
  const said = textOf(block["content"]);
  const shell = shellReport(said);
  const shown = shell?.output ?? said;
  const bytes = Buffer.byteLength(shown);
  const output: ToolOutput = { text: shown, bytes, kept: bytes };
  if (block["is_error"] !== true) return { output, failed: undefined };
  const stopped = /^\[Operation Cancelled\] Reason: ([\s\S]*)$/.exec(said)?.[1];
  const message = clipText(stopped ?? shown, defaultLimits.inlineBytes).text.trim();
  const error: Failed["error"] = { message: message || shell?.ended || "The tool failed and did not say why." };
  if (shell?.exitCode !== undefined) error.exitCode = shell.exitCode;
  return { output, failed: { error, reason: why ?? reasonOf(said, stopped) } };
}

/** It words a denial, an interruption and a deadline in sentences only. */
function reasonOf(said: string, stopped: string | undefined): Failed["reason"] {
  if (stopped !== undefined || /^(?:Tool call|Command was) cancelled\b/.test(said)) return "cancelled";
  if (/^(?:Tool blocked by plan mode|Plan mode blocked|This ".+" invocation was denied)|is denied\b/.test(said))
    return "denied";
  return said.startsWith("Command timed out") ? "timeout" : "error";
}

interface ShellReport {
  readonly output: string;
  readonly exitCode: number | undefined;
  /** What became of it, where it did not end by itself. */
  readonly ended: string | undefined;
}

/** A command that failed, printed nothing or ran in a subagent is reported as the model is told of it. */
function shellReport(said: string): ShellReport | undefined {
  const found =
    /^Command: [\s\S]*?\nDirectory: [^\n]*\nOutput: ([\s\S]*)\nError: ([\s\S]*?)\nExit Code: (\S+)(?:\nSignal: (\d+))?/.exec(
      said,
    );
  if (found === null) return undefined;
  const [, output = "", error = "", code = "", signal] = found;
  const parts = [output === "(empty)" ? "" : output, error === "(none)" ? "" : error];
  return {
    output: parts.filter((part) => part !== "").join("\n"),
    exitCode: /^-?\d+$/.test(code) ? Number(code) : undefined,
    ended: signal === undefined ? undefined : `The command was ended by signal ${signal}.`,
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = list(content).map((part) => (record(part)["type"] === "text" ? text(record(part)["text"]) : undefined));
  return parts.filter((part) => part !== undefined).join("\n");
}
