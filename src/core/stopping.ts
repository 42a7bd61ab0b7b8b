/** A turn is stopped before its agent is done: by a person, by the budget, or because the agent is silent or too slow. */
import { errorInfo, ReinsError } from "../events/errors.ts";
import type { ErrorInfo } from "../events/errors.ts";
import type { Ending } from "./record/recorder.ts";
import type { SessionParts } from "./session-parts.ts";
import type { CurrentTurn } from "./states.ts";
import type { Turns } from "./turns.ts";

export interface StoppingOptions extends Pick<
  SessionParts,
  "context" | "state" | "settings" | "intake" | "legs" | "pace"
> {
  readonly turns: Turns;
}

export class Stopping {
  readonly #o: StoppingOptions;

  constructor(options: StoppingOptions) {
    this.#o = options;
  }

  /** Returns when it is over. */
  async cancel(turn: CurrentTurn): Promise<void> {
    if (!turn.isCancelled) {
      turn.cancel();
      await this.#stop(turn, { outcome: "cancelled" });
    }
    await turn.over;
  }

  /** The agent is stopped as by a cancel, and the turn ends as what it is. */
  async overBudget(error: ErrorInfo): Promise<void> {
    const { state, intake, turns } = this.#o;
    const { turn } = state;
    if (turn === undefined || state.isGivenUp) return;
    if (turn.phase === "ending") {
      intake.cancelPending();
      return turn.overspend(error);
    }
    turn.giveUp(error);
    if (turn.phase === "moving") await turns.end({ outcome: "budget", error }, true);
    else await this.#stop(turn, { outcome: "budget", error });
  }

  async hung(seconds: number): Promise<void> {
    const { id, name } = this.#o.settings.agent;
    const message = `${name} said nothing for ${seconds} seconds.`;
    await this.giveUp(errorInfo(new ReinsError("agent_hung", message, { agent: id })));
  }

  /** The agent is ended without being asked. */
  async giveUp(error: ErrorInfo): Promise<void> {
    const { state, legs, pace, turns } = this.#o;
    const [turn, leg] = [state.turn, legs.current];
    turn?.giveUp(error);
    pace.letGo();
    // Its process ends first, and the turn with it: the next prompt must not find it.
    await leg?.close();
    await leg?.over;
    if (state.turn === turn) await turns.end({ outcome: "failed", error });
  }

  async #stop(turn: CurrentTurn, ending: Ending): Promise<void> {
    const { context, intake, legs, pace, turns } = this.#o;
    intake.cancelPending();
    pace.letGo();
    const leg = legs.current;
    // Where it is ending the agent has nothing more to do in it, and where it was told nothing yet it has nothing to stop.
    if (leg === undefined || turn.phase !== "told") return turns.end(ending);
    // An agent that does not stop when it is told to is stopped with its process; its state lets the session go on.
    const timer = setTimeout(() => void leg.close(), context.deadlines.cancel);
    leg.session.cancel().catch(leg.close);
    await turn.over;
    clearTimeout(timer);
  }
}
