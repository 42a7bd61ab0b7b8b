/**
 * A conversation over ACP with a program that is told some things only when it starts, such as which tools there are: where a change of
 * mode touches those, it starts anew between two turns and goes on with the same conversation.
 */
import { decodeState } from "../../../protocols/acp/index.ts";
import type { AcpSession } from "../../../protocols/acp/index.ts";
import { ReinsError } from "../../../events/errors.ts";
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { AgentSession, Answer, ModelInfo, OpenOptions, PromptInput } from "../../contract.ts";
import type { Program } from "../program/program.ts";

export interface RestartingOptions {
  readonly program: Pick<Program, "id" | "name">;
  readonly first: AcpSession;
  readonly start: (mode: Mode, model: string | undefined, resume: string | undefined) => Promise<AcpSession>;
  readonly options: Pick<OpenOptions, "mode" | "model">;
  /** Whether a change of mode needs a restart. */
  readonly restarts: (from: Mode, to: Mode) => boolean;
  /** Throws when a prompt must not be sent. */
  readonly refuse?: ((text: string) => void) | undefined;
  /** Called when the session is over. */
  readonly ended?: (() => Promise<void>) | undefined;
}

export class RestartingSession implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  readonly #o: RestartingOptions;
  #session: AcpSession;
  #mode: Mode;
  #model: string | undefined;
  #running = false;
  #restarting: Promise<AcpSession | undefined> | undefined;

  constructor(options: RestartingOptions) {
    this.#o = options;
    this.#session = options.first;
    this.#mode = options.options.mode;
    this.#model = options.options.model;
    this.events = { [Symbol.asyncIterator]: () => this.#read() };
  }

  get state(): string | undefined {
    return this.#session.state;
  }

  get models(): readonly ModelInfo[] {
    return this.#session.models.map(({ current, ...model }) => (current ? { ...model, current } : model));
  }

  async prompt(input: PromptInput): Promise<void> {
    this.#o.refuse?.(input.text);
    const earlier = this.#running;
    // Set before it is sent: sending takes time, and a restart must not come in between.
    this.#running = true;
    try {
      await this.#session.prompt(input);
    } catch (error) {
      this.#running = earlier;
      throw error;
    }
  }

  answer(requestId: string, answer: Answer): void {
    this.#session.answer(requestId, answer);
  }

  cancel(): Promise<void> {
    return this.#session.cancel();
  }

  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (mode !== undefined && this.#o.restarts(this.#mode, mode)) await this.#restart(mode);
    else if (mode !== undefined) await this.#session.configure({ mode });
    this.#mode = mode ?? this.#mode;
    if (model === undefined) return;
    await this.#session.configure({ model });
    this.#model = model;
  }

  async close(): Promise<void> {
    await this.#restarting;
    await this.#session.close();
    await this.#o.ended?.();
  }

  async #restart(mode: Mode): Promise<void> {
    const { id, name } = this.#o.program;
    if (this.#running)
      throw new ReinsError("session_busy", `${name} changes to mode ${mode} only between turns.`, { agent: id });
    const { state } = this.#session;
    const resume = state === undefined ? undefined : decodeState(id, name, state);
    const started = this.#session.close().then(() => this.#o.start(mode, this.#model, resume));
    // A reader of the events waits for it too, and does not need the error.
    this.#restarting = started.catch(() => undefined);
    try {
      this.#session = await started;
    } finally {
      this.#restarting = undefined;
    }
  }

  async *#read(): AsyncGenerator<readonly AgentEvent[], void, undefined> {
    let session: AcpSession | undefined = this.#session;
    for (let first = true; session !== undefined; first = false) {
      const read: AcpSession = session;
      for await (const batch of read.events) yield batch.filter((event) => this.#counts(event, read, first));
      session = (await this.#restarting) ?? (session === this.#session ? undefined : this.#session);
    }
  }

  /** A restart between two turns is not reported. */
  #counts({ type }: AgentEvent, session: AcpSession, first: boolean): boolean {
    if (type === "turn.ended") this.#running = false;
    if (type === "session.started") return first;
    // A slow reader gets the end of the old process when the new one is there already.
    return type !== "process.exited" || (this.#restarting === undefined && session === this.#session);
  }
}
