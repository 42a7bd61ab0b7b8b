/** A conversation over ACP in which Cursor's hooks are heard too. */
import type { AcpSession } from "../../../drivers/acp/index.ts";
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { AgentSession, Answer, PromptInput } from "../../contract.ts";
import type { Hooks } from "../hooks/index.ts";
import { remarked } from "../remarks.ts";
import { Waiting } from "./acp-edits.ts";
import { Unasked } from "./unasked.ts";

/** What hooks say before there is a session waits for it. */
export class HookVoice {
  readonly waiting = new Waiting();
  /** A prompt is being worked on, and nobody has cancelled it. */
  isPrompted = false;
  readonly #early: AgentEvent[] = [];
  #acp: AcpSession | undefined;

  say(events: readonly AgentEvent[]): void {
    const said = events.map((event) => this.waiting.asked(event));
    if (this.#acp === undefined) this.#early.push(...said);
    else this.#acp.say(...said);
  }

  stop(): void {
    void this.#acp?.cancel();
  }

  join(acp: AcpSession): void {
    this.#acp = acp;
    if (this.#early.length > 0) acp.say(...this.#early.splice(0));
  }
}

export interface HookedParts {
  readonly acp: AcpSession;
  readonly hooks: Hooks;
  readonly voice: HookVoice;
  readonly remarks: readonly string[];
}

export class HookedSession implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #acp: AcpSession;
  readonly #hooks: Hooks;
  readonly #voice: HookVoice;
  readonly #waiting: Waiting;
  readonly #unasked = new Unasked();

  constructor({ acp, hooks, voice, remarks }: HookedParts) {
    this.#acp = acp;
    this.#hooks = hooks;
    this.#voice = voice;
    this.#waiting = voice.waiting;
    this.events = { [Symbol.asyncIterator]: () => remarked(remarks, this.#read()) };
    voice.join(acp);
  }

  get state(): string | undefined {
    return this.#acp.state;
  }

  async prompt(input: PromptInput): Promise<void> {
    const { isPrompted } = this.#voice;
    // Before it is sent: its hook may be quicker than we are.
    this.#voice.isPrompted = true;
    try {
      await this.#acp.prompt(input);
    } catch (error) {
      this.#voice.isPrompted = isPrompted;
      throw error;
    }
  }

  answer(requestId: string, answer: Answer): void {
    const word = this.#waiting.word(requestId, answer, this.#acp.mode);
    if (!this.#hooks.answer(requestId, word)) this.#acp.answer(requestId, answer);
  }

  configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    return this.#acp.configure(change);
  }

  async cancel(): Promise<void> {
    this.#voice.isPrompted = false;
    const cancelled = this.#acp.cancel();
    // A call that waits for its hook would keep the turn from ending.
    for (const requestId of this.#waiting.takeWaiting())
      this.#hooks.answer(requestId, { decision: "deny", message: "The turn was cancelled." });
    await cancelled;
  }

  async close(): Promise<void> {
    await this.#acp.close();
    await this.#hooks.close();
  }

  async *#read(): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    try {
      for await (const batch of this.#acp.events) yield this.#hooks.merge(batch).map((event) => this.#watched(event));
    } finally {
      await this.#hooks.close();
    }
  }

  #watched(event: AgentEvent): AgentEvent {
    const told = this.#waiting.told(event);
    if (told.type === "turn.ended") {
      this.#voice.isPrompted = false;
      return this.#unasked.ended(told);
    }
    const allowed = this.#waiting.leave.mode === this.#acp.mode;
    if (this.#unasked.hears(told, this.#acp.mode, (callId) => allowed || this.#hooks.held(callId))) void this.cancel();
    return told;
  }
}
