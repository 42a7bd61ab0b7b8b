/** One agent takes a session over from another: the old one is ended, the new one opened, and both are in the record. */
import { errorInfo, ReinsError, toReinsError } from "../../events/errors.ts";
import type { ErrorInfo } from "../../events/errors.ts";
import type { EventPayload } from "../../events/types.ts";
import type { Legs } from "../legs.ts";
import type { Holder, NextHolder, Relay, Step } from "./relay.ts";

type Switched = Extract<EventPayload, { type: "agent.switched" }>;

export interface HandoverOptions {
  readonly relay: Relay;
  readonly legs: () => Legs;
  readonly held: () => Holder;
  /** From now on this one holds the session. */
  readonly hold: (holder: Holder) => void;
  readonly remark: (message: string) => void;
}

export class Handover {
  readonly #o: HandoverOptions;
  /** To whom the session is being handed over. */
  #to: string | undefined;
  /** Nothing is being handed over any more. */
  settled: Promise<unknown> | undefined;
  /** What is said as soon as the next one is there. */
  #switched: Switched | undefined;

  constructor(options: HandoverOptions) {
    this.#o = options;
  }

  /** What has to be said about the one that was just opened. Once. */
  takeSwitched(): Switched | undefined {
    const switched = this.#switched;
    this.#switched = undefined;
    return switched;
  }

  /** The session was held by another one when it was last kept. */
  beganElsewhere(from: string): void {
    this.#begin(from, this.#o.held(), "requested");
  }

  /**
   * Goes on with whoever can: the same one after a wait, or the first of the route that can be opened. Undefined where nobody can: then
   * the session stays with the one that had it.
   */
  move(error: ErrorInfo, signal: AbortSignal): Promise<Step["do"] | undefined> {
    return this.#during(async () =>
      this.#follow(await this.#o.relay.next(this.#o.held(), error, signal), error.code, signal),
    );
  }

  /** The same before anything was asked. */
  atStart(signal: AbortSignal): Promise<void> {
    return this.#during(async () => {
      const found = await this.#o.relay.atStart(this.#o.held(), signal);
      if (found !== undefined) await this.#follow(found.step, found.reason, signal);
    });
  }

  /** The one that has it is ended before the next one is there. */
  leave(): Promise<void> {
    return this.#during(() => this.#o.legs().leave());
  }

  /** What cannot be wished for: the one that has it, and two at once. */
  refuse({ agent }: NextHolder, moving: boolean): void {
    if (this.#to !== undefined || moving) {
      throw new ReinsError(
        "session_busy",
        `The session is being handed over${this.#to ? ` to ${this.#to}` : ""} already.`,
        {
          help: "Wait until that is done.",
        },
      );
    }
    if (agent.id !== this.#o.held().agent.id) return;
    throw new ReinsError("invalid_input", `${agent.name} has the session already.`, { agent: agent.id });
  }

  /** By somebody's wish. Throws where it cannot be, and then the session stays with the one that had it. */
  request(next: NextHolder): Promise<void> {
    this.#to = next.agent.name;
    return this.#during(() => this.#request(next));
  }

  async #request(next: NextHolder): Promise<void> {
    const before = this.#o.held();
    try {
      await this.#handTo(next, { from: before.agent.id, reason: "requested" });
    } catch (thrown) {
      await this.#back(before);
      throw thrown;
    }
  }

  /** A prompt that comes meanwhile is for the next one. What was begun before is ended first, also where nobody wants it any more. */
  #during<Value>(begin: () => Promise<Value>): Promise<Value> {
    const work = this.settled === undefined ? begin() : this.settled.then(begin);
    const settled = work.then(
      () => {},
      () => {},
    );
    this.settled = settled;
    void settled.then(() => {
      if (this.settled === settled) this.settled = undefined;
    });
    return work;
  }

  async #follow(first: Step | undefined, reason: string, signal: AbortSignal): Promise<Step["do"] | undefined> {
    const before = this.#o.held();
    for (let step = first; step !== undefined && !signal.aborted;) {
      if (step.do === "again") return "again";
      try {
        await this.#handTo(step.next, { from: before.agent.id, reason }, signal);
        return "switch";
      } catch (thrown) {
        if (signal.aborted) break;
        this.#o.relay.couldNot(step.next, errorInfo(toReinsError(thrown)));
        step = await this.#o.relay.elsewhere(before, signal);
      }
    }
    await this.#back(before);
    return undefined;
  }

  /** `from` had it last: others may have been tried since. */
  async #handTo(
    next: NextHolder,
    { from, reason }: Pick<Switched, "from" | "reason">,
    signal?: AbortSignal,
  ): Promise<void> {
    const { relay, legs, hold, remark } = this.#o;
    this.#to = next.agent.name;
    try {
      await legs().leave();
      signal?.throwIfAborted();
      hold(next);
      legs().goOnFrom(relay.stateOf(next.agent));
      this.#begin(from, next, reason);
      await legs().get();
      for (const message of next.remarks) remark(message);
      if (!relay.knowsPast)
        remark(`${next.agent.name} is not told what was said before this session was resumed: it was not kept here.`);
    } finally {
      this.#to = undefined;
      this.#switched = undefined;
    }
  }

  #begin(from: string, next: Holder, reason: string): void {
    this.#switched = { type: "agent.switched", from, to: next.agent.id, reason, ...this.#o.relay.account(next) };
  }

  async #back(before: Holder): Promise<void> {
    const { relay, legs, held, hold } = this.#o;
    if (held() === before) return;
    await legs().leave();
    hold(before);
    legs().goOnFrom(relay.stateOf(before.agent));
  }
}
