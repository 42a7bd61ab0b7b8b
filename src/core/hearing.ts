/** What an agent's life does to the session: it is there, it says something, it is gone. */
import { errorInfo, ReinsError } from "../events/errors.ts";
import type { AgentEvent, AgentEventOf } from "../events/types.ts";
import type { LegsOptions } from "./legs.ts";
import type { Moving } from "./route/moving.ts";
import type { SessionParts } from "./session-parts.ts";
import type { Stopping } from "./stopping.ts";
import type { Turns } from "./turns.ts";

export interface HearingOptions extends Pick<
  SessionParts,
  | "context"
  | "state"
  | "settings"
  | "recorder"
  | "journal"
  | "intake"
  | "legs"
  | "handover"
  | "quiet"
  | "pace"
  | "spending"
> {
  readonly turns: Turns;
  readonly moving: Moving;
  readonly stopping: Stopping;
}

export class Hearing implements Pick<LegsOptions, "opened" | "take" | "tookBatch" | "gone"> {
  readonly #o: HearingOptions;

  constructor(options: HearingOptions) {
    this.#o = options;
  }

  opened(resumed: boolean): void {
    const { context, state, settings, recorder, journal, handover } = this.#o;
    const switched = handover.takeSwitched();
    if (switched !== undefined) recorder.say(switched);
    recorder.startLeg(settings.agent.id, { mode: settings.mode, cwd: context.cwd, resumed });
    if (switched === undefined) return;
    // Between turns nothing may follow for a long time: whoever reads the record must know who has the session.
    if (state.turn === undefined) recorder.tellLeg();
    void journal.flush();
  }

  take(event: AgentEvent): Promise<void> | undefined {
    const { intake, spending, turns, moving, stopping } = this.#o;
    if (event.type === "turn.ended") return this.#ended(event);
    if (event.type === "agent.retrying" && moving.isTooSlow(event)) void stopping.giveUp(event.error);
    // A whole turn of the agent's own may come at once: what it cost is not added to that of the one before.
    if (event.type === "usage.updated") turns.adopt();
    intake.take(event.type === "usage.updated" ? spending.priced(event) : event);
    return undefined;
  }

  /** Shows what a batch came to, and waits for the readers unless the turn is given up. */
  tookBatch(): Promise<void> | undefined {
    const { state, recorder, journal, quiet, pace, turns } = this.#o;
    turns.adopt();
    quiet.heard();
    const wait = journal.flush();
    if (wait === undefined) return undefined;
    if (!state.isGivenUp) return pace.follow(wait);
    recorder.dropDeltas();
    return undefined;
  }

  /** The agent is gone. What it leaves behind is the turn that was running, which ends with it unless it said how. */
  gone(): (failure: ReinsError | undefined) => Promise<void> {
    const { state, settings, recorder, journal, turns } = this.#o;
    recorder.endLeg();
    turns.adopt();
    const last = state.turn;
    return async (failure) => {
      if (last !== undefined && state.turn === last) {
        const { id, name } = settings.agent;
        const error =
          failure ?? new ReinsError("agent_crashed", `${name} ended in the middle of the turn.`, { agent: id });
        const given = last.isCancelled || state.isClosing;
        await turns.end({ outcome: given ? "cancelled" : "failed", error: errorInfo(error) });
      }
      void journal.flush();
    };
  }

  async #ended(event: AgentEventOf<"turn.ended">): Promise<void> {
    const { state, legs, turns } = this.#o;
    turns.adopt();
    if (event.origin === "agent" && state.turn?.isPrompted === true) return;
    if (event.outcome !== "failed") legs.anyTurnDone = true;
    const given = state.turn?.isCancelled === true && (event.outcome === "failed" || event.outcome === "interrupted");
    await turns.end(given ? { ...event, outcome: "cancelled" } : event);
  }
}
