/** A session with one long-lived process of Claude Code or an agent derived from it: prompts on stdin, requests in both directions. */
import { ReinsError, type ErrorCode } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Child, Exit, SecondChannel } from "../../process/types.ts";
import type { GivenAnswer } from "../../protocols/requests.ts";
import type { JsonObject } from "../../protocols/json.ts";
import { openStreamJson, type Dialect, type StreamJson, type WireRequest } from "../../protocols/stream-json/index.ts";
import type { AgentContext, AgentSession, Answer, OpenOptions, PromptInput } from "../contract.ts";
import { openOrEnd } from "./program/open-or-stop.ts";
import type { Command, Program } from "./program/program.ts";
import type { IntroducedSession } from "./stream-json-facts.ts";

export interface StreamJsonParts {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly child: Child;
}

export interface Incoming {
  readonly gone: boolean;
  readonly requests: { answer(requestId: string, answer: GivenAnswer): boolean; cancelAll(): void };
  prompted(): void;
  message(message: unknown): readonly AgentEvent[];
  request(request: WireRequest): readonly AgentEvent[];
  withdrawn(requestId: string, message: JsonObject): readonly AgentEvent[];
  exited(exit: Exit, stderrTail: string): readonly AgentEvent[];
}

/** `Content` is the type of the content of a `user` message. */
export abstract class StreamJsonSession<Content> implements AgentSession {
  readonly events: AsyncIterable<readonly AgentEvent[]>;
  protected abstract readonly incoming: Incoming;
  protected readonly context: AgentContext;
  protected readonly options: OpenOptions;
  protected readonly stream: StreamJson;
  protected prompts = 0;
  readonly #child: Child;
  readonly #program: Program;
  /** Set while a prompt is being prepared; a cancel aborts it. */
  #sending: AbortController | undefined;
  #closing: Promise<void> | undefined;
  readonly #cleaned: Promise<void>;

  /** `dialect`: for a program with other names for requests and answers. */
  constructor(program: Program, { context, options, child }: StreamJsonParts, dialect?: Dialect) {
    this.context = context;
    this.options = options;
    this.#child = child;
    this.#program = program;
    this.stream = openStreamJson({
      child,
      name: program.name,
      agent: program.id,
      dialect,
      requestMs: context.deadlines.request,
      drainMs: context.deadlines.drain,
      translate: (message) => this.incoming.message(message),
      onRequest: (request) => this.incoming.request(request),
      onWithdrawn: (requestId, message) => this.incoming.withdrawn(requestId, message),
      onExit: (exit, stderrTail) => this.incoming.exited(exit, stderrTail),
    });
    this.events = this.stream.events;
    this.#cleaned = child.exited.then(() => this.cleanUp());
  }

  abstract get state(): string | undefined;
  /** Only requests the interrupt: the end of the turn comes as an event, and the core stops a program that ignores it. */
  protected abstract interruptTurn(): void;
  protected abstract setModel(model: string): Promise<void>;
  protected abstract setMode(mode: Mode): Promise<void>;
  protected abstract get busy(): boolean;
  protected abstract contentOf(input: PromptInput): Promise<Content>;
  protected abstract send(content: Content): Promise<void>;
  /** Must not reject, because callers may not await it. */
  protected abstract cleanUp(): Promise<void>;

  /** False until the first prompt: before it the program saves nothing, so there is nothing to resume. */
  protected get isKept(): boolean {
    return this.prompts > 0 || (this.options.state !== undefined && this.options.fork !== true);
  }

  /** The session as the program reports it; undefined for a program that reports no changes of model and mode. */
  protected get reported(): Pick<IntroducedSession, "mode" | "configure"> | undefined {
    return undefined;
  }

  async prompt(input: PromptInput): Promise<void> {
    const { name } = this.#program;
    if (this.#closing !== undefined) throw this.refused("invalid_input", "The session is closed.");
    if (this.incoming.gone) throw this.refused("agent_crashed", `${name} has ended.`);
    if (this.busy || this.#sending !== undefined)
      throw this.refused("session_busy", `${name} is already working on a prompt.`);
    const sending = (this.#sending = new AbortController());
    try {
      const content = await this.contentOf(input);
      if (sending.signal.aborted) throw this.refused("cancelled", "The prompt was cancelled before it was sent.");
      this.prompts++;
      this.incoming.prompted();
      await this.send(content);
    } finally {
      this.#sending = undefined;
    }
  }

  answer(requestId: string, answer: Answer): void {
    this.incoming.requests.answer(requestId, answer);
  }

  async configure({ model, mode }: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    const session = this.reported;
    if (model !== undefined) {
      await this.setModel(model);
      session?.configure({ model });
    }
    if (mode === undefined) return;
    const before = session?.mode;
    // Before the request, because the program reports its new mode together with its answer.
    session?.configure({ mode });
    try {
      await this.setMode(mode);
    } catch (error) {
      session?.configure({ mode: before });
      throw error;
    }
  }

  async cancel(): Promise<void> {
    this.#sending?.abort();
    this.interruptTurn();
    // After the interrupt: if the program read a denial first, the model would continue.
    this.incoming.requests.cancelAll();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.beforeClose();
    await this.#child.stop({ politely: true });
    await this.#cleaned;
  }

  /** Interrupts the turn; otherwise the program would finish it first. */
  protected beforeClose(): void {
    this.interruptTurn();
  }

  protected refused(code: ErrorCode, message: string, cause?: unknown): ReinsError {
    return new ReinsError(code, message, { agent: this.#program.id, cause });
  }
}

export interface Launch {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly secondChannel?: SecondChannel;
}

export async function launchSession(
  program: Program,
  { context, options, command }: { context: AgentContext; options: OpenOptions; command: Command },
  { args, ...launch }: Launch,
  create: (child: Child) => AgentSession & { open(): Promise<void> },
): Promise<AgentSession> {
  const child = await context.processes.launch({
    command: command.path,
    args: [...command.args, ...args],
    cwd: options.cwd,
    agent: program.id,
    sessionId: options.sessionId,
    stdin: "pipe",
    ...launch,
  });
  return openOrEnd(create(child), child, options.signal);
}
