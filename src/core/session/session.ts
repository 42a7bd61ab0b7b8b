import { errorInfo, ReinsError, toReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { ReinsEvent } from "../../events/types.ts";
import type { PermissionReply, Prompt, QuestionReply, Session, Turn, TurnOptions } from "../api.ts";
import { cleanError } from "../redaction.ts";
import type { EventBatch, ReadOptions } from "../log/event-batch.ts";
import { refuseMode } from "../permissions/decide.ts";
import type { Policy } from "../policy/policy.ts";
import type { Candidate } from "../route/session-route.ts";
import { handOver, moveAtStart, moveOn } from "../route/switch-agent.ts";
import { supportedInput } from "../select/unsupported-options.ts";
import type { SessionDeps } from "./deps.ts";
import { promptInput } from "./prompt-input.ts";
import { checkedAnswer } from "./requests.ts";
import { SessionRuntime } from "./runtime.ts";
import { isFinal, type People, type StartNotice, type TurnState } from "./state.ts";
import { busyError, closedError } from "./turn.ts";
import { TurnHandle, type TurnOwner } from "./turn-handle.ts";

/** Implements `Session`: one agent and one turn at a time, all events through one recorder. Converts calls to inputs of the runtime. */
export class CoreSession implements Session, TurnOwner {
  readonly id: string;
  readonly cwd: string;
  readonly #deps: SessionDeps;
  readonly #runtime: SessionRuntime;
  #closed: Promise<void> | undefined;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    this.id = deps.id;
    this.cwd = deps.cwd;
    this.#runtime = new SessionRuntime(deps);
  }

  get agent(): string {
    return this.#runtime.state.settings.active.agent.id;
  }

  get mode(): Mode {
    return this.#runtime.state.settings.chosenMode;
  }

  get resumedAt(): number {
    return this.#deps.resumed?.session.lastSeq ?? 0;
  }

  get state(): string | undefined {
    return this.#runtime.agentState;
  }

  get isLive(): boolean {
    const { lifecycle, leg } = this.#runtime.state;
    return lifecycle === "open" && leg.is !== "none";
  }

  /**
   * Starts the agent, so that the first prompt finds it warm and problems show at once. Resolves early when the agent
   * has to wait for room.
   */
  async open(): Promise<void> {
    const { effects } = this.#runtime;
    const signal = effects.process.closed;
    // Do not skip an agent that was requested by name.
    const isNamed = this.#deps.previousAgent !== undefined;
    if (!isNamed) await effects.switching((host) => moveAtStart(host, signal));
    try {
      await Promise.race([effects.open(), effects.process.hasToWait]);
    } catch (thrown) {
      const error = errorInfo(toReinsError(thrown));
      const found = isNamed ? undefined : await effects.switching((host) => moveOn(host, error, signal));
      if (found === undefined) throw thrown;
      await effects.open();
    }
  }

  /** Hands a session that was opened ahead of time to its caller. */
  claimWarm(people: People, notices: readonly StartNotice[], policy: Policy): void {
    this.#runtime.dispatch({ type: "claim", people, notices, policy });
  }

  warn(code: string, message: string): void {
    this.#runtime.notice("warning", code, message);
  }

  prompt(prompt: Prompt, options: TurnOptions = {}): Turn {
    const handle = new TurnHandle(options.id);
    this.submit(handle, prompt, options);
    return handle;
  }

  submit(handle: TurnHandle, prompt: Prompt, options: TurnOptions): void {
    const { limits, redact } = this.#deps;
    try {
      const input = promptInput(prompt, limits.promptBytes);
      supportedInput(this.#runtime.state.settings.active.agent, input);
      this.#refuseClosed();
      if (options.signal?.aborted === true)
        throw new ReinsError("cancelled", "The prompt was cancelled before it was sent.");
      handle.own(this);
      this.#runtime.dispatch({ type: "prompt", prompt: { handle, input, whenBusy: options.whenBusy ?? "reject" } });
      handle.cancelOn(options.signal);
    } catch (thrown) {
      handle.refuse(cleanError(thrown, redact));
    }
  }

  async *events(options: ReadOptions = {}): AsyncGenerator<ReinsEvent> {
    for await (const batch of this.batches(options)) yield* batch.events;
  }

  async *batches({ after = 0, signal }: ReadOptions): AsyncGenerator<EventBatch> {
    const batches = this.#deps.log.read(after);
    const stop = () => void batches.return?.();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      if (signal?.aborted !== true) yield* batches;
    } finally {
      signal?.removeEventListener("abort", stop);
      stop();
    }
  }

  answer(requestId: string, reply: PermissionReply | QuestionReply): void {
    const answer = checkedAnswer(this.#runtime.state, requestId, reply);
    this.#runtime.dispatch({ type: "answer", requestId, answer });
  }

  setPresence(present: boolean): void {
    this.#runtime.dispatch({ type: "presence", present });
  }

  async configure(wanted: { readonly model?: string; readonly mode?: Mode }): Promise<void> {
    const runtime = this.#runtime;
    const { process } = runtime.effects;
    this.#refuseClosed();
    const { active } = runtime.state.settings;
    const change = wanted.model === undefined ? { ...wanted } : { ...wanted, model: active.ownModel(wanted.model) };
    if (change.mode !== undefined) refuseMode(active.agent, change.mode);
    // An agent that is just starting was started with the old settings.
    await process.opened.catch(() => {});
    runtime.dispatch({ type: "configure.start", change });
    try {
      await process.session?.configure(change);
    } catch (thrown) {
      runtime.dispatch({ type: "configure.failed", change });
      throw cleanError(thrown, this.#deps.redact);
    }
    runtime.dispatch({ type: "configure.done", change });
  }

  async handoff({ to }: { readonly to: string }): Promise<void> {
    const { effects } = this.#runtime;
    try {
      this.#refuseClosed();
      const next = await this.#deps.route.prepare(to, this.mode);
      for (let turn = this.#turn; turn !== undefined; turn = this.#turn) {
        // Turns that continue a turn automatically belong to it.
        if (turn.phase !== "finishing" && !isFinal(turn)) break;
        await effects.over(turn.chain);
      }
      if (this.#turn?.origin === "agent") throw busyError(this.agent);
      this.#refuseHandoff(next);
      if (this.#turn === undefined) await effects.switching((host) => handOver(host, next));
      else await this.#giveAway(this.#turn, next);
    } catch (thrown) {
      throw cleanError(thrown, this.#deps.redact);
    }
  }

  async cancel(): Promise<void> {
    const turn = this.#turn;
    this.#runtime.dispatch({ type: "cancel" });
    if (turn !== undefined) await this.#over(turn);
  }

  async cancelTurn(handle: TurnHandle): Promise<void> {
    const turn = this.#turn;
    this.#runtime.dispatch({ type: "cancel", handle });
    if (turn?.handles.includes(handle) === true) await this.#over(turn);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #turn(): TurnState | undefined {
    return this.#runtime.state.turn;
  }

  async #over({ chain }: TurnState): Promise<void> {
    if (this.#turn?.chain === chain) await this.#runtime.effects.over(chain);
  }

  #refuseClosed(): void {
    if (this.#runtime.state.lifecycle === "closing") throw closedError();
  }

  #refuseHandoff({ agent }: Candidate): void {
    const { switching, settings } = this.#runtime.state;
    if (switching?.to !== undefined || this.#turn?.phase === "switching") {
      const whom = switching?.to === undefined ? "" : ` to ${switching.to}`;
      throw new ReinsError("session_busy", `The session is being handed over${whom} already.`, {
        help: "Wait until that is done.",
      });
    }
    if (agent.id !== settings.active.agent.id) return;
    throw new ReinsError("invalid_input", `${agent.name} has the session already.`, { agent: agent.id });
  }

  async #giveAway({ id: turn }: TurnState, next: Candidate): Promise<void> {
    const runtime = this.#runtime;
    const { effects } = runtime;
    runtime.dispatch({ type: "handoff.start", turn });
    // Stop the old agent first, so that its remaining events do not come in between.
    await effects.switching(() => effects.leave());
    if (this.#turn?.id !== turn || this.#turn.phase === "finishing")
      throw new ReinsError("cancelled", "The turn ended before the session was handed over.");
    runtime.dispatch({ type: "handoff.left", turn });
    try {
      await effects.switching((host) => handOver(host, next));
    } catch (thrown) {
      runtime.dispatch({ type: "switch.done", turn, result: "failed", error: errorInfo(toReinsError(thrown)) });
      throw thrown;
    }
    runtime.dispatch({ type: "switch.done", turn, result: "switched" });
  }

  async #close(): Promise<void> {
    const runtime = this.#runtime;
    runtime.dispatch({ type: "close" });
    await runtime.effects.process.close();
    const turn = this.#turn;
    runtime.dispatch({ type: "close.finish" });
    if (turn !== undefined) await this.#over(turn);
    await new Promise<void>((resolve) => runtime.afterAck(resolve));
    this.#deps.log.end();
    this.#deps.onClose();
  }
}
