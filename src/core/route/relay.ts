/** The route of one session: whether a turn that failed goes on, with whom, and what that one has to be told. */
import type { Policy } from "../policy/policy.ts";
import type { Agent, HistoryMessage, PromptInput } from "../../agents/contract.ts";
import { toReinsError } from "../../events/errors.ts";
import type { ErrorInfo } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { Redactor } from "../../events/redact.ts";
import type { AgentEventOf, ReinsEvent } from "../../events/types.ts";
import type { SessionOptions } from "../api.ts";
import type { Breaker } from "./breaker.ts";
import { RouteMemory } from "./memory.ts";
import { waitingWords, waitUntil } from "./patience.ts";
import { behind } from "./route.ts";
import { Doings } from "./side-effects.ts";
import { isSlow } from "./slow-retries.ts";
import { verdictOn } from "./survivable.ts";
import type { RouteChoices, Verdict } from "./survivable.ts";
import { behindBriefing, goOn } from "./told.ts";

/** An agent that holds a session, or could. */
export interface Holder {
  /** As the route names it: an id, or the name of an agent file. */
  readonly name: string;
  readonly agent: Agent;
  /** What it is opened with. */
  readonly options: SessionOptions;
  /** A model's name as it spells it. */
  readonly ownModel: (name: string) => string;
  /** The rules, for this agent. */
  readonly policy: Policy;
}

/** One that could take over. */
export interface NextHolder extends Holder {
  /** What was asked for and this one cannot do. */
  readonly remarks: readonly string[];
  /** Tokens that fit into its model's context, where that is known. */
  readonly contextSize: number | undefined;
}

export interface Route {
  /** In order; the first one first. */
  readonly names: readonly string[];
  readonly choices: RouteChoices;
  readonly breaker: Breaker;
  /** Throws where it is not ready, or cannot do what the session needs. */
  readonly prepare: (name: string, mode: Mode) => Promise<NextHolder>;
}

export interface RelayOptions {
  readonly route: Route;
  /** Keeps a briefing, and tells where. */
  readonly keep: ((briefing: string) => string | undefined) | undefined;
  /** What the person chose. */
  readonly mode: () => Mode;
  /** What was said before this session began is known here. */
  readonly knowsPast: boolean;
  readonly redact: Redactor;
  readonly say: (code: "route" | "waiting", message: string) => void;
  readonly now?: () => number;
}

export type Step = { readonly do: "again" } | { readonly do: "switch"; readonly next: NextHolder };

export class Relay {
  readonly #o: RelayOptions;
  readonly #now: () => number;
  readonly #memory = new RouteMemory();
  readonly #doings = new Doings();
  /** In this turn. */
  readonly #tried = new Set<string>();
  readonly #waited = new Set<string>();
  /** Who was told as a history what the others did. */
  #toldAsHistory: string | undefined;

  constructor(options: RelayOptions) {
    this.#o = options;
    this.#now = options.now ?? Date.now;
  }

  /** Of an earlier process. */
  restore(event: ReinsEvent): void {
    this.#memory.follow(event);
  }

  /** The session is a copy: the conversations that its agents had are those of the original. */
  isCopy(): void {
    this.#memory.forgetStates();
  }

  follow(event: ReinsEvent): void {
    this.#doings.follow(event);
    // Nearly all of a long stream, and nothing in it counts.
    if (event.type === "message.delta" || event.type === "thought.delta") return;
    this.#memory.follow(event);
    if (event.type === "turn.started") this.#begins();
    if (event.type !== "turn.completed") return;
    if (event.outcome === "done") this.#o.route.breaker.clear(event.agent);
    else if (event.outcome === "failed" && event.error !== undefined)
      this.#o.route.breaker.failed(event.agent, event.error);
  }

  /** Whether the turn goes on after this, as far as can be said at once. */
  survives(from: Holder, error: ErrorInfo): boolean {
    const verdict = this.#verdict(from, error);
    if (verdict.do === "stop" && verdict.why !== undefined) this.#o.say("route", verdict.why);
    return verdict.do !== "stop";
  }

  /** The agent's own trying again takes longer than moving on does. */
  isTooSlow(from: Holder, retry: AgentEventOf<"agent.retrying">): boolean {
    if (this.#left(from).length === 0 || retry.parent !== undefined) return false;
    const { choices } = this.#o.route;
    return isSlow(retry, choices, this.#now()) && this.#verdict(from, retry.error).do === "move";
  }

  /** Waits, or finds somebody. Undefined where the turn ends after all. */
  async next(from: Holder, error: ErrorInfo, signal: AbortSignal): Promise<Step | undefined> {
    const verdict = this.#verdict(from, error);
    this.#failed(from.agent, error);
    if (verdict.do === "stop") return undefined;
    if (verdict.do === "move") return this.elsewhere(from, signal);
    this.#waited.add(from.name);
    return (await this.#wait(from.agent, verdict.until, signal)) ? { do: "again" } : undefined;
  }

  /** Before anything is asked: somebody else where the first one cannot take it, and why. */
  async atStart(from: Holder, signal: AbortSignal): Promise<{ step: Step; reason: string } | undefined> {
    if (this.#left(from).length === 0) return undefined;
    const reason =
      this.#o.route.breaker.downOf(from.agent.id)?.code ?? ((await this.#prepare(from.name)) ? undefined : "not_ready");
    const step = reason === undefined ? undefined : await this.elsewhere(from, signal);
    return step && { step, reason: reason! };
  }

  /** The first that can; else the one that can soonest, where that is soon enough. */
  async elsewhere(from: Holder, signal: AbortSignal): Promise<Step | undefined> {
    const { breaker, choices } = this.#o.route;
    this.#tried.add(from.name);
    let soonest: { next: NextHolder; until: number } | undefined;
    for (const name of this.#left(from)) {
      this.#tried.add(name);
      const next = await this.#prepare(name);
      if (signal.aborted) return undefined;
      if (next === undefined || next.agent.id === from.agent.id) continue;
      const down = breaker.downOf(next.agent.id);
      if (down === undefined) return { do: "switch", next };
      this.#o.say("route", `${next.agent.name} is passed over until ${timeOf(down.until)}: ${down.reason}`);
      if (soonest === undefined || down.until < soonest.until) soonest = { next, until: down.until };
    }
    if (soonest === undefined || soonest.until - this.#now() > choices.patience) return undefined;
    const waited = await this.#wait(soonest.next.agent, soonest.until, signal);
    return waited ? { do: "switch", next: soonest.next } : undefined;
  }

  /** It looked as if it could, and did not open. */
  couldNot({ name, agent }: NextHolder, error: ErrorInfo): void {
    this.#failed(agent, error);
    this.#o.say("route", `${name} cannot take the turn: ${error.message}`);
  }

  stateOf({ id }: Agent): string | undefined {
    return this.#memory.stateOf(id);
  }

  get knowsPast(): boolean {
    return this.#o.knowsPast;
  }

  /** What the next one will be told, for the record. */
  account(next: Holder): { readonly briefing?: string | undefined; readonly briefingChars: number } {
    const text = this.#briefing(next, this.stateOf(next.agent) !== undefined);
    return { briefing: text === "" ? undefined : this.#o.keep?.(text), briefingChars: text.length };
  }

  /** What an agent that is opened afresh is handed as a history, where it takes one. */
  history(holder: Holder, resumed: boolean): readonly HistoryMessage[] | undefined {
    this.#toldAsHistory = undefined;
    if (resumed || !holder.agent.capabilities.history) return holder.options.history;
    const text = this.#briefing(holder, false);
    if (text === "") return holder.options.history;
    this.#toldAsHistory = holder.agent.id;
    return [...(holder.options.history ?? []), { role: "person", text }];
  }

  /** What the agent is sent for this prompt. */
  prompt(holder: Holder, input: PromptInput, resumed: boolean): PromptInput {
    if (this.#toldAsHistory === holder.agent.id) return input;
    return behindBriefing(this.#briefing(holder, resumed), input);
  }

  /** ... and when it was waited for; undefined where it had not begun, and is sent the same once more. */
  again(): PromptInput | undefined {
    return this.#memory.begun ? goOn : undefined;
  }

  /** Its part of the conversation is gone: it is told everything. */
  lost({ id }: Agent): void {
    this.#memory.lost(id);
  }

  /** What is remembered is written down, and an agent may repeat a key that it was refused. */
  #failed({ id }: Agent, error: ErrorInfo): void {
    this.#o.route.breaker.failed(id, { ...error, message: this.#o.redact(error.message) });
  }

  #begins(): void {
    this.#tried.clear();
    this.#waited.clear();
  }

  #verdict(from: Holder, { code, resetsAt }: ErrorInfo): Verdict {
    const { sideEffect, denied } = this.#doings;
    const waited = this.#waited.has(from.name);
    const verdict = verdictOn({ code, resetsAt, sideEffect, denied, waited }, this.#o.route.choices, this.#now());
    const alone = this.#o.route.names.length < 2;
    return alone || (verdict.do !== "wait" && this.#left(from).length === 0) ? { do: "stop" } : verdict;
  }

  #left({ name }: Holder): readonly string[] {
    return behind(this.#o.route.names, name).filter((one) => !this.#tried.has(one));
  }

  async #prepare(name: string): Promise<NextHolder | undefined> {
    try {
      return await this.#o.route.prepare(name, this.#o.mode());
    } catch (thrown) {
      const { message, help } = toReinsError(thrown);
      this.#o.say("route", `${name} cannot take the turn: ${message}${help === undefined ? "" : ` ${help}`}`);
      return undefined;
    }
  }

  #wait({ name }: Agent, until: number, signal: AbortSignal): Promise<boolean> {
    this.#o.say("waiting", waitingWords(name, until));
    return waitUntil(until, signal, this.#now);
  }

  /** Never more than fits into half of its context, whatever script it is written in. */
  #briefing(holder: Holder & Partial<Pick<NextHolder, "contextSize">>, resumed: boolean): string {
    const { agent, contextSize = this.#memory.contextSizeOf(agent.id) } = holder;
    const limit = Math.min(this.#o.route.choices.briefingChars, Math.floor((contextSize ?? Infinity) / 2));
    return this.#memory.briefingFor(agent.id, resumed, limit);
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
