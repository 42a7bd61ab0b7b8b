/** What came out of a call: its text, its images, its exit code, and if it failed, why. */
import { list, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { clipText } from "../../events/clip.ts";
import { defaultLimits } from "../../events/limits.ts";
import type { AgentEvent, AgentEventOf, Content, ToolOutput } from "../../events/types.ts";

type Reason = AgentEventOf<"tool.failed">["reason"];

interface Ended {
  readonly callId: string;
  readonly nativeName: string;
  readonly parent: string | undefined;
  /** Reins did not allow it. */
  readonly denied: boolean;
}

/** What OpenCode adds for its model alone. */
const shellRemark = /\n*<shell_metadata>\n([\s\S]*?)\n?<\/shell_metadata>\s*$/;
const noOutput = "(no output)";

/** `state` is that of a part whose status is `completed` or `error`. */
export function endOf(call: Ended, state: Wire): AgentEvent {
  const { callId, parent } = call;
  const failed = (message: string, reason: Reason): AgentEvent => {
    const said = clipText(message, defaultLimits.inlineBytes).text || "The tool failed and did not say why.";
    return { type: "tool.failed", callId, error: { message: said }, reason, parent };
  };
  if (state["status"] === "error") {
    const said = text(state["error"]) ?? "";
    return failed(said, reasonOf(call, said, record(state["metadata"])));
  }
  // A call that its model made wrongly succeeds in telling so.
  if (call.nativeName === "invalid") return failed(text(record(state["input"])["error"]) ?? "", "error");
  const whole = text(state["output"]) ?? "";
  const remark = call.nativeName === "bash" ? shellRemark.exec(whole)?.[1] : undefined;
  if (remark !== undefined && /exceeding timeout/.test(remark)) return failed(remark, "timeout");
  if (remark !== undefined && /abort/i.test(remark)) return failed(remark, "cancelled");
  const { start, end } = record(state["time"]);
  const exitCode = number(record(state["metadata"])["exit"]);
  const [from, to] = [number(start), number(end)];
  return {
    type: "tool.completed",
    callId,
    output: outputOf(call.nativeName, whole, state["attachments"]),
    durationMs: from === undefined || to === undefined ? undefined : Math.max(0, to - from),
    exitCode,
    parent,
  };
}

function outputOf(nativeName: string, whole: string, attachments: unknown): ToolOutput {
  const said = reportOf(nativeName, nativeName === "bash" && whole === noOutput ? "" : whole);
  const bytes = Buffer.byteLength(said);
  const content = imagesOf(attachments);
  return { text: said, bytes, kept: bytes, ...(content.length > 0 ? { content } : {}) };
}

/** A subagent's report without the words around it. */
function reportOf(nativeName: string, whole: string): string {
  if (nativeName !== "task") return whole;
  if (/^<task id="[^"]*" state="running">/.test(whole)) return "It runs in the background.";
  return /<task_result>\n?([\s\S]*?)\n?<\/task_result>/.exec(whole)?.[1] ?? whole;
}

function imagesOf(attachments: unknown): Content[] {
  return list(attachments).flatMap((item): Content[] => {
    const { mime, url } = record(item);
    const [, data] = /^data:[^;,]*;base64,(.*)$/s.exec(String(url)) ?? [];
    if (data === undefined || typeof mime !== "string" || !mime.startsWith("image/")) return [];
    const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);
    return [{ type: "image", mediaType: mime, data, bytes }];
  });
}

function reasonOf({ denied }: Ended, said: string, metadata: Wire): Reason {
  if (denied || /rejected permission|specified a rule which prevents/.test(said)) return "denied";
  return metadata["interrupted"] === true || said.startsWith("Tool execution aborted") ? "cancelled" : "error";
}
