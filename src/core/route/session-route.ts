/** The route of one session: decides whether a failed turn continues, with which agent, and with which briefing. */
import type { Agent, HistoryMessage, PromptInput } from "../../agents/contract.ts";
import type { SessionOptions } from "../api.ts";
import type { Policy } from "../policy/policy.ts";
import { longestMs } from "../../events/deadlines.ts";
import { toReinsError, type ErrorInfo } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { Redactor } from "../../events/redact.ts";
import type { AgentEventOf, ReinsEvent } from "../../events/types.ts";
import { AgentKnowledge } from "./agent-knowledge.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import { isSlow, failureAction, type RouteChoices, type FailureAction } from "./failure-actions.ts";
import { behind } from "./route-options.ts";
import { TurnSideEffects } from "./side-effects.ts";

export interface ActiveAgent {
  /** Name in the route: an agent id, or the name of an agent file. */
  readonly name: string;
  readonly agent: Agent;
  readonly options: SessionOptions;
  readonly ownModel: (name: string) => string;
  readonly policy: Policy;
}

export interface Candidate extends ActiveAgent {
  readonly remarks: readonly string[];
  /** Context size of its model in tokens, when known. */
  readonly contextSize: number | undefined;
}

export interface Route {
  readonly names: readonly string[];
  readonly choices: RouteChoices;
  readonly breaker: CircuitBreaker;
  /** Throws when the agent is not ready or cannot do what the session needs. */
  readonly prepare: (name: string, mode: Mode) => Promise<Candidate>;
}

export interface SessionRouteOptions {
  readonly route: Route;
  readonly keep: ((briefing: string) => string | undefined) | undefined;
  readonly mode: () => Mode;
  readonly knowsPast: boolean;
  readonly redact: Redactor;
  readonly say: (code: "route" | "waiting", message: string) => void;
  readonly now?: () => number;
}

export type SwitchStep = { readonly do: "again" } | { readonly do: "switch"; readonly next: Candidate };

export class SessionRoute {
  readonly #o: SessionRouteOptions;
  readonly #now: () => number;
  readonly knowledge = new AgentKnowledge();
  readonly #sideEffects = new TurnSideEffects();
  readonly #tried = new Set<string>();
  readonly #waited = new Set<string>();
  #toldAsHistory: string | undefined;

  constructor(options: SessionRouteOptions) {
    this.#o = options;
    this.#now = options.now ?? Date.now;
  }

  follow(event: ReinsEvent): void {
    this.#sideEffects.follow(event);
    // Deltas are most of a long stream and are not needed here.
    if (event.type === "message.delta" || event.type === "thought.delta") return;
    this.knowledge.follow(event);
    if (event.type === "turn.started") {
      this.#tried.clear();
      this.#waited.clear();
    }
    if (event.type !== "turn.completed") return;
    if (event.outcome === "done") this.#o.route.breaker.clear(event.agent);
    else if (event.outcome === "failed" && event.error !== undefined)
      this.#o.route.breaker.failed(event.agent, event.error);
  }

  /** Whether the turn continues after this failure, as far as known at once. `why` is a reason to report when it does not. */
  afterFailure(from: ActiveAgent, error: ErrorInfo): { readonly goesOn: boolean; readonly why?: string | undefined } {
    const verdict = this.#verdict(from, error);
    return verdict.do === "stop" ? { goesOn: false, why: verdict.why } : { goesOn: true };
  }

  isTooSlow(from: ActiveAgent, retry: AgentEventOf<"agent.retrying">): boolean {
    if (this.#left(from).length === 0 || retry.parent !== undefined) return false;
    const { choices } = this.#o.route;
    return isSlow(retry, choices, this.#now()) && this.#verdict(from, retry.error).do === "move";
  }

  /** Waits, or finds another agent. Undefined when the turn ends after all. */
  async next(from: ActiveAgent, error: ErrorInfo, signal: AbortSignal): Promise<SwitchStep | undefined> {
    const verdict = this.#verdict(from, error);
    this.#failed(from.agent, error);
    if (verdict.do === "stop") return undefined;
    if (verdict.do === "move") return this.elsewhere(from, signal);
    this.#waited.add(from.name);
    return (await this.#wait(from.agent, verdict.until, signal)) ? { do: "again" } : undefined;
  }

  /** Called before the first prompt: finds another agent when the first one is unavailable. */
  async atStart(from: ActiveAgent, signal: AbortSignal): Promise<{ step: SwitchStep; reason: string } | undefined> {
    if (this.#left(from).length === 0) return undefined;
    const reason =
      this.#o.route.breaker.downOf(from.agent.id)?.code ?? ((await this.#prepare(from.name)) ? undefined : "not_ready");
    const step = reason === undefined ? undefined : await this.elsewhere(from, signal);
    return step && { step, reason: reason! };
  }

  /** Returns the first available agent, otherwise the one that is available soonest, if that is soon enough. */
  async elsewhere(from: ActiveAgent, signal: AbortSignal): Promise<SwitchStep | undefined> {
    const { breaker, choices } = this.#o.route;
    this.#tried.add(from.name);
    let soonest: { next: Candidate; until: number } | undefined;
    for (const name of this.#left(from)) {
      this.#tried.add(name);
      const next = await this.#prepare(name);
      if (signal.aborted) return undefined;
      if (next === undefined || next.agent.id === from.agent.id) continue;
      const down = breaker.downOf(next.agent.id);
      if (down === undefined) return { do: "switch", next };
      this.#o.say("route", `${next.agent.name} is skipped until ${timeOf(down.until)}: ${down.reason}`);
      if (soonest === undefined || down.until < soonest.until) soonest = { next, until: down.until };
    }
    if (soonest === undefined || soonest.until - this.#now() > choices.patience) return undefined;
    const waited = await this.#wait(soonest.next.agent, soonest.until, signal);
    return waited ? { do: "switch", next: soonest.next } : undefined;
  }

  couldNot({ name, agent }: Candidate, error: ErrorInfo): void {
    this.#failed(agent, error);
    this.#o.say("route", `${name} cannot take the turn: ${error.message}`);
  }

  get knowsPast(): boolean {
    return this.#o.knowsPast;
  }

  account(next: ActiveAgent): { readonly briefing?: string | undefined; readonly briefingChars: number } {
    const text = this.#briefing(next, this.knowledge.stateOf(next.agent.id) !== undefined);
    return { briefing: text === "" ? undefined : this.#o.keep?.(text), briefingChars: text.length };
  }

  /** The history for an agent that is opened afresh, if it accepts one. */
  history(active: ActiveAgent, resumed: boolean): readonly HistoryMessage[] | undefined {
    this.#toldAsHistory = undefined;
    if (resumed || !active.agent.capabilities.history) return active.options.history;
    const text = this.#briefing(active, false);
    if (text === "") return active.options.history;
    this.#toldAsHistory = active.agent.id;
    return [...(active.options.history ?? []), { role: "person", text }];
  }

  prompt(active: ActiveAgent, input: PromptInput, resumed: boolean): PromptInput {
    if (this.#toldAsHistory === active.agent.id) return input;
    return behindBriefing(this.#briefing(active, resumed), input);
  }

  /** The prompt after waiting for a limit. Undefined when the agent had not begun: it gets the same prompt again. */
  again(): PromptInput | undefined {
    return this.knowledge.begun ? goOn : undefined;
  }

  /** Redact before storing: an agent may repeat a rejected key in its message. */
  #failed({ id }: Agent, error: ErrorInfo): void {
    this.#o.route.breaker.failed(id, { ...error, message: this.#o.redact(error.message) });
  }

  #verdict(from: ActiveAgent, { code, resetsAt }: ErrorInfo): FailureAction {
    const { sideEffect, denied } = this.#sideEffects;
    const waited = this.#waited.has(from.name);
    const verdict = failureAction({ code, resetsAt, sideEffect, denied, waited }, this.#o.route.choices, this.#now());
    const alone = this.#o.route.names.length < 2;
    return alone || (verdict.do !== "wait" && this.#left(from).length === 0) ? { do: "stop" } : verdict;
  }

  #left({ name }: ActiveAgent): readonly string[] {
    return behind(this.#o.route.names, name).filter((one) => !this.#tried.has(one));
  }

  async #prepare(name: string): Promise<Candidate | undefined> {
    try {
      return await this.#o.route.prepare(name, this.#o.mode());
    } catch (thrown) {
      const { message, help } = toReinsError(thrown);
      this.#o.say("route", `${name} cannot take the turn: ${message}${help === undefined ? "" : ` ${help}`}`);
      return undefined;
    }
  }

  #wait({ name }: Agent, until: number, signal: AbortSignal): Promise<boolean> {
    this.#o.say("waiting", waitingMessage(name, until));
    return waitUntil(until, signal, this.#now);
  }

  /** At most half of the agent's context, whatever script the text is in. */
  #briefing(active: ActiveAgent & Partial<Pick<Candidate, "contextSize">>, resumed: boolean): string {
    const { agent, contextSize = this.knowledge.contextSizeOf(agent.id) } = active;
    const limit = Math.min(this.#o.route.choices.briefingChars, Math.floor((contextSize ?? Infinity) / 2));
    return this.knowledge.briefingFor(agent.id, resumed, limit);
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Resolves with true at that time, or with false as soon as the signal aborts. */
export function waitUntil(until: number, signal: AbortSignal, now: () => number = Date.now): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  if (signal.aborted) return Promise.resolve(false);
  const timer = setTimeout(() => resolve(true), Math.min(Math.max(until - now(), 0), longestMs));
  const gone = () => resolve(false);
  signal.addEventListener("abort", gone, { once: true });
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", gone);
  });
}

export function waitingMessage(name: string, until: number): string {
  return `${name} accepts no requests until ${new Date(until).toISOString()}. Reins waits and then retries.`;
}

/** The user's prompt is repeated after the briefing, unless it is longer than this and already in the briefing. */
const long = 2000;

export function behindBriefing(briefing: string, input: PromptInput): PromptInput {
  if (briefing === "") return input;
  const told = input.text.length > long && briefing.includes(input.text);
  return { ...input, text: `${briefing}\n\n---\n\n${told ? "Continue with the latest request." : input.text}` };
}

/** For an agent that had begun the prompt before it waited for a limit. */
export const goOn: PromptInput = {
  text: "You were interrupted by a limit that is over now. Continue what you were doing.",
};
