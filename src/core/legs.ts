/** The legs of a session: an agent is opened, read for as long as it lives, and opened again from its last state when it is gone. */
import type { Agent, AgentSession, OpenOptions } from "../agents/contract.ts";
import { ReinsError, toReinsError } from "../events/errors.ts";
import type { AgentEvent, Outcome } from "../events/types.ts";
import type { SessionOptions } from "./api.ts";
import type { Resumed } from "./keeping.ts";

/** The agent that holds the session now. */
export interface Leg {
  readonly session: AgentSession;
  /** Ends it, once; never rejects. */
  readonly close: () => Promise<void>;
  /** It was read to its end. */
  readonly over: Promise<void>;
  /** It goes on from an earlier one of the same agent. */
  readonly resumed: boolean;
}

export interface LegsOptions {
  /** An agent is being started. */
  readonly starting: () => void;
  readonly agent: () => Agent;
  readonly options: () => SessionOptions;
  /** The session was kept, and goes on from its last leg. */
  readonly earlier: Resumed | undefined;
  /** What a leg is opened with beside the session's options and state. */
  readonly wanted: (resumed: boolean) => Pick<OpenOptions, "sessionId" | "cwd" | "mode" | "model" | "history">;
  readonly opened: (resumed: boolean) => void;
  /** The conversation is lost and begins again. */
  readonly beganAgain: (reason: string) => void;
  readonly warn: (message: string) => void;
  /** How long closing waits for an agent that is being opened. */
  readonly closeMs: number;
  readonly take: (event: AgentEvent) => Promise<void> | undefined;
  /** A batch was taken; the promise asks to wait before the next is read. */
  readonly tookBatch: () => Promise<void> | undefined;
  /** Waits until there may be one more agent. */
  readonly enter: (signal: AbortSignal) => Promise<void>;
  /** There is one less. */
  readonly leave: () => void;
  /** The agent is gone. The session may have another by the time this leg was read to its end. */
  readonly gone: () => Finish;
}

/** What is to be done when a leg was read to its end. */
type Finish = (failure: ReinsError | undefined) => Promise<void>;

export class Legs {
  readonly #o: LegsOptions;
  /** Those that are not read to their end, the current one too. */
  readonly #reading = new Set<Leg>();
  #current: Leg | undefined;
  #opening: Promise<Leg> | undefined;
  #lastState: string | undefined;
  readonly #closed = new AbortController();
  /** Those that take no prompt any more. */
  readonly #retired = new WeakMap<AgentSession, Finish>();
  readonly #asleep = new WeakSet<AgentSession>();
  #fallingAsleep: Promise<void> | undefined;
  #wasAway = false;
  /** The agent itself ended a turn well, so there is something to go on from. */
  anyTurnDone = false;

  constructor(options: LegsOptions) {
    this.#o = options;
    const { earlier, agent } = options;
    // A fork is not its own yet: it is made from the state that it is given.
    if (earlier === undefined || earlier.fork) return;
    this.#lastState = earlier.session.state;
    const { id } = agent();
    this.anyTurnDone = earlier.earlier.some(
      (event) => event.type === "turn.completed" && event.agent === id && wentWell.has(event.outcome),
    );
  }

  get current(): Leg | undefined {
    return this.#current;
  }

  /** There is one, or one is being opened. */
  get isLive(): boolean {
    return this.#current !== undefined || this.#opening !== undefined;
  }

  get state(): string | undefined {
    const { resume, fork } = this.#o.options();
    return this.#current?.session.state ?? this.#lastState ?? (fork === true ? undefined : resume);
  }

  /** The one that is there, or a new one. */
  async get(): Promise<Leg> {
    if (this.#current !== undefined) return this.#current;
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** Nothing is being opened any more. */
  async settled(): Promise<void> {
    await this.#opening?.catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#lastState = this.#current?.session.state ?? this.#lastState;
    await Promise.all([...this.#reading].map((leg) => leg.close().then(() => leg.over)));
    await this.#givenUp();
  }

  /** One that is being opened ends, or takes so long that it ends without being waited for. */
  async #givenUp(): Promise<void> {
    if (this.#opening === undefined) return;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, this.#o.closeMs);
    await Promise.race([this.settled(), late.promise]);
    clearTimeout(timer);
  }

  /** Ends the agent and keeps its state: the next prompt opens another from it. One that was never spoken to has nothing to keep. */
  async sleep(): Promise<void> {
    const leg = this.#current;
    if (leg === undefined) return;
    this.#asleep.add(leg.session);
    this.#retire(leg.session, this.anyTurnDone ? leg.session.state : undefined);
    this.#fallingAsleep = leg.close().then(() => leg.over);
    await this.#fallingAsleep;
  }

  /** The agent gives the session away, and is ended. What it still says does not count. */
  async leave(): Promise<void> {
    await this.settled();
    const leg = this.#current;
    if (leg === undefined) return;
    this.#asleep.add(leg.session);
    this.#retire(leg.session, leg.session.state);
    this.#fallingAsleep = leg.close().then(() => leg.over);
    await this.#fallingAsleep;
  }

  /** Another agent has the session: this is what it goes on from, if it was there before. */
  goOnFrom(state: string | undefined): void {
    this.#lastState = state;
    this.#wasAway = state !== undefined;
    this.anyTurnDone = false;
  }

  async #open(): Promise<Leg> {
    // Two that go on with one conversation at once would write over each other.
    await this.#fallingAsleep;
    await this.#o.enter(this.#closed.signal);
    return this.#openOne().catch((thrown: unknown) => {
      this.#o.leave();
      throw thrown;
    });
  }

  async #openOne(): Promise<Leg> {
    if (this.#closed.signal.aborted) throw closedMeanwhile();
    const [agent, options] = [this.#o.agent(), this.#o.options()];
    const state = this.#lastState ?? options.resume;
    const resumed = state !== undefined;
    // A fork is made once; after that the session goes on with its own copy.
    const fork = this.#lastState === undefined ? options.fork : false;
    const opening = agent.open({
      ...options,
      ...this.#o.wanted(resumed),
      state,
      fork,
      signal: this.#closed.signal,
    });
    this.#o.starting();
    const session = await opening.catch((thrown: unknown) => this.#lost(toReinsError(thrown)));
    if (session === undefined) return this.#openOne();
    let closed: Promise<void> | undefined;
    const close = () => (closed ??= this.#closeAgent(session, agent.name));
    if (this.#closed.signal.aborted) {
      await close();
      throw closedMeanwhile();
    }
    this.#o.opened(resumed);
    const leg = { session, close, over: this.#read(session, close), resumed };
    this.#current = leg;
    this.#reading.add(leg);
    void leg.over.finally(() => this.#reading.delete(leg));
    return leg;
  }

  /** An agent may die in its first turn before it has written anything down. The session then begins again, and says so. */
  #lost(error: ReinsError): undefined {
    const own = this.#lastState !== undefined && this.#lastState !== this.#o.options().resume;
    if (error.code !== "session_not_found" || !own || this.anyTurnDone) throw error;
    this.#lastState = undefined;
    const why = this.#wasAway ? "no longer has its part of" : "ended before it had written down";
    this.#o.beganAgain(`${this.#o.agent().name} ${why} the conversation.`);
  }

  async #closeAgent(session: AgentSession, name: string): Promise<void> {
    try {
      await session.close();
    } catch (thrown) {
      this.#o.warn(`${name} did not close as it should: ${toReinsError(thrown).message}`);
    }
  }

  /** Reads the agent for as long as it lives, at the pace of the log. */
  async #read(session: AgentSession, close: () => Promise<void>): Promise<void> {
    let failure: ReinsError | undefined;
    try {
      for await (const batch of session.events) {
        for (const event of batch) {
          if (!this.#counts(session, event)) continue;
          const taken = this.#o.take(event);
          if (taken !== undefined) await taken;
          // It will not take another prompt: the next one opens a new leg, even if it comes before this one is read to its end.
          if (event.type === "process.exited") this.#retire(session, session.state);
        }
        const wait = this.#o.tookBatch();
        if (wait !== undefined) await wait;
      }
    } catch (thrown) {
      failure = toReinsError(thrown);
    }
    await this.#retire(session, session.state)(failure);
    await close();
  }

  /** From one that is gone nothing can come but how it ended; one that sleeps had nothing to end. */
  #counts(session: AgentSession, { type }: AgentEvent): boolean {
    if (!this.#retired.has(session) || type === "notice") return true;
    return type === "turn.ended" && !this.#asleep.has(session);
  }

  /** It takes no prompt any more; `state` is what the next one goes on from. Counts once. */
  #retire(session: AgentSession, state: string | undefined): Finish {
    const retired = this.#retired.get(session);
    if (retired !== undefined) return retired;
    this.#lastState = state ?? this.#lastState;
    if (this.#current?.session === session) this.#current = undefined;
    this.#o.leave();
    const finish = this.#o.gone();
    this.#retired.set(session, finish);
    return finish;
  }
}

/** The agent itself ended such a turn, so it has written the conversation down. */
const wentWell: ReadonlySet<Outcome> = new Set(["done", "cancelled", "refused", "max_tokens", "max_turns", "budget"]);

function closedMeanwhile(): ReinsError {
  return new ReinsError("cancelled", "The session was closed.");
}
