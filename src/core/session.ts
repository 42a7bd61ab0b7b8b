import { errorInfo, ReinsError, toReinsError } from "../events/errors.ts";
import type { Mode } from "../events/modes.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { PermissionReply, Prompt, QuestionReply, Session, Turn, TurnOptions } from "./api.ts";
import type { People } from "./asking.ts";
import { cleanError } from "./clean-error.ts";
import { takenOf } from "./divergences.ts";
import { Hearing } from "./hearing.ts";
import { refuseMode } from "./policy/mode.ts";
import type { Policy } from "./policy/policy.ts";
import { promptInput } from "./prompt.ts";
import { busyError, Prompting } from "./prompting.ts";
import { Moving } from "./route/moving.ts";
import type { Remark, SessionContext } from "./session-context.ts";
import { makeParts } from "./session-parts.ts";
import type { SessionParts } from "./session-parts.ts";
import { Stopping } from "./stopping.ts";
import { TurnHandle } from "./turn-handle.ts";
import type { TurnOwner } from "./turn-handle.ts";
import { Turns } from "./turns.ts";

/** A conversation: one agent at a time, one turn at a time, every event through one record. */
export class CoreSession implements Session, TurnOwner {
  readonly id: string;
  readonly cwd: string;
  readonly #context: SessionContext;
  readonly #parts: SessionParts;
  readonly #turns: Turns;
  readonly #moving: Moving;
  readonly #stopping: Stopping;
  readonly #prompting: Prompting;
  #closed: Promise<void> | undefined;

  constructor(context: SessionContext) {
    this.#context = context;
    this.id = context.id;
    this.cwd = context.cwd;
    const parts = makeParts(context, { hearing: () => hearing, stopping: () => stopping });
    const turns = new Turns({
      ...parts,
      movesOn: (turn, ending) => moving.movesOn(turn, ending),
      overBudget: (error) => void stopping.overBudget(error),
    });
    const moving = new Moving({ ...parts, turns });
    const stopping = new Stopping({ ...parts, turns });
    const hearing = new Hearing({ ...parts, turns, moving, stopping });
    this.#parts = parts;
    this.#turns = turns;
    this.#moving = moving;
    this.#stopping = stopping;
    this.#prompting = new Prompting({ ...parts, turns });
  }

  get agent(): string {
    return this.#parts.settings.agent.id;
  }

  get mode(): Mode {
    return this.#parts.settings.chosenMode;
  }

  get resumedAt(): number {
    return this.#context.resumed?.session.lastSeq ?? 0;
  }

  get state(): string | undefined {
    return this.#parts.legs.state;
  }

  get isLive(): boolean {
    return !this.#parts.state.isClosing && this.#parts.legs.isLive;
  }

  /** Starts the agent, so that the first prompt finds it warm and what is wrong is known at once. One that has to wait says so. */
  async open(): Promise<void> {
    const { state, legs, handover, resting } = this.#parts;
    const signal = state.closing;
    // Whom somebody asked for by name is not passed over.
    const named = this.#context.heldBefore !== undefined;
    if (!named) await handover.atStart(signal);
    try {
      await Promise.race([legs.get(), resting.hasToWait]);
    } catch (thrown) {
      if (named || (await handover.move(errorInfo(toReinsError(thrown)), signal)) === undefined) throw thrown;
      await legs.get();
    }
  }

  /** Somebody takes over a session that was opened before anybody asked for it. */
  adopt(people: People, toSay: readonly Remark[], policy: Policy): void {
    this.#parts.settings.adopt(people, toSay, policy);
  }

  /** Something a person should know of this session. */
  warn(code: string, message: string): void {
    this.#parts.journal.say("warning", code, message);
  }

  prompt(prompt: Prompt, options: TurnOptions = {}): Turn {
    const handle = new TurnHandle(options.id);
    this.submit(handle, prompt, options);
    return handle;
  }

  submit(handle: TurnHandle, prompt: Prompt, options: TurnOptions): void {
    const { limits, redact } = this.#context;
    try {
      const input = promptInput(prompt, limits.promptBytes);
      takenOf(this.#parts.settings.agent, input);
      this.#refuseClosed();
      if (options.signal?.aborted === true)
        throw new ReinsError("cancelled", "The prompt was cancelled before it was sent.");
      handle.own(this);
      this.#prompting.begin({ handle, input, options });
    } catch (thrown) {
      handle.refuse(cleanError(thrown, redact));
    }
  }

  async *events(options: { readonly after?: number; readonly signal?: AbortSignal } = {}): AsyncGenerator<ReinsEvent> {
    const batches = this.#context.log.read(options.after ?? 0);
    const stop = () => void batches.return?.();
    options.signal?.addEventListener("abort", stop, { once: true });
    try {
      if (options.signal?.aborted === true) return;
      for await (const batch of batches) yield* batch;
    } finally {
      options.signal?.removeEventListener("abort", stop);
      stop();
    }
  }

  answer(requestId: string, reply: PermissionReply | QuestionReply): void {
    this.#parts.intake.answer(requestId, reply);
  }

  async configure(wanted: { readonly model?: string; readonly mode?: Mode }): Promise<void> {
    const { settings, recorder, journal, intake, legs, resting } = this.#parts;
    this.#refuseClosed();
    const change = wanted.model === undefined ? wanted : { ...wanted, model: settings.holder.ownModel(wanted.model) };
    if (change.mode !== undefined) refuseMode(settings.agent, change.mode);
    // One that is just being started was started with the old ones.
    await legs.settled();
    const telling = settings.whileTold(change.mode, () => legs.current?.session.configure(change));
    await resting.notDuring(telling).catch((thrown: unknown) => {
      throw cleanError(thrown, this.#context.redact);
    });
    settings.choose(change);
    if (change.mode !== undefined) intake.forgetPlan();
    recorder.say({ type: "session.updated", ...change, by: "person" });
    void journal.flush();
  }

  /** Another agent goes on, with what was said so far; also with the turn that runs. */
  async handoff({ to }: { readonly to: string }): Promise<void> {
    const { state, settings, handover } = this.#parts;
    try {
      this.#refuseClosed();
      const next = await this.#context.route.prepare(to, settings.chosenMode);
      // What follows a turn by itself belongs to it.
      while (state.turn?.phase === "ending" || state.turn?.isStopped === true) await state.turn.over;
      const { turn } = state;
      if (turn?.isPrompted === false) throw busyError(this.agent);
      handover.refuse(next, turn?.phase === "moving");
      if (turn === undefined) await handover.request(next);
      else await this.#moving.giveAway(turn, next);
    } catch (thrown) {
      throw cleanError(thrown, this.#context.redact);
    }
  }

  async cancel(): Promise<void> {
    const { state, queue } = this.#parts;
    queue.cancelAll();
    if (state.turn !== undefined) await this.#stopping.cancel(state.turn);
  }

  async cancelTurn(handle: TurnHandle): Promise<void> {
    const { state, queue } = this.#parts;
    if (queue.cancel(handle)) return;
    if (state.turn?.handles.has(handle) === true) await this.#stopping.cancel(state.turn);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #refuseClosed(): void {
    if (this.#parts.state.isClosing) throw new ReinsError("invalid_input", "The session is closed.");
  }

  async #close(): Promise<void> {
    const { state, settings, queue, intake, legs, pace } = this.#parts;
    queue.cancelAll();
    pace.letGo();
    state.close();
    state.turn?.abandon();
    // One that works elsewhere goes on there: its turn is not cancelled, and it says so itself.
    if (settings.agent.capabilities.elsewhere !== true) state.turn?.cancel();
    intake.cancelPending();
    await legs.close();
    const { turn } = state;
    await this.#turns.end({ outcome: "cancelled" });
    await turn?.over;
    this.#context.log.end();
    this.#context.onClose();
  }
}
