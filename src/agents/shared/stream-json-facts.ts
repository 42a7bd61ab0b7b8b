/** Facts that Claude Code and agents derived from it report about a session: id, model, mode and tools. */
import { list, text, texts, type JsonObject } from "../../protocols/json.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";

export type SessionUpdate = AgentEventOf<"session.updated">;

export interface SessionFactsOptions {
  readonly cwd: string;
  readonly mode: Mode;
  readonly resumed: boolean;
  readonly agentVersion?: string | undefined;
}

/** Field names in an agent's `init` message, and the encoding of its state. */
export interface Introduction {
  readonly mode: string;
  readonly version: string;
  readonly encodeState: (conversation: string) => string;
}

export class IntroducedSession {
  mode: Mode;
  nativeMode: string | undefined;
  state: string | undefined;
  readonly #options: SessionFactsOptions;
  readonly #words: Introduction;
  #started = false;
  #model: string | undefined;
  #modelAsked = false;
  #tools = "";

  constructor(options: SessionFactsOptions, words: Introduction) {
    this.mode = options.mode;
    this.#options = options;
    this.#words = words;
  }

  get started(): boolean {
    return this.#started;
  }

  /** Records a change that the caller made and the program accepted, so that the program's next report of it is not emitted. */
  configure(change: { mode?: Mode | undefined; model?: string | undefined }): void {
    if (change.mode !== undefined) this.mode = change.mode;
    if (change.model !== undefined) this.#modelAsked = true;
  }

  modelChanged(model: string | undefined, reason: string | undefined): AgentEvent[] {
    if (model === undefined || model === this.#model) return [];
    this.#model = model;
    return [{ type: "session.updated", model, by: "agent", reason }];
  }

  /** The program reports at the start of EVERY turn; only the first report starts the session. */
  protected begun(message: JsonObject): AgentEventOf<"session.started"> {
    this.#started = true;
    this.state = this.stateIn(message);
    this.#model = text(message["model"]);
    this.nativeMode = this.modeIn(message);
    const tools = texts(message["tools"]);
    this.#tools = tools.join();
    return {
      type: "session.started",
      model: this.#model,
      mode: this.mode,
      nativeMode: this.nativeMode,
      cwd: text(message["cwd"]) ?? this.#options.cwd,
      tools,
      resumed: this.#options.resumed,
      agentVersion: text(message[this.#words.version]) ?? this.#options.agentVersion,
      state: this.state,
    };
  }

  protected changedIn(message: JsonObject): SessionUpdate {
    const update: SessionUpdate = { type: "session.updated", by: "agent" };
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
    return update;
  }

  protected modeIn(message: JsonObject): string | undefined {
    return text(message[this.#words.mode]);
  }

  protected stateIn(message: JsonObject): string | undefined {
    const id = text(message["session_id"]);
    return id === undefined ? undefined : this.#words.encodeState(id);
  }
}

export function told(update: SessionUpdate): AgentEvent[] {
  return Object.keys(update).length > 2 ? [update] : [];
}
