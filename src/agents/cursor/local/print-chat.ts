/** The conversation over all the processes that hold it, one a turn. */
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent } from "../../../events/types.ts";
import { stateOf } from "../state.ts";
import { printModes } from "./print-launch.ts";

export interface PrintChatOptions {
  readonly cwd: string;
  readonly mode: Mode;
  readonly model: string | undefined;
  /** An earlier one to go on with. */
  readonly chatId: string | undefined;
}

export class PrintChat {
  /** The one that the next process goes on with. */
  id: string | undefined;
  mode: Mode;
  model: string | undefined;
  readonly #cwd: string;
  readonly #resumed: boolean;
  #started = false;

  constructor({ cwd, mode, model, chatId }: PrintChatOptions) {
    this.#cwd = cwd;
    this.mode = mode;
    this.model = model;
    this.id = chatId;
    this.#resumed = chatId !== undefined;
  }

  /** It was told that the conversation has begun. */
  get started(): boolean {
    return this.#started;
  }

  get state(): string | undefined {
    return this.id === undefined ? undefined : stateOf("print", this.id);
  }

  /** A process told which conversation it holds. The first time is the beginning; another id later on is the one that counts. */
  told(chatId: string | undefined, modelLabel: string | undefined): readonly AgentEvent[] {
    const isOther = chatId !== undefined && chatId !== this.id;
    this.id = chatId ?? this.id;
    const { state, mode, model } = this;
    if (this.#started) return isOther ? [{ type: "session.updated", state, by: "agent" }] : [];
    this.#started = true;
    const nativeMode = printModes[mode];
    const [cwd, resumed] = [this.#cwd, this.#resumed];
    return [{ type: "session.started", model, modelLabel, mode, nativeMode, cwd, resumed, state }];
  }
}
