/** Which file a call changed. */
import { record } from "../../drivers/stream-json/read.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { filePath } from "../shared/tool-call.ts";
import { workspacePath } from "../shared/workspace-path.ts";
import { canonicalTool } from "./tools.ts";

export interface FileCall {
  readonly nativeName: string;
  readonly input: unknown;
  readonly callId: string;
  readonly parent: string | undefined;
}

/** Only for a call that succeeded; the program says in words what it did. */
export function fileChanged(call: FileCall, said: string, cwd: string): AgentEventOf<"file.changed"> | undefined {
  const tool = canonicalTool(call.nativeName);
  if (tool !== "write" && tool !== "edit" && tool !== "notebook") return undefined;
  const path = filePath(record(call.input));
  if (path === undefined) return undefined;
  return {
    type: "file.changed",
    path: workspacePath(path, cwd),
    op: /^(?:Successfully c|C)reated /.test(said) ? "create" : "modify",
    callId: call.callId,
    parent: call.parent,
  };
}
