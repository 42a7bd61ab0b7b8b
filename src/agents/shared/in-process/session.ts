/** Session of an agent that runs in this process: everything except the work of its turns. */
import { errorInfo, ReinsError, toReinsError } from "../../../events/errors.ts";
import type { Mode } from "../../../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../../../events/types.ts";
import type { AgentSession, Answer, PromptInput, ToolFilter } from "../../contract.ts";
import { EndTurn } from "./stop-turn.ts";
import type { InProcessTurn, TurnContext } from "./turn.ts";

type TurnClass<Context, Turn> = new (context: Context, signal: AbortSignal, filter: ToolFilter) => Turn;

interface Running<Turn> {
  readonly turn: Turn;
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** The agent started this turn, not the user. */
  readonly own: boolean;
}

export abstract class InProcessSession<
  Context extends TurnContext,
  Turn extends InProcessTurn<Context>,
> implements AgentSession {
  protected readonly context: Context;
  readonly #Turn: TurnClass<Context, Turn>;
  #firstPrompt: boolean;
  #running: Running<Turn> | undefined;
  /** A counter, because a cancel may come before the turn has begun. */
  #cancels = 0;
  #closed = false;

  constructor(context: Context, turnClass: TurnClass<Context, Turn>) {
    this.context = context;
    this.#Turn = turnClass;
    this.#firstPrompt = context.options.state === undefined;
    context.background.reported = () => this.idle();
  }

  abstract get state(): string;

  /** Returns the work of a turn. Throws when the prompt cannot be accepted. */
  protected abstract prepare(input: PromptInput): Promise<(turn: Turn) => Promise<void>>;

  /** Called before the turn ends, to add fields to its `turn.ended` event. */
  protected ending?(turn: Turn, ended: AgentEventOf<"turn.ended">): Promise<void>;

  /** Called when no turn runs, so that the agent can report results of background tasks. */
  protected abstract idle(): void;

  /** Background tasks outlive a cancelled turn unless the agent overrides this. */
  protected async stopTasks(why: "cancelled" | "closed"): Promise<void> {
    if (why === "closed") await this.context.background.stop();
  }

  started(facts: Pick<AgentEventOf<"session.started">, "model" | "tools" | "agentVersion">): void {
    const { mode, cwd, state } = this.context.options;
    const resumed = state !== undefined;
    this.context.outbox.push({ type: "session.started", mode, cwd, resumed, state: this.state, ...facts });
  }

  get events(): AsyncIterable<readonly AgentEvent[]> {
    return this.context.outbox;
  }

  protected get turn(): Turn | undefined {
    return this.#running?.turn;
  }

  async prompt(input: PromptInput): Promise<void> {
    const cancels = this.#cancels;
    const work = await this.prepare(input);
    // A turn that the agent started at the same moment comes first.
    while (this.#running?.own === true) await this.#running.done;
    if (this.#closed) throw this.#error("session_not_found", "This session is closed.");
    if (this.#cancels !== cancels) return this.context.outbox.push({ type: "turn.ended", outcome: "cancelled" });
    if (this.#running !== undefined) throw this.#error("session_busy", "The agent is already working on a prompt.");
    this.start(work);
    this.#firstPrompt = false;
  }

  answer(requestId: string, answer: Answer): void {
    this.context.requests.answer(requestId, answer);
  }

  async configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    this.context.mode = change.mode ?? this.context.mode;
  }

  async cancel(): Promise<void> {
    this.#cancels++;
    const running = this.#running;
    running?.abort.abort(new EndTurn("cancelled"));
    await Promise.all([running?.done, this.stopTasks("cancelled")]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.cancel();
    await this.stopTasks("closed");
    this.context.outbox.end();
  }

  protected get mayStart(): boolean {
    return this.#running === undefined && !this.#closed;
  }

  protected start(work: (turn: Turn) => Promise<void>, own = false): void {
    const abort = new AbortController();
    const turn = new this.#Turn(this.context, abort.signal, toolFilter(this.context, this.#firstPrompt));
    this.#running = { turn, abort, own, done: this.#work(turn, work, own) };
  }

  /** Runs the turn from its beginning to its `turn.ended`. Never rejects. */
  async #work(turn: Turn, work: (turn: Turn) => Promise<void>, own: boolean): Promise<void> {
    const ended: AgentEventOf<"turn.ended"> = { type: "turn.ended", outcome: "done" };
    try {
      await work(turn);
    } catch (thrown) {
      ended.outcome = thrown instanceof EndTurn ? thrown.outcome : "failed";
      const error = thrown instanceof EndTurn ? thrown.error : errorInfo(toReinsError(thrown));
      if (error !== undefined) ended.error = error;
    }
    if (own) ended.origin = "agent";
    await this.ending?.(turn, ended);
    ended.background = this.context.background.running;
    this.#running = undefined;
    this.context.outbox.push(ended);
    // Deferred, so that callers that wait for this turn continue first.
    setImmediate(() => this.idle());
  }

  #error(code: "session_not_found" | "session_busy", message: string): ReinsError {
    return new ReinsError(code, message, { agent: this.context.agent });
  }
}

/** The first prompt of a conversation may have its own filter. */
export function toolFilter({ options }: Pick<TurnContext, "options">, firstPrompt: boolean): ToolFilter {
  return (firstPrompt ? options.tools?.first : undefined) ?? options.tools ?? {};
}
