/** A turn goes on with somebody else, or with the same agent after a wait: where its agent failed, or where somebody wishes it. */
import { errorInfo, ReinsError, toReinsError } from "../../events/errors.ts";
import type { AgentEventOf } from "../../events/types.ts";
import type { Ending } from "../record/recorder.ts";
import type { SessionParts } from "../session-parts.ts";
import type { CurrentTurn } from "../states.ts";
import type { Turns } from "../turns.ts";
import type { NextHolder } from "./relay.ts";

export interface MovingOptions extends Pick<
  SessionParts,
  "state" | "settings" | "recorder" | "journal" | "intake" | "legs" | "relay" | "handover" | "pace" | "spending"
> {
  readonly turns: Turns;
}

export class Moving {
  readonly #o: MovingOptions;

  constructor(options: MovingOptions) {
    this.#o = options;
  }

  /** Only what somebody asked for can go on elsewhere. */
  isTooSlow(retry: AgentEventOf<"agent.retrying">): boolean {
    const { state, relay, settings } = this.#o;
    const goesOn = state.turn?.isPrompted === true && state.turn.phase !== "ending";
    return goesOn && !state.isGivenUp && relay.isTooSlow(settings.holder, retry);
  }

  /** False where the turn ends as it would. */
  movesOn(turn: CurrentTurn, ending: Ending): boolean {
    const survives = this.#survives(turn, ending);
    if (survives) void this.#moveOn(turn, ending);
    return survives;
  }

  /** The turn that runs goes to another agent. Throws where it does not get there. */
  async giveAway(turn: CurrentTurn, next: NextHolder): Promise<void> {
    const { state, handover, turns } = this.#o;
    turn.seek();
    // What it would still say must not come between.
    await handover.leave();
    if (state.turn !== turn || turn.phase === "ending")
      throw new ReinsError("cancelled", "The turn ended before the session was handed over.");
    this.#breakOff({});
    try {
      await handover.request(next);
    } catch (thrown) {
      if (this.#found(turn)) await turns.end({ outcome: "failed", error: errorInfo(toReinsError(thrown)) }, true);
      throw thrown;
    }
    if (this.#found(turn)) void turns.send(turn);
  }

  #survives(turn: CurrentTurn, { outcome, error }: Ending): boolean {
    const { state, journal, relay, settings } = this.#o;
    const wanted = turn.isPrompted && !turn.isCancelled && !state.isClosing;
    if (!wanted || outcome !== "failed" || error === undefined) return false;
    // What the turn did decides it.
    void journal.flush();
    return relay.survives(settings.holder, error);
  }

  async #moveOn(turn: CurrentTurn, ending: Ending): Promise<void> {
    const { recorder, relay, handover, turns } = this.#o;
    const signal = turn.seek();
    this.#breakOff(ending);
    const step = await handover.move(ending.error!, signal);
    if (!this.#found(turn)) return;
    if (step === undefined) {
      recorder.takeBack();
      return turns.end(ending, true);
    }
    await turns.send(turn, step === "again" ? relay.again() : undefined);
  }

  /** The agent has nothing more to say in this turn, and somebody else will. */
  #breakOff(used: Pick<Ending, "usage" | "costUsd">): void {
    const { recorder, journal, intake, legs, spending } = this.#o;
    recorder.knowState(legs.current?.session.state);
    intake.endPending();
    recorder.breakOff(spending.pricedEnding(used));
    void journal.flush();
  }

  /** False where the turn ended in the meantime. */
  #found(turn: CurrentTurn): boolean {
    if (this.#o.state.turn !== turn || !turn.found()) return false;
    this.#o.pace.renew();
    return true;
  }
}
