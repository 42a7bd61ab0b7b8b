/**
 * Over ACP Cursor asks before commands, deletions, pages and tools of MCP servers, and before no edit: those a hook holds, and what it would
 * leave to Cursor is asked by Reins.
 */
import type { Mode } from "../../../events/modes.ts";
import { toolKinds } from "../../../events/tools.ts";
import type { Tool } from "../../../events/tools.ts";
import type { AgentEvent, PermissionOption } from "../../../events/types.ts";
import type { Answer, PermissionAnswer } from "../../contract.ts";
import { isAlways, isDenial } from "../../shared/permission-options.ts";

const always: PermissionOption = {
  id: "always",
  kind: "allow_always",
  label: "Allow all edits of this session",
  scope: "session",
};

export function isEdit(tool: Tool): boolean {
  return toolKinds[tool] === "edit";
}

/** The mode in which a person has allowed the edits of one session for good. */
export interface EditLeave {
  mode: Mode | undefined;
}

/** What waits for a word to the hooks of one session. */
export class Waiting {
  readonly leave: EditLeave = { mode: undefined };
  readonly #waiting = new Map<string, { readonly callId: string; readonly edit: boolean }>();
  readonly #denied = new Set<string>();

  /** What a hook asks; of an edit a person may say that it holds for all. */
  asked(event: AgentEvent): AgentEvent {
    if (event.type !== "tool.held" && event.type !== "permission.requested") return event;
    this.#waiting.set(event.requestId, { callId: event.callId, edit: isEdit(event.tool) });
    return event.type === "permission.requested" && isEdit(event.tool)
      ? { ...event, options: [...event.options, always] }
      : event;
  }

  /** The word for the hook. */
  word(requestId: string, answer: Answer, mode: Mode): Answer {
    const waiting = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    if (waiting === undefined) return answer;
    if (isPermission(answer) && isDenial(answer)) this.#denied.add(waiting.callId);
    if (!waiting.edit) return answer;
    if (answer.decision === "defer") return { decision: this.leave.mode === mode ? "allow" : "ask" };
    if (isPermission(answer) && !isDenial(answer) && isAlways(answer)) this.leave.mode = mode;
    return answer;
  }

  /** What a hook was told to deny was denied, however Cursor reports it. */
  told(event: AgentEvent): AgentEvent {
    if (event.type === "turn.ended") this.#denied.clear();
    if ((event.type !== "tool.completed" && event.type !== "tool.failed") || !this.#denied.has(event.callId))
      return event;
    const { callId, parent } = event;
    const error = event.type === "tool.failed" ? event.error : { message: "It was not allowed." };
    return { type: "tool.failed", callId, error, reason: "denied", parent };
  }

  /** All that still waits; none of it does afterwards. */
  takeWaiting(): readonly string[] {
    const waiting = [...this.#waiting.keys()];
    this.#waiting.clear();
    return waiting;
  }
}

function isPermission(answer: Answer): answer is PermissionAnswer {
  return answer.decision === "allow" || answer.decision === "deny";
}
