/** Carries out the effects of a session that reach outside: agent, user, folder, timers. Each reports back as an input. */
import { stat } from "node:fs/promises";
import type { Answer, PromptInput } from "../../agents/contract.ts";
import type { Capabilities } from "../../events/capabilities.ts";
import { errorInfo, toReinsError } from "../../events/errors.ts";
import type { AgentEventOf } from "../../events/types.ts";
import type { Snapshot } from "../../workspace/snapshot.ts";
import { cleanError } from "../redaction.ts";
import { newTurnId } from "../record/recorder.ts";
import { moveOn, type SwitchHost } from "../route/switch-agent.ts";
import { supportedInput } from "../select/unsupported-options.ts";
import { AgentProcess, closedMeanwhile } from "./agent-process.ts";
import type { AfterAnswer, AfterCall } from "./after-steps.ts";
import { AfterTurn } from "./after-turn.ts";
import type { EffectOf, OuterEffect, TimerId } from "./inputs.ts";
import { checkedAnswer } from "./requests.ts";
import type { SessionRuntime } from "./runtime.ts";
import { SilenceTimer } from "./silence-timer.ts";
import { isCancelled, shouldSpeak } from "./state.ts";

type Handlers = { readonly [Name in OuterEffect["do"]]: (effect: EffectOf<Name>) => unknown };

const onceOrNot: AgentEventOf<"permission.requested">["options"] = [
  { id: "yes", kind: "allow_once", label: "Allow" },
  { id: "no", kind: "reject_once", label: "Reject" },
];

export class EffectRunner {
  readonly process: AgentProcess;
  readonly afterTurn: AfterTurn;
  readonly silence: SilenceTimer;
  readonly #runtime: SessionRuntime;
  /** The folder before the turn changes it. */
  #before: Promise<Snapshot | undefined> | undefined;
  readonly #host: SwitchHost;
  #switch: Promise<void> | undefined;
  #search: AbortController | undefined;
  #after: AbortController | undefined;
  readonly #timers = new Map<TimerId, NodeJS.Timeout>();
  readonly #asked = new Map<string, AbortController>();
  readonly #afterAnswers = new Map<string, (answer: Answer) => void>();
  readonly #overs = new Map<string, PromiseWithResolvers<void>>();
  readonly #handlers: Handlers = {
    "agent.open": ({ leg }) => this.process.open(leg),
    "agent.prompt": (effect) => this.#prompt(effect),
    "agent.steer": (effect) => this.#steer(effect),
    "agent.answer": ({ leg, requestId, answer }) => this.process.sessionOf(leg)?.answer(requestId, answer),
    "agent.cancel": ({ leg }) => this.process.sessionOf(leg)?.cancel().catch(this.#cancelFailed),
    "agent.stop": ({ leg }) => this.process.stop(leg),
    "agent.dismiss": ({ leg }) => this.process.dismiss(leg),
    "pool.leave": () => this.#runtime.deps.live.leave(this.#runtime),
    ask: ({ requestId }) => this.#runtime.afterAck(() => void this.#ask(requestId)),
    "request.settled": ({ requestId }) => this.#requestSettled(requestId),
    "after.answer": ({ requestId, answer }) => this.#afterAnswers.get(requestId)?.(answer),
    save_rule: ({ rule }) => {
      const trouble = this.#runtime.state.settings.active.policy.remember(rule);
      if (trouble !== undefined) this.#runtime.notice("warning", "policy", trouble);
    },
    "timer.start": ({ id, ms }) => {
      this.#stopTimer(id);
      const fire = (): void => this.#runtime.dispatch({ type: "timer", id });
      this.#timers.set(id, setTimeout(fire, ms));
    },
    "timer.stop": ({ id }) => this.#stopTimer(id),
    "silence.start": () => this.silence.start(),
    "silence.stop": () => this.silence.stop(),
    take_snapshot: ({ id }) => {
      // A remote agent changes nothing here, and local changes are not its doing.
      const isElsewhere = this.#capabilities.elsewhere === true;
      this.#before = isElsewhere ? Promise.resolve(undefined) : this.#runtime.deps.repository.snapshot();
      void this.#before.then(() => this.#runtime.dispatch({ type: "snapshot.done", id }));
    },
    switch_agent: (effect) => this.#switchAgent(effect),
    "switch.abort": () => this.#search?.abort(),
    finish: (effect) => this.#finish(effect),
    "after.abort": ({ reason }) => this.#after?.abort(reason),
    failed: ({ code }) => this.#runtime.deps.onAgentFailure(this.#runtime.state.settings.active.agent.id, code),
    settle: ({ handle, result }) => {
      const completed = this.#runtime.results.get(result.turn)!;
      this.#runtime.afterAck(() => handle.complete(completed));
    },
    "result.forget": ({ turn }) => this.#forget(turn),
    refuse: ({ handle, error }) => handle.refuse(cleanError(error, this.#runtime.deps.redact)),
    over: ({ chain }) => {
      for (const turn of this.#runtime.results.keys()) this.#forget(turn);
      this.#runtime.afterAck(() => {
        this.#overs.get(chain)?.resolve();
        this.#overs.delete(chain);
      });
    },
    idle: () => this.#runtime.deps.live.becameIdle(),
  };

  constructor(runtime: SessionRuntime) {
    this.#runtime = runtime;
    const { deps, recorder, route } = runtime;
    const { id: sessionId, cwd, deadlines, following } = deps;
    const { after, rules, processes, env } = following;
    this.process = new AgentProcess(runtime);
    this.silence = new SilenceTimer({
      quietMs: deadlines.quiet,
      maxQuietMs: deps.active.options.maxQuietMs,
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
      agent: () => runtime.state.settings.active.agent.id,
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
      active: () => runtime.state.settings.active,
      naming: (to) => runtime.dispatch({ type: "switch.start", to }),
      leave: () => this.leave(),
      activate: (active, announce) => {
        const resumeFrom = route.knowledge.stateOf(active.agent.id);
        runtime.dispatch({ type: "switch.activate", active, resumeFrom, announce });
      },
      open: () => this.open(),
      warn: (message) => runtime.notice("warning", "divergence", message),
    };
  }

  run(effect: OuterEffect): void {
    (this.#handlers[effect.do] as (effect: OuterEffect) => void)(effect);
  }

  async open(): Promise<void> {
    if (this.process.closed.aborted) throw closedMeanwhile();
    this.#runtime.dispatch({ type: "open" });
    await this.process.opened;
  }

  async leave(): Promise<void> {
    await this.process.opened.catch(() => {});
    this.#runtime.dispatch({ type: "switch.leave", state: this.process.session?.state });
    await this.process.left;
  }

  /** Runs switches one after another. A prompt that arrives meanwhile goes to the agent that holds the session afterwards. */
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

  /** Resolves when the turn and the turns that continue it automatically are over. */
  over(chain: string): Promise<void> {
    const over = this.#overs.get(chain) ?? Promise.withResolvers<void>();
    this.#overs.set(chain, over);
    return over.promise;
  }

  get #capabilities(): Capabilities {
    return this.#runtime.state.settings.active.agent.capabilities;
  }

  #taken(input: PromptInput): PromptInput {
    const [taken, refused] = supportedInput(this.#runtime.state.settings.active.agent, input);
    for (const message of refused) this.#runtime.notice("warning", "divergence", message);
    return taken;
  }

  async #prompt({ leg, turn, attempt, instead, input, resumed }: EffectOf<"agent.prompt">): Promise<void> {
    const runtime = this.#runtime;
    try {
      const { active } = runtime.state.settings;
      const given = instead ?? runtime.route.prompt(active, this.#taken(input), resumed);
      const ready = this.#capabilities.hold.execute === "none" ? this.#before : undefined;
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

  /** A callback that throws denies the request and reports it. A late answer is ignored. */
  async #ask(requestId: string): Promise<void> {
    const runtime = this.#runtime;
    const request = runtime.requested.get(requestId);
    if (request === undefined) return;
    const { onPermission, onQuestion } = runtime.state.settings.people;
    const abort = new AbortController();
    const { signal } = abort;
    this.#asked.set(requestId, abort);
    try {
      // Call back after readers have seen the request.
      await Promise.resolve();
      if (signal.aborted) return;
      const reply = await (request.type === "permission.requested"
        ? onPermission!(request, signal)
        : onQuestion!(request, signal));
      if (signal.aborted) return;
      runtime.dispatch({ type: "answer", requestId, answer: checkedAnswer(runtime.state, requestId, reply) });
    } catch (thrown) {
      const message = `The callback failed: ${toReinsError(thrown).message}`;
      if (!signal.aborted) runtime.dispatch({ type: "ask.failed", requestId, message });
    }
  }

  async #permit(call: AfterCall, signal: AbortSignal): Promise<AfterAnswer> {
    const { deps, requestIds } = this.#runtime;
    const source = deps.following.afterSource;
    this.#runtime.dispatch({ type: "snapshot.wanted", tool: call.tool });
    await this.#before;
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
    // A caller whose prompt ended a turn of subagents may still withdraw it.
    if (follow || isFailed || snapshot.ran || current?.endedByAgent !== true) return void this.#finishLater(effect);
    this.#before = undefined;
    this.#runtime.dispatch({ type: "finish.done", turn, nextId: newTurnId() });
  }

  /** Work after a turn while it is still open: after-steps, the next prompt by a rule, and the search for changed files. */
  async #finishLater({ turn, outcome, follow }: EffectOf<"finish">): Promise<void> {
    // A cancel may arrive immediately.
    const { signal } = (this.#after = new AbortController());
    await Promise.resolve();
    let nextPrompt: string | undefined;
    if (follow && !signal.aborted)
      nextPrompt = await this.afterTurn.of({ outcome, text: this.#runtime.recorder.endMessages() }, signal);
    const { turn: current, snapshot } = this.#runtime.state;
    const isFailed = (outcome === "failed" || outcome === "interrupted") && !isCancelled(current);
    if (isFailed && current?.spent === undefined) await this.#noticeMissingFolder();
    const incomplete = snapshot.ran && (await this.#recordUnreported());
    this.#before = undefined;
    this.#runtime.dispatch({ type: "finish.done", turn, nextPrompt, nextId: newTurnId(), incomplete });
  }

  /** Law 9: records files that changed in the turn and were not reported. Returns true when this is unknown. */
  async #recordUnreported(): Promise<boolean> {
    const { deps, recorder } = this.#runtime;
    const before = await this.#before;
    const changes = before && (await deps.repository.changesSince(before));
    if (changes === undefined) return true;
    const reported = recorder.reportedFiles;
    for (const change of changes)
      if (!reported.has(change.path)) recorder.add({ type: "file.changed", ...change, synthetic: true });
    return false;
  }

  async #noticeMissingFolder(): Promise<void> {
    const { cwd } = this.#runtime.deps;
    if (await stat(cwd).catch(() => undefined)) return;
    const message = `The folder ${cwd} does not exist any more. Create it again, or start a session in another folder.`;
    this.#runtime.notice("error", "workspace", message);
  }

  #forget(turn: string): void {
    const { results, state } = this.#runtime;
    if (!state.steers.some(({ result }) => result?.turn === turn)) results.delete(turn);
  }

  readonly #cancelFailed = (): void => {
    if (this.#timers.has("cancel")) this.#runtime.dispatch({ type: "timer", id: "cancel" });
  };

  #requestSettled(requestId: string): void {
    this.#asked.get(requestId)?.abort();
    this.#asked.delete(requestId);
    this.#runtime.requested.delete(requestId);
    this.#stopTimer(`request:${requestId}`);
  }

  #stopTimer(id: TimerId): void {
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }
}
