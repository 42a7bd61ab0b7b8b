/** When the agent of a session rests, so that it may sleep, and when it has to wait for room before it starts. */
import type { Agent } from "../agents/contract.ts";
import type { Legs } from "./legs.ts";
import type { LiveAgents, Sleeper } from "./live-agents.ts";

export interface RestingOptions {
  readonly agent: () => Agent;
  readonly live: LiveAgents;
  readonly legs: () => Legs;
  /** The session does something, or still has to. */
  readonly busy: () => boolean;
  /** It has to wait; one sentence. */
  readonly waits: (why: string) => void;
}

export class Resting implements Sleeper {
  readonly #o: RestingOptions;
  readonly #hasToWait = Promise.withResolvers<void>();
  #since = Date.now();
  #spokenTo = false;
  #changes = 0;
  /** Why the agent cannot start yet, for as long as it cannot. */
  waitsFor: string | undefined;

  constructor(options: RestingOptions) {
    this.#o = options;
  }

  /** Resolves the first time that the agent cannot start at once. */
  get hasToWait(): Promise<void> {
    return this.#hasToWait.promise;
  }

  async enter(signal: AbortSignal): Promise<void> {
    const { agent, live, waits } = this.#o;
    const wait = (why: string): void => {
      this.waitsFor = `${why}; ${agent().name} starts as soon as there is room.`;
      waits(this.waitsFor);
      this.#hasToWait.resolve();
    };
    await live.enter(this, wait, signal).finally(() => (this.waitsFor = undefined));
  }

  leave(): void {
    this.#o.live.leave(this);
  }

  /** Somebody has prompted it: from now on there is a conversation to go on from. */
  spokenTo(): void {
    this.#spokenTo = true;
  }

  /** A turn is over, and nothing follows it. */
  begins(): void {
    this.#since = Date.now();
    void this.#o.live.rested();
  }

  /** Not while the agent is being told something. */
  async notDuring<Value>(change: Promise<Value>): Promise<Value> {
    this.#changes++;
    return change.finally(() => this.#changes--);
  }

  idleSince(): number | undefined {
    const legs = this.#o.legs();
    if (legs.current === undefined || this.#changes > 0 || this.#o.busy()) return undefined;
    const wakes = this.#o.agent().capabilities.resume && legs.anyTurnDone && legs.state !== undefined;
    return wakes || !this.#spokenTo ? this.#since : undefined;
  }

  sleep(): Promise<void> {
    return this.#o.legs().sleep();
  }
}
