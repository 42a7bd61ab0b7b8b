/**
 * Detects changes that Cursor made although a person should have been asked first, or although its mode is read-only.
 * They are seen only after the fact; the turn then ends, so that nothing more happens.
 */
import type { Mode } from "../../events/modes.ts";
import { toolKinds, type Tool } from "../../events/tools.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { changingKinds } from "../shared/cursor/tools.ts";
import { program } from "./program.ts";

interface Call {
  readonly title: string;
  readonly tool: Tool;
  readonly mode: Mode;
}

export class UnaskedChanges {
  /** Calls that a person must be asked about, by id. */
  readonly #begun = new Map<string, Call>();
  readonly #asked = new Set<string>();
  #done: Call | undefined;

  /** True for the first such change of a turn. */
  hears(event: AgentEvent, mode: Mode, held: (callId: string) => boolean): boolean {
    if (event.type === "tool.started" && mustBeAsked(event.tool, mode))
      this.#begun.set(event.callId, { title: event.title, tool: event.tool, mode });
    else if (event.type === "permission.requested" || event.type === "tool.held") this.#asked.add(event.callId);
    if (event.type !== "tool.completed" || this.#done !== undefined) return false;
    const { callId } = event;
    const begun = this.#begun.get(callId);
    // A wider mode that was chosen meanwhile allows the call; a narrower one applies to later calls.
    if (begun === undefined || !mustBeAsked(begun.tool, mode) || this.#asked.has(callId) || held(callId)) return false;
    this.#done = begun;
    return true;
  }

  ended(event: AgentEventOf<"turn.ended">): AgentEventOf<"turn.ended"> {
    const done = this.#done;
    this.#begun.clear();
    this.#asked.clear();
    this.#done = undefined;
    return done === undefined ? event : { ...event, outcome: "failed", error: errorOf(done) };
  }
}

/** In mode ask only edits count: the user may have allowed commands in Cursor's own list. */
function mustBeAsked(tool: Tool, mode: Mode): boolean {
  return onlyLooks(mode) ? changingKinds.has(toolKinds[tool]) : mode === "ask" && toolKinds[tool] === "edit";
}

function onlyLooks(mode: Mode): boolean {
  return mode === "read" || mode === "plan";
}

function errorOf({ title, mode }: Call): NonNullable<AgentEventOf<"turn.ended">["error"]> {
  const how = onlyLooks(mode) ? `in mode ${mode}, which is read-only` : "without asking";
  const help = onlyLooks(mode)
    ? `See what it changed. ${program.updateHelp} Or choose another agent.`
    : "Choose mode edits or full, or an agent whose edits can be held; docs/cursor.md says which versions ask.";
  const message = `${program.name} did this ${how}, and Reins ended the turn: ${title}.`;
  return { code: "permission_denied", message, help, retryable: false, agent: program.id };
}
