/**
 * An ACP session with a program that takes some options, such as the list of tools, only at start. A change into or out
 * of mode `read` restarts the program between two turns, and the conversation continues.
 */
import { decodeState, type AcpSession } from "../../../protocols/acp/index.ts";
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
  /** Throws when the prompt must not be sent. */
  readonly refuse?: ((text: string) => void) | undefined;
  /** Called after the session has ended, to clean up. */
  readonly ended?: (() => Promise<void>) | undefined;
}

export async function openRestarting(
  program: RestartingOptions["program"],
  options: OpenOptions,
  start: RestartingOptions["start"],
  more: Pick<RestartingOptions, "refuse" | "ended"> = {},
): Promise<RestartingSession> {
  const resume = options.state === undefined ? undefined : decodeState(program.id, program.name, options.state);
  const first = await start(options.mode, options.model, resume);
  return new RestartingSession({ program, first, start, options, ...more });
}

/** Opens a session, returns the models it lists, and closes it without a prompt. */
export async function listedModels<Model>(opening: Promise<{ models: readonly Model[]; close(): Promise<void> }>) {
  const session = await opening;
  try {
    return session.models;
  } finally {
    await session.close();
  }
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
    // Sending may take a while, and the program must not restart meanwhile.
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
    const restarts = mode !== undefined && (mode === "read") !== (this.#mode === "read");
    if (restarts) await this.#restart(mode);
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
    // Readers of the events wait for the restart too, but only the caller gets its error.
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

  /** False for the end and the start of the process between two turns, which are hidden. */
  #counts({ type }: AgentEvent, session: AcpSession, first: boolean): boolean {
    if (type === "turn.ended") this.#running = false;
    if (type === "session.started") return first;
    // A slow reader may get the exit of the old process after the new one has started.
    return type !== "process.exited" || (this.#restarting === undefined && session === this.#session);
  }
}
