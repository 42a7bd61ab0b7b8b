/** What the agent says about its session: its id, model, mode, tools and commands. */
import { texts } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import { IntroducedSession, told } from "../shared/stream-json-session.ts";
import type { SessionFactsOptions, SessionUpdate } from "../shared/stream-json-session.ts";
import { encodeState } from "./state.ts";

export class SessionFacts extends IntroducedSession {
  constructor(options: SessionFactsOptions) {
    super(options, { mode: "permission_mode", version: "qwen_code_version", encodeState });
  }

  introduced(message: Wire): AgentEvent[] {
    if (this.started) {
      const update = this.changedIn(message);
      this.#changeMode(this.modeIn(message), update);
      return [...this.named(message), ...told(update)];
    }
    const events: AgentEvent[] = [this.begun(message)];
    const commands = texts(message["slash_commands"]).map((name) => ({ name }));
    if (commands.length > 0) events.push({ type: "session.updated", commands, by: "agent" });
    return events;
  }

  /** Every message has the id of the conversation; `/clear` begins another. */
  named(message: Wire): AgentEvent[] {
    const state = this.stateIn(message);
    if (!this.started || state === undefined || state === this.state) return [];
    this.state = state;
    return [{ type: "session.updated", reset: true, state, by: "agent" }];
  }

  #changeMode(native: string | undefined, update: SessionUpdate): void {
    if (native === undefined || native === this.nativeMode) return;
    this.nativeMode = native;
    update.nativeMode = native;
    const mode = mapped.get(native) ?? this.mode;
    if (mode !== this.mode) update.mode = this.mode = mode;
  }
}

const mapped: ReadonlyMap<string, Mode> = new Map<string, Mode>([
  ["default", "ask"],
  ["auto-edit", "edits"],
  ["plan", "plan"],
  ["yolo", "full"],
]);
