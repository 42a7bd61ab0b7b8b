/** What the agent says about its session: its id, model, mode, tools and commands. */
import { list, text, texts } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { encodeState } from "./state.ts";

type Update = AgentEventOf<"session.updated">;

export interface SessionFactsOptions {
  readonly cwd: string;
  readonly mode: Mode;
  readonly resumed: boolean;
}

export class SessionFacts {
  readonly #options: SessionFactsOptions;
  #started = false;
  #mode: Mode;
  #nativeMode: string | undefined;
  #model: string | undefined;
  #modelAsked = false;
  #tools = "";
  /** What a later leg resumes from. */
  state: string | undefined;

  constructor(options: SessionFactsOptions) {
    this.#options = options;
    this.#mode = options.mode;
  }

  get mode(): Mode {
    return this.#mode;
  }

  get nativeMode(): string | undefined {
    return this.#nativeMode;
  }

  /** It has introduced itself. */
  get started(): boolean {
    return this.#started;
  }

  /** The caller changed it and the program took it: what it says next is no news. */
  configure(change: { mode?: Mode | undefined; nativeMode?: string | undefined; model?: string | undefined }): void {
    if (change.mode !== undefined) this.#mode = change.mode;
    if (change.nativeMode !== undefined) this.#nativeMode = change.nativeMode;
    if (change.model !== undefined) this.#modelAsked = true;
  }

  /** It introduces itself at the start of EVERY turn; only the first time is a beginning. */
  introduced(message: Wire): AgentEvent[] {
    if (this.#started) return this.#introducedAgain(message);
    this.#started = true;
    this.state = stateOf(message);
    this.#model = text(message["model"]);
    this.#nativeMode = text(message["permission_mode"]);
    this.#tools = texts(message["tools"]).join();
    const commands = texts(message["slash_commands"]).map((name) => ({ name }));
    const events: AgentEvent[] = [
      {
        type: "session.started",
        model: this.#model,
        mode: this.#mode,
        nativeMode: this.#nativeMode,
        cwd: text(message["cwd"]) ?? this.#options.cwd,
        tools: texts(message["tools"]),
        resumed: this.#options.resumed,
        agentVersion: text(message["qwen_code_version"]),
        state: this.state,
      },
    ];
    if (commands.length > 0) events.push({ type: "session.updated", commands, by: "agent" });
    return events;
  }

  #introducedAgain(message: Wire): AgentEvent[] {
    const update: Update = { type: "session.updated", by: "agent" };
    const model = text(message["model"]);
    if (model !== undefined && model !== this.#model) {
      update.model = this.#model = model;
      if (this.#modelAsked) update.by = "person";
    }
    this.#modelAsked = false;
    const tools = texts(message["tools"]);
    if (list(message["tools"]).length > 0 && tools.join() !== this.#tools) {
      update.tools = tools;
      this.#tools = tools.join();
    }
    this.#changeMode(text(message["permission_mode"]), update);
    // Nothing where nothing changed.
    return [...this.named(message), ...(Object.keys(update).length > 2 ? [update] : [])];
  }

  /** Every message has the id of the conversation; `/clear` begins another. */
  named(message: Wire): AgentEvent[] {
    const state = stateOf(message);
    if (!this.#started || state === undefined || state === this.state) return [];
    this.state = state;
    return [{ type: "session.updated", reset: true, state, by: "agent" }];
  }

  modelChanged(model: string | undefined, reason: string | undefined): AgentEvent[] {
    if (model === undefined || model === this.#model) return [];
    this.#model = model;
    return [{ type: "session.updated", model, by: "agent", reason }];
  }

  #changeMode(native: string | undefined, update: Update): void {
    if (native === undefined || native === this.#nativeMode) return;
    this.#nativeMode = native;
    update.nativeMode = native;
    const mode = mapped.get(native) ?? this.#mode;
    if (mode !== this.#mode) update.mode = this.#mode = mode;
  }
}

const mapped: ReadonlyMap<string, Mode> = new Map<string, Mode>([
  ["default", "ask"],
  ["auto-edit", "edits"],
  ["plan", "plan"],
  ["yolo", "full"],
]);

function stateOf(message: Wire): string | undefined {
  const id = text(message["session_id"]);
  return id === undefined ? undefined : encodeState(id);
}
