/** One conversation with the agent in this process. */
import type { ModelMessage } from "ai";
import { errorInfo, ReinsError, toReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { AgentEvent, AgentEventOf } from "../../events/types.ts";
import type { AgentSession, Answer, PromptInput, ToolFilter } from "../contract.ts";
import { EndTurn } from "../shared/endings.ts";
import { canCompact, compact, isNearlyFull } from "./compact.ts";
import { contextSize } from "./context-size.ts";
import type { Desk } from "./desk.ts";
import { chooseModel } from "./endpoints.ts";
import { userMessage } from "./input.ts";
import { converse } from "./loop.ts";
import type { ModelAnswer } from "./answer.ts";
import { encodeState } from "./state.ts";
import { Steering } from "./steering.ts";
import { Turn } from "./turn.ts";
import { contextUsed } from "./usage.ts";

interface Running {
  readonly abort: AbortController;
  readonly steering: Steering;
  readonly done: Promise<void>;
  /** The agent began it by itself. */
  readonly own: boolean;
}

export class NativeSession implements AgentSession {
  readonly #desk: Desk;
  readonly #end: () => Promise<void>;
  /** Told by whoever opened it, because the conversation may go on from an earlier one. */
  #firstPrompt: boolean;
  #running: Running | undefined;
  /** How often somebody cancelled: also what has not begun yet. */
  #cancels = 0;
  #closed = false;

  constructor(desk: Desk, { fresh, end }: { readonly fresh: boolean; readonly end: () => Promise<void> }) {
    this.#desk = desk;
    this.#firstPrompt = fresh;
    this.#end = end;
  }

  get events(): AsyncIterable<readonly AgentEvent[]> {
    return this.#desk.outbox;
  }

  get state(): string {
    return encodeState(this.#desk.transcript.id);
  }

  async prompt(input: PromptInput): Promise<void> {
    const { options, context, outbox } = this.#desk;
    const cancels = this.#cancels;
    const message = await userMessage(input, options.cwd, context.limits.promptBytes);
    // What it began by itself in the same moment comes first.
    while (this.#running?.own === true) await this.#running.done;
    if (this.#cancels !== cancels && !this.#closed) return outbox.push({ type: "turn.ended", outcome: "cancelled" });
    if (this.#closed) throw new ReinsError("session_not_found", "This session is closed.", { agent: "native" });
    if (this.#running !== undefined)
      throw new ReinsError("session_busy", "The agent is already working on a prompt.", { agent: "native" });
    const filter = this.#filter();
    this.#firstPrompt = false;
    if (input.text.trim() === "/compact") this.#start(filter, (turn) => this.#compactNow(turn));
    else this.#start(filter, (turn, steering) => this.#converse(turn, steering, [message]));
  }

  async steer(input: PromptInput): Promise<void> {
    const { options, context } = this.#desk;
    const message = await userMessage(input, options.cwd, context.limits.promptBytes);
    const running = this.#running;
    if (running === undefined || running.steering.over)
      throw new ReinsError("invalid_input", "The turn is over.", { agent: "native" });
    running.steering.add(message);
  }

  answer(requestId: string, answer: Answer): void {
    this.#desk.waiting.get(requestId)?.(answer);
  }

  async configure(change: { model?: string | undefined; mode?: Mode | undefined }): Promise<void> {
    if (change.model !== undefined) {
      this.#desk.model = chooseModel(change.model, this.#desk.env);
      this.#desk.usage.context = undefined;
    }
    this.#desk.mode = change.mode ?? this.#desk.mode;
  }

  async cancel(): Promise<void> {
    this.#cancels++;
    const running = this.#running;
    running?.abort.abort(new EndTurn("cancelled"));
    await Promise.all([running?.done, this.#desk.background.stop()]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.cancel();
    await this.#end();
    this.#desk.outbox.end();
  }

  /** A task in the background has ended. It is told in the turn that runs, or in one of its own. */
  reported(): void {
    if (this.#running !== undefined || this.#closed || !this.#desk.background.hasReports) return;
    this.#start(this.#filter(), (turn, steering) => this.#converse(turn, steering, []), true);
  }

  #filter(): ToolFilter {
    const { tools } = this.#desk.options;
    return (this.#firstPrompt ? tools?.first : undefined) ?? tools ?? {};
  }

  #start(filter: ToolFilter, work: (turn: Turn, steering: Steering) => Promise<void>, own = false): void {
    const abort = new AbortController();
    const steering = new Steering();
    const turn = new Turn(this.#desk, abort.signal, filter);
    this.#running = { abort, steering, own, done: this.#work(turn, steering, work, own) };
  }

  /** The turn from its beginning to its `turn.ended`. Never rejects. */
  async #work(
    turn: Turn,
    steering: Steering,
    work: (turn: Turn, steering: Steering) => Promise<void>,
    own: boolean,
  ): Promise<void> {
    const { outbox, transcript, usage, background } = this.#desk;
    const ended: AgentEventOf<"turn.ended"> = { type: "turn.ended", outcome: "done" };
    try {
      await work(turn, steering);
    } catch (thrown) {
      ended.outcome = thrown instanceof EndTurn ? thrown.outcome : "failed";
      const error = thrown instanceof EndTurn ? thrown.error : errorInfo(toReinsError(thrown));
      if (error !== undefined) ended.error = error;
    }
    steering.close();
    await transcript.settle("It was not finished: the turn ended.").catch(() => {});
    if (own) ended.origin = "agent";
    ended.usage = usage.take();
    ended.background = background.running;
    this.#running = undefined;
    outbox.push(ended);
    // Later, so that whoever waits for this turn can go on first.
    setImmediate(() => this.reported());
  }

  async #converse(turn: Turn, steering: Steering, messages: readonly ModelMessage[]): Promise<void> {
    const { transcript, background } = this.#desk;
    const news = (): ModelMessage[] => [
      ...background.take().map(({ text }): ModelMessage => ({ role: "user", content: text })),
      ...steering.take(),
    ];
    await transcript.add(...messages);
    await converse(turn, transcript, {
      between: async () => {
        await transcript.add(...news());
        if (isNearlyFull(turn) && canCompact(turn)) await compact(turn, "auto");
      },
      goOn: () => background.hasReports || !steering.finish(),
      answered: (answer) => this.#count(turn, answer),
      tooLong: () => this.#makeRoom(turn),
    });
  }

  async #count(turn: Turn, { tokens }: ModelAnswer): Promise<void> {
    const { usage, model, env } = this.#desk;
    const size = contextSize(model, env);
    usage.add(model.name, tokens);
    usage.context = { used: contextUsed(tokens), ...(size !== undefined && { size }) };
    await turn.emit(usage.event);
  }

  /** Once a turn: what is still too long then stays too long. */
  readonly #madeRoom = new WeakSet<Turn>();

  async #makeRoom(turn: Turn): Promise<boolean> {
    if (this.#madeRoom.has(turn) || !canCompact(turn)) return false;
    this.#madeRoom.add(turn);
    await compact(turn, "auto");
    return true;
  }

  async #compactNow(turn: Turn): Promise<void> {
    if (canCompact(turn)) await compact(turn, "manual");
    const text = "The conversation is summarised.";
    const messageId = turn.newId("message");
    turn.close({ type: "message.delta", messageId, text });
    turn.close({ type: "message.completed", messageId, text });
  }
}
