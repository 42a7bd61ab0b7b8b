/** Carries out the effects of a session that reach outside: the agent, the user, the folder, clocks. Each reports back as an input. */
import { stat } from "node:fs/promises";
import type { Answer, PromptInput } from "../../agents/contract.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import { errorInfo, toReinsError } from "../../events/errors.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { unlessElsewhere } from "../../workspace/snapshot.ts";
import { cleanError } from "../redaction.ts";
import { newTurnId } from "../record/recorder.ts";
import { moveOn } from "../route/switch-agent.ts";
import type { SwitchHost } from "../route/switch-agent.ts";
import { supportedInput } from "../select/unsupported-options.ts";
import { AgentProcess, closedMeanwhile } from "./agent-process.ts";
import type { AfterAnswer, AfterCall } from "./after-steps.ts";
import { AfterTurn } from "./after-turn.ts";
import { FileChanges } from "./file-changes.ts";
import type { OuterEffect, TimerId } from "./inputs.ts";
import { checkedAnswer } from "./requests.ts";
import type { SessionRuntime } from "./runtime.ts";
import { SilenceTimer } from "./silence-timer.ts";
import { isCancelled, shouldSpeak } from "./state.ts";

type EffectOf<Name extends OuterEffect["do"]> = Extract<OuterEffect, { do: Name }>;

const onceOrNot: AgentEventOf<"permission.requested">["options"] = [
  { id: "yes", kind: "allow_once", label: "Allow" },
  { id: "no", kind: "reject_once", label: "Reject" },
];

export class EffectRunner {
  readonly process: AgentProcess;
  readonly afterTurn: AfterTurn;
  readonly silence: SilenceTimer;
  readonly #runtime: SessionRuntime;
  readonly #files: FileChanges;
  readonly #host: SwitchHost;
  #switch: Promise<void> | undefined;
  #search: AbortController | undefined;
  #after: AbortController | undefined;
  readonly #timers = new Map<TimerId, NodeJS.Timeout>();
  /** Requests that a callback of the user was asked; aborted when they are settled. */
  readonly #asked = new Map<string, AbortController>();
  readonly #afterAnswers = new Map<string, (answer: Answer) => void>();
  readonly #overs = new Map<string, PromiseWithResolvers<void>>();

  constructor(runtime: SessionRuntime) {
    this.#runtime = runtime;
    const { deps, recorder, route } = runtime;
    const { id: sessionId, cwd, deadlines, following } = deps;
    const { after, rules, processes, env } = following;
    this.process = new AgentProcess(runtime);
    this.#files = new FileChanges(
      unlessElsewhere(deps.repository, () => this.#capabilities.elsewhere === true),
      recorder,
    );
    this.silence = new SilenceTimer({
      quietMs: deadlines.quiet,
      maxQuietMs: deps.holder.options.maxQuietMs,
      shouldSpeak: () => !runtime.isPaused && shouldSpeak(runtime.state),
      silent: (seconds, hung) => runtime.dispatch({ type: "silence", seconds, hung }),
    });
    this.afterTurn = new AfterTurn({
      sessionId,
      cwd,
      processes,
      env,
      after,
      rules,
      agent: () => runtime.state.settings.holder.agent.id,
      deadlineMs: deadlines.after,
      say: (event) => {
        recorder.add(event);
        runtime.commit();
      },
      permit: (call, signal) => this.#permit(call, signal),
      warn: (message) => runtime.notice("warning", "continue", message),
    });
    this.#host = {
      route,
      holder: () => runtime.state.settings.holder,
      naming: (to) => runtime.dispatch({ type: "switch.start", to }),
      leave: () => this.leave(),
      hold: (holder, announce) =>
        runtime.dispatch({ type: "switch.hold", holder, resumeFrom: route.stateOf(holder.agent), announce }),
      open: () => this.open(),
      warn: (message) => runtime.notice("warning", "divergence", message),
    };
  }

  run(effect: OuterEffect): void {
    const { process } = this;
    const runtime = this.#runtime;
    const { deps } = runtime;
    switch (effect.do) {
      case "agent.open":
        return process.open(effect.leg);
      case "agent.prompt":
        return void this.#prompt(effect);
      case "agent.steer":
        return void this.#steer(effect);
      case "agent.answer":
        return process.sessionOf(effect.leg)?.answer(effect.requestId, effect.answer);
      case "agent.cancel":
        return void process
          .sessionOf(effect.leg)
          ?.cancel()
          .catch(() => this.#timers.has("cancel") && runtime.dispatch({ type: "timer", id: "cancel" }));
      case "agent.stop":
        return process.stop(effect.leg);
      case "agent.dismiss":
        return void process.dismiss(effect.leg);
      case "pool.leave":
        return deps.live.leave(runtime);
      case "ask":
        return runtime.afterAck(() => void this.#ask(effect));
      case "request.settled":
        this.#asked.get(effect.requestId)?.abort();
        this.#asked.delete(effect.requestId);
        runtime.requested.delete(effect.requestId);
        return this.#stopTimer(`request:${effect.requestId}`);
      case "after.answer":
        return this.#afterAnswers.get(effect.requestId)?.(effect.answer);
      case "save_rule": {
        const trouble = runtime.state.settings.holder.policy.remember(effect.rule);
        return trouble === undefined ? undefined : runtime.notice("warning", "policy", trouble);
      }
      case "timer.start":
        this.#stopTimer(effect.id);
        this.#timers.set(
          effect.id,
          setTimeout(() => runtime.dispatch({ type: "timer", id: effect.id }), effect.ms),
        );
        return;
      case "timer.stop":
        return this.#stopTimer(effect.id);
      case "silence.start":
        return this.silence.start();
      case "silence.stop":
        return this.silence.stop();
      case "take_snapshot":
        return void this.#files.take().then(() => runtime.dispatch({ type: "snapshot.done", id: effect.id }));
      case "switch_agent":
        return void this.#switchAgent(effect);
      case "switch.abort":
        return this.#search?.abort();
      case "finish":
        return this.#finish(effect);
      case "after.abort":
        return this.#after?.abort(effect.reason);
      case "failed":
        return deps.onAgentFailure(runtime.state.settings.holder.agent.id, effect.code);
      case "settle": {
        const result = runtime.results.get(effect.result.turn)!;
        return runtime.afterAck(() => effect.handle.complete(result));
      }
      case "result.forget":
        return this.#forget(effect.turn);
      case "refuse":
        return effect.handle.refuse(cleanError(effect.error, deps.redact));
      case "over":
        for (const turn of runtime.results.keys()) this.#forget(turn);
        return runtime.afterAck(() => this.#over(effect.chain));
      case "idle":
        return void deps.live.becameIdle();
    }
  }

  /** Starts the agent that holds the session; rejects where it does not start. */
  async open(): Promise<void> {
    if (this.process.closed.aborted) throw closedMeanwhile();
    this.#runtime.dispatch({ type: "open" });
    await this.process.opened;
  }

  /** Sends the current agent away; resolves when it is gone. */
  async leave(): Promise<void> {
    await this.process.opened.catch(() => {});
    this.#runtime.dispatch({ type: "switch.leave", state: this.process.session?.state });
    await this.process.left;
  }

  /** One switch after the other; a prompt that comes meanwhile is for the agent that has the session then. */
  async switching<Value>(work: (host: SwitchHost) => Promise<Value>): Promise<Value> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#switch;
    this.#switch = promise;
    this.#runtime.dispatch({ type: "switch.start" });
    try {
      await before;
      return await work(this.#host);
    } finally {
      resolve();
      if (this.#switch === promise) {
        this.#switch = undefined;
        this.#runtime.dispatch({ type: "switch.end" });
      }
    }
  }

  /** Resolves when the turn, and those that follow it by themselves, are over. */
  over(chain: string): Promise<void> {
    const over = this.#overs.get(chain) ?? Promise.withResolvers<void>();
    this.#overs.set(chain, over);
    return over.promise;
  }

  get #capabilities(): Capabilities {
    return this.#runtime.state.settings.holder.agent.capabilities;
  }

  /** What the agent can take of a prompt; what it cannot is said. */
  #taken(input: PromptInput): PromptInput {
    const [taken, refused] = supportedInput(this.#runtime.state.settings.holder.agent, input);
    for (const message of refused) this.#runtime.notice("warning", "divergence", message);
    return taken;
  }

  async #prompt({ leg, turn, attempt, instead, input, resumed }: EffectOf<"agent.prompt">): Promise<void> {
    const runtime = this.#runtime;
    try {
      const { holder } = runtime.state.settings;
      const given = instead ?? runtime.route.prompt(holder, this.#taken(input), resumed);
      const ready = this.#capabilities.hold.execute === "none" ? this.#files.taken : undefined;
      await this.process.prompt(leg, given, ready);
    } catch (thrown) {
      runtime.dispatch({ type: "prompt.failed", turn, attempt, error: errorInfo(toReinsError(thrown)) });
    }
  }

  async #steer({ leg, handle, input }: EffectOf<"agent.steer">): Promise<void> {
    const runtime = this.#runtime;
    try {
      await this.process.sessionOf(leg)!.steer!(this.#taken(input));
      runtime.dispatch({ type: "steer.done", handle });
    } catch (thrown) {
      runtime.dispatch({ type: "steer.failed", handle, error: cleanError(thrown, runtime.deps.redact) });
    }
  }

  /** A callback that throws is a denial, and says so; one that answers too late is ignored. */
  async #ask({ requestId }: EffectOf<"ask">): Promise<void> {
    const runtime = this.#runtime;
    const request = runtime.requested.get(requestId);
    // Settled before anybody was asked.
    if (request === undefined) return;
    const { onPermission, onQuestion } = runtime.state.settings.people;
    const abort = new AbortController();
    const { signal } = abort;
    this.#asked.set(requestId, abort);
    try {
      // After the request was shown, so that whoever is asked has seen it.
      await Promise.resolve();
      if (signal.aborted) return;
      const reply = await (request.type === "permission.requested"
        ? onPermission!(request, signal)
        : onQuestion!(request, signal));
      if (signal.aborted) return;
      runtime.dispatch({ type: "answer", requestId, answer: checkedAnswer(runtime.state, requestId, reply) });
    } catch (thrown) {
      const message = `The one who was asked failed: ${toReinsError(thrown).message}`;
      if (!signal.aborted) runtime.dispatch({ type: "ask.failed", requestId, message });
    }
  }

  async #permit(call: AfterCall, signal: AbortSignal): Promise<AfterAnswer> {
    const { deps, requestIds } = this.#runtime;
    const source = deps.following.afterSource;
    this.#runtime.dispatch({ type: "snapshot.wanted", tool: call.tool });
    await this.#files.taken;
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
    const requestId = requestIds.begin(call.callId);
    this.#afterAnswers.set(requestId, resolve);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
    const reason = source === "project" ? "It came with the project." : undefined;
    const event = {
      type: "permission.requested",
      ...call,
      requestId,
      reason,
      options: onceOrNot,
      synthetic: true,
    } as const;
    this.#runtime.dispatch({ type: "after.request", event, source });
    const answer = signal.aborted ? undefined : await promise;
    this.#afterAnswers.delete(requestId);
    if (answer?.decision === "allow") return "changedInput" in answer ? { changedInput: answer.changedInput } : {};
    return { denial: answer?.message ?? "It was not allowed." };
  }

  async #switchAgent({ turn, error }: EffectOf<"switch_agent">): Promise<void> {
    this.#search = new AbortController();
    const { signal } = this.#search;
    const found = await this.switching((host) => moveOn(host, error, signal)).catch(() => undefined);
    const instead = found === "again" ? this.#runtime.route.again() : undefined;
    const result = found === "switch" ? "switched" : found === "again" ? "same" : "none";
    this.#runtime.dispatch({ type: "switch.done", turn, result, instead });
  }

  #finish(effect: EffectOf<"finish">): void {
    const { turn, outcome, follow } = effect;
    const { turn: current, snapshot } = this.#runtime.state;
    const isFailed = outcome === "failed" || outcome === "interrupted";
    // A caller whose prompt ended a turn of subagents may still take it back.
    if (follow || isFailed || snapshot.ran || current?.endedByAgent !== true) return void this.#finishLater(effect);
    this.#files.forget();
    this.#runtime.dispatch({ type: "finish.done", turn, nextId: newTurnId() });
  }

  /** What follows a turn while it is still open: after-steps, the next prompt by a rule, and a look for changed files. */
  async #finishLater({ turn, outcome, follow }: EffectOf<"finish">): Promise<void> {
    // A cancel may come at once.
    const { signal } = (this.#after = new AbortController());
    await Promise.resolve();
    let nextPrompt: string | undefined;
    if (follow && !signal.aborted)
      nextPrompt = await this.afterTurn.of({ outcome, text: this.#runtime.recorder.endMessages() }, signal);
    const { turn: current, snapshot } = this.#runtime.state;
    const isFailed = (outcome === "failed" || outcome === "interrupted") && !isCancelled(current);
    if (isFailed && current?.spent === undefined) await this.#noticeMissingFolder();
    const incomplete = snapshot.ran && (await this.#files.find());
    this.#files.forget();
    this.#runtime.dispatch({ type: "finish.done", turn, nextPrompt, nextId: newTurnId(), incomplete });
  }

  async #noticeMissingFolder(): Promise<void> {
    const { cwd } = this.#runtime.deps;
    if (await stat(cwd).catch(() => undefined)) return;
    const message = `The folder ${cwd} is gone; make it again, or begin a session elsewhere.`;
    this.#runtime.notice("error", "workspace", message);
  }

  #over(chain: string): void {
    this.#overs.get(chain)?.resolve();
    this.#overs.delete(chain);
  }

  #forget(turn: string): void {
    const { results, state } = this.#runtime;
    if (!state.steers.some(({ result }) => result?.turn === turn)) results.delete(turn);
  }

  #stopTimer(id: TimerId): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }
}
