/**
 * What Cursor did in a turn although nobody was asked who should have been, or although its mode has no tools for it. It is seen only when
 * it has happened; then the turn ends, so that nothing more does.
 */
import type { ErrorInfo } from "../../../events/errors.ts";
import type { Mode } from "../../../events/modes.ts";
import { toolKinds } from "../../../events/tools.ts";
import type { Tool, ToolKind } from "../../../events/tools.ts";
import type { AgentEvent, AgentEventOf } from "../../../events/types.ts";
import { program } from "../program.ts";

interface Begun {
  readonly title: string;
  readonly tool: Tool;
  /** The one in which it began. */
  readonly mode: Mode;
}

export class Unasked {
  /** What somebody must be asked about, by the id of its call. */
  readonly #begun = new Map<string, Begun>();
  readonly #asked = new Set<string>();
  #done: Begun | undefined;

  /** True for the first that was done. */
  hears(event: AgentEvent, mode: Mode, held: (callId: string) => boolean): boolean {
    if (event.type === "tool.started" && mustBeAsked(event.tool, mode))
      this.#begun.set(event.callId, { title: event.title, tool: event.tool, mode });
    else if (event.type === "permission.requested" || event.type === "tool.held") this.#asked.add(event.callId);
    if (event.type !== "tool.completed" || this.#done !== undefined) return false;
    const { callId } = event;
    const begun = this.#begun.get(callId);
    // A mode that is chosen meanwhile may allow it; one that forbids it is about what comes next.
    if (begun === undefined || !mustBeAsked(begun.tool, mode) || this.#asked.has(callId) || held(callId)) return false;
    this.#done = begun;
    return true;
  }

  /** The end of the turn: it failed where something was done. */
  ended(event: AgentEventOf<"turn.ended">): AgentEventOf<"turn.ended"> {
    const done = this.#done;
    this.#begun.clear();
    this.#asked.clear();
    this.#done = undefined;
    return done === undefined ? event : { ...event, outcome: "failed", error: errorOf(done) };
  }
}

const changing: ReadonlySet<ToolKind> = new Set<ToolKind>(["edit", "delete", "move", "execute"]);

/** In its own modes for looking it has no tools for more, and commands of a person's own list need nobody. */
function mustBeAsked(tool: Tool, mode: Mode): boolean {
  if (isForLooking(mode)) return changing.has(toolKinds[tool]);
  return mode === "ask" && toolKinds[tool] === "edit";
}

function isForLooking(mode: Mode): boolean {
  return mode === "read" || mode === "plan";
}

function errorOf({ title, mode }: Begun): ErrorInfo {
  const looks = isForLooking(mode);
  const how = looks ? `in mode ${mode}, which only looks` : "without asking";
  const help = looks
    ? `See what it changed. ${program.updateHelp} Or choose another agent.`
    : "Choose mode edits or full, or an agent whose edits can be held; docs/cursor.md tells which versions ask.";
  return {
    code: "permission_denied",
    message: `${program.name} did this ${how}, and Reins ended the turn: ${title}.`,
    help,
    retryable: false,
    agent: program.id,
  };
}
