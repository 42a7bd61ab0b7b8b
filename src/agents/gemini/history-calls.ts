/** Tool calls as Gemini CLI writes them down, with all that it does not tell over ACP. */
import { list, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import { canonicalInput } from "../../events/canonical-input.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { withDiff } from "../shared/file-diff.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { canonicalTool } from "./tools.ts";

export function startOf(callId: string, call: Wire, cwd: string): AgentEventOf<"tool.started"> {
  const nativeName = text(call["name"]) ?? "unknown";
  const tool = canonicalTool(nativeName);
  const input = call["args"] ?? {};
  const canonical = canonicalInput(tool, input);
  const path = text(record(input)["file_path"]) ?? text(record(input)["absolute_path"]);
  return {
    type: "tool.started",
    callId,
    tool,
    nativeName,
    kind: toolKinds[tool],
    title: titleOf(tool, canonical, { cwd, nativeName }),
    input,
    ...(path === undefined ? {} : { locations: [{ path: workspacePath(path, cwd) }] }),
  };
}

/** What came of it; nothing while it runs. */
export function endOf(callId: string, call: Wire, cwd: string): AgentEvent[] {
  const { status, resultDisplay } = call;
  const { output, error } = record(record(record(list(call["result"])[0])["functionResponse"])["response"]);
  const told = text(error) ?? text(output) ?? "";
  switch (status) {
    case "success": {
      const shell = canonicalTool(text(call["name"]) ?? "") === "shell" ? shellReport(told) : undefined;
      const said = shell?.output ?? told;
      const bytes = Buffer.byteLength(said);
      const done: AgentEventOf<"tool.completed"> = {
        type: "tool.completed",
        callId,
        output: { text: said, bytes, kept: bytes },
        ...(shell?.exitCode === undefined ? {} : { exitCode: shell.exitCode }),
      };
      const changed = fileChanged(callId, record(resultDisplay), cwd);
      return changed === undefined ? [done] : [done, changed];
    }
    case "error":
    case "cancelled": {
      const reason = status === "cancelled" ? "cancelled" : /\bdenied by policy\b/.test(told) ? "denied" : "error";
      const message = told || text(resultDisplay) || "The tool failed and did not say why.";
      return [{ type: "tool.failed", callId, error: { message }, reason }];
    }
    default:
      return [];
  }
}

/** What its model is told of a command: the output among other lines. */
function shellReport(told: string): { output: string; exitCode: number | undefined } | undefined {
  const inside = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>\s*$/.exec(told)?.[1] ?? told;
  const [, output, rest = ""] =
    /^Output: ([\s\S]*?)((?:\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): .*)*)$/.exec(inside) ?? [];
  if (output === undefined) return undefined;
  const code = /^Exit Code: (-?\d+)$/m.exec(rest)?.[1];
  return { output: output === "(empty)" ? "" : output, exitCode: code === undefined ? undefined : Number(code) };
}

function fileChanged(callId: string, shown: Wire, cwd: string): AgentEventOf<"file.changed"> | undefined {
  const path = text(shown["filePath"]);
  if (path === undefined || text(shown["fileDiff"]) === undefined) return undefined;
  const op = shown["isNewFile"] === true ? "create" : "modify";
  return withDiff({ type: "file.changed", path: workspacePath(path, cwd), op, callId }, shown["fileDiff"]);
}
