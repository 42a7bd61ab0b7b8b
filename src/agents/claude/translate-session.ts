/** What the agent says about its session: its id, model, mode and tools. */
import { text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import { IntroducedSession, told } from "../shared/stream-json-session.ts";
import type { SessionFactsOptions, SessionUpdate } from "../shared/stream-json-session.ts";
import { encodeState } from "./state.ts";

export class SessionFacts extends IntroducedSession {
  constructor(options: SessionFactsOptions) {
    super(options, { mode: "permissionMode", version: "claude_code_version", encodeState });
  }

  introduced(message: Wire): AgentEvent[] {
    if (!this.started) {
      this.mode = modeOf(this.modeIn(message), this.mode);
      return [this.begun(message)];
    }
    const update = this.changedIn(message);
    const state = this.stateIn(message);
    if (state !== undefined && state !== this.state) update.state = this.state = state;
    this.#changeMode(this.modeIn(message), update);
    return told(update);
  }

  /** The mode changed in the middle, by an approved plan or an `always`. */
  modeReported(native: unknown): AgentEvent[] {
    // Before it introduced itself nobody knows of a mode that could have changed.
    if (!this.started) return [];
    const update: SessionUpdate = { type: "session.updated", by: "agent" };
    this.#changeMode(text(native), update);
    return told(update);
  }

  /** `/clear`: the conversation is forgotten. Its new id comes with the next introduction. */
  forgotten(reason: string | undefined): AgentEvent[] {
    return [{ type: "session.updated", reset: true, by: "agent", reason }];
  }

  #changeMode(native: string | undefined, update: SessionUpdate): void {
    if (native === undefined || native === this.nativeMode) return;
    this.nativeMode = native;
    const mode = modeOf(native, this.mode);
    const unmapped = !mapped.has(native);
    if (mode === this.mode && !unmapped) return;
    if (mode !== this.mode) update.mode = this.mode = mode;
    update.nativeMode = native;
  }
}

const mapped: ReadonlyMap<string, Mode> = new Map<string, Mode>([
  ["default", "ask"],
  ["acceptEdits", "edits"],
  ["plan", "plan"],
  ["bypassPermissions", "full"],
]);

/** `read` and `full` are the agent's own default, held by Reins; so is the mode it falls back to after `plan` and `edits`. */
function modeOf(native: string | undefined, current: Mode): Mode {
  if (native === undefined) return current;
  if (native === "default" && current !== "plan" && current !== "edits") return current;
  return mapped.get(native) ?? current;
}
