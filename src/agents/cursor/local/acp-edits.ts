/**
 * Over ACP Cursor asks before commands, deletions, pages and tools of MCP servers, and before no edit: those a hook holds, and what it would
 * leave to Cursor is asked by Reins. What happens all the same where it must not is seen when it has happened.
 */
import type { Mode } from "../../../events/modes.ts";
import { toolKinds } from "../../../events/tools.ts";
import type { Tool, ToolKind } from "../../../events/tools.ts";
import type { AgentEvent, AgentEventOf, PermissionOption } from "../../../events/types.ts";
import type { Answer, PermissionAnswer } from "../../contract.ts";

const always: PermissionOption = {
  id: "always",
  kind: "allow_always",
  label: "Allow all edits of this session",
  scope: "session",
};

export function isEdit(tool: Tool): boolean {
  return toolKinds[tool] === "edit";
}

/** The edits of one session that wait for a word. */
export class Edits {
  #allowedIn: Mode | undefined;
  /** What the hooks wait for: whether it is an edit. */
  readonly #waiting = new Map<string, boolean>();

  /** What a hook asks; of an edit a person may say that it holds for all. */
  asked(event: AgentEvent): AgentEvent {
    if (event.type !== "tool.held" && event.type !== "permission.requested") return event;
    this.#waiting.set(event.requestId, isEdit(event.tool));
    return event.type === "permission.requested" && isEdit(event.tool)
      ? { ...event, options: [...event.options, always] }
      : event;
  }

  /** The word for the hook. */
  word(requestId: string, answer: Answer, mode: Mode): Answer {
    const edit = this.#waiting.get(requestId);
    this.#waiting.delete(requestId);
    if (edit !== true) return answer;
    if (answer.decision === "defer") return { decision: this.#allowedIn === mode ? "allow" : "ask" };
    const { always: forAll, optionId } = answer as PermissionAnswer;
    if (answer.decision === "allow" && (optionId === always.id || (forAll === true && optionId === undefined)))
      this.#allowedIn = mode;
    return answer;
  }

  /** All that still waits; none of it does afterwards. */
  takeWaiting(): readonly string[] {
    const waiting = [...this.#waiting.keys()];
    this.#waiting.clear();
    return waiting;
  }
}

const changing: ReadonlySet<ToolKind> = new Set<ToolKind>(["edit", "delete", "move", "execute"]);

/** What was done in a turn without anybody having been asked who should have been. */
export class Unasked {
  readonly #started = new Map<string, AgentEventOf<"tool.started">>();
  readonly #asked = new Set<string>();
  /** What was done. */
  #done: string | undefined;

  /** True for the first that was. */
  hears(event: AgentEvent, mode: Mode, held: (callId: string) => boolean): boolean {
    if (event.type === "tool.started") this.#started.set(event.callId, event);
    else if (event.type === "permission.requested" || event.type === "tool.held") this.#asked.add(event.callId);
    if (event.type !== "tool.completed" || this.#done !== undefined) return false;
    const { callId } = event;
    const call = this.#started.get(callId);
    if (call === undefined || !mustBeAsked(call.tool, mode) || this.#asked.has(callId) || held(callId)) return false;
    this.#done = call.title;
    return true;
  }

  /** The end of the turn: it failed where something was. */
  ended(event: AgentEventOf<"turn.ended">, agent: string): AgentEventOf<"turn.ended"> {
    const done = this.#done;
    this.#started.clear();
    this.#asked.clear();
    this.#done = undefined;
    if (done === undefined) return event;
    const message = `Cursor did this without asking, and Reins ended the turn: ${done}.`;
    const help =
      "Choose mode edits or full, or an agent whose edits can be held; docs/cursor.md tells which versions ask.";
    return {
      ...event,
      outcome: "failed",
      error: { code: "permission_denied", message, help, retryable: false, agent },
    };
  }
}

/** In its own modes for looking it has no tools for more, and commands of a person's own list need nobody. */
function mustBeAsked(tool: Tool, mode: Mode): boolean {
  if (mode === "read" || mode === "plan") return changing.has(toolKinds[tool]);
  return mode === "ask" && isEdit(tool);
}
