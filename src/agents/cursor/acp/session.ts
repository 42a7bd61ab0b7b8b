/** An ACP session that also receives Cursor's hooks. */
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { AcpSession } from "../../../protocols/acp/index.ts";
import type { AgentSession, Answer, PromptInput } from "../../contract.ts";
import type { Hooks, HooksOptions } from "../hooks/index.ts";
import type { EditApproval } from "../hooks/requests.ts";
import { remarked } from "../session.ts";
import { UnaskedChanges } from "../unasked-changes.ts";

export class HookedSession implements AgentSession {
  readonly edits: EditApproval;
  readonly hookPorts: Pick<HooksOptions, "say" | "isPrompted" | "stop" | "edits">;
  readonly #unasked = new UnaskedChanges();
  /** Events of hooks that came before the session began. */
  readonly #early: AgentEvent[] = [];
  #acp: AcpSession | undefined;
  #hooks!: Hooks;
  #remarks: readonly string[] = [];
  #isPrompted = false;

  constructor(mode: Mode) {
    this.edits = { mode: () => this.#acp?.mode ?? mode, allowedIn: undefined };
    this.hookPorts = {
      edits: this.edits,
      say: (events) => (this.#acp === undefined ? void this.#early.push(...events) : this.#acp.say(...events)),
      isPrompted: () => this.#isPrompted,
      stop: () => void this.#acp?.cancel(),
    };
  }

  begin(acp: AcpSession, hooks: Hooks, remarks: readonly string[]): this {
    this.#acp = acp;
    this.#hooks = hooks;
    this.#remarks = remarks;
    if (this.#early.length > 0) acp.say(...this.#early.splice(0));
    return this;
  }

  get events(): AsyncIterable<readonly AgentEvent[]> {
    return { [Symbol.asyncIterator]: () => remarked(this.#remarks, this.#read()) };
  }

  get state(): string | undefined {
    return this.#begun.state;
  }

  async prompt(input: PromptInput): Promise<void> {
    const before = this.#isPrompted;
    // Before the prompt is sent, because its hook may fire at once.
    this.#isPrompted = true;
    try {
      await this.#begun.prompt(input);
    } catch (error) {
      this.#isPrompted = before;
      throw error;
    }
  }

  answer(requestId: string, answer: Answer): void {
    if (!this.#hooks.answer(requestId, answer)) this.#begun.answer(requestId, answer);
  }

  configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    return this.#begun.configure(change);
  }

  async cancel(): Promise<void> {
    this.#isPrompted = false;
    const cancelled = this.#begun.cancel();
    // A call that waits for its hook would keep the turn from ending.
    this.#hooks.cancelAll();
    await cancelled;
  }

  async close(): Promise<void> {
    await this.#begun.close();
    await this.#hooks.close();
  }

  get #begun(): AcpSession {
    return this.#acp!;
  }

  async *#read(): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    try {
      for await (const batch of this.#begun.events) yield this.#hooks.merge(batch).map((event) => this.#watched(event));
    } finally {
      await this.#hooks.close();
    }
  }

  #watched(event: AgentEvent): AgentEvent {
    if (event.type === "turn.ended") {
      this.#isPrompted = false;
      return this.#unasked.ended(event);
    }
    const { mode, allowedIn } = this.edits;
    const held = (callId: string): boolean => allowedIn === mode() || this.#hooks.held(callId);
    if (this.#unasked.hears(event, mode(), held)) void this.cancel();
    return event;
  }
}
