/** What the agent says about its session: its id, model, mode and tools. */
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import { encodeState } from "./state.ts";
import { list, text, texts } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

type Update = AgentEventOf<"session.updated">;

export interface SessionFactsOptions {
  readonly cwd: string;
  readonly mode: Mode;
  readonly resumed: boolean;
  readonly agentVersion?: string | undefined;
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

  /** The caller changed it and the program took it: what it says next is no news. */
  configure(change: { mode?: Mode | undefined; model?: string | undefined }): void {
    if (change.mode !== undefined) this.#mode = change.mode;
    if (change.model !== undefined) this.#modelAsked = true;
  }

  /** It introduces itself at the start of EVERY turn; only the first time is a beginning. */
  introduced(message: Wire): AgentEvent[] {
    if (this.#started) return this.#introducedAgain(message);
    this.#started = true;
    this.state = stateOf(message);
    this.#model = text(message["model"]);
    this.#nativeMode = text(message["permissionMode"]);
    this.#mode = modeOf(this.#nativeMode, this.#mode);
    this.#tools = texts(message["tools"]).join();
    return [
      {
        type: "session.started",
        model: this.#model,
        mode: this.#mode,
        nativeMode: this.#nativeMode,
        cwd: text(message["cwd"]) ?? this.#options.cwd,
        tools: texts(message["tools"]),
        resumed: this.#options.resumed,
        agentVersion: text(message["claude_code_version"]) ?? this.#options.agentVersion,
        state: this.state,
      },
    ];
  }

  #introducedAgain(message: Wire): AgentEvent[] {
    const update: Update = { type: "session.updated", by: "agent" };
    const state = stateOf(message);
    if (state !== undefined && state !== this.state) update.state = this.state = state;
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
    this.#changeMode(text(message["permissionMode"]), update);
    return told(update);
  }

  /** The mode changed in the middle, by an approved plan or an `always`. */
  modeReported(native: unknown): AgentEvent[] {
    // Before it introduced itself nobody knows of a mode that could have changed.
    if (!this.#started) return [];
    const update: Update = { type: "session.updated", by: "agent" };
    this.#changeMode(text(native), update);
    return told(update);
  }

  modelChanged(model: string | undefined, reason: string | undefined): AgentEvent[] {
    if (model === undefined) return [];
    this.#model = model;
    return [{ type: "session.updated", model, by: "agent", reason }];
  }

  /** `/clear`: the conversation is forgotten. Its new id comes with the next introduction. */
  forgotten(reason: string | undefined): AgentEvent[] {
    return [{ type: "session.updated", reset: true, by: "agent", reason }];
  }

  #changeMode(native: string | undefined, update: Update): void {
    if (native === undefined || native === this.#nativeMode) return;
    this.#nativeMode = native;
    const mode = modeOf(native, this.#mode);
    const unmapped = !mapped.has(native);
    if (mode === this.#mode && !unmapped) return;
    if (mode !== this.#mode) update.mode = this.#mode = mode;
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

function stateOf(message: Wire): string | undefined {
  const id = text(message["session_id"]);
  return id === undefined ? undefined : encodeState(id);
}

/** Nothing where nothing changed. */
function told(update: Update): AgentEvent[] {
  return Object.keys(update).length > 2 ? [update] : [];
}
