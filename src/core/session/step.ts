/** A step of the reducer: the new state and the effects so far. turn.ts, leg.ts and requests.ts write to it. */
import type { AgentEvent } from "../../events/types.ts";
import type { Effect, Rules } from "./inputs.ts";
import type { SessionState, Settings, TurnState } from "./state.ts";

export class Step {
  state: SessionState;
  readonly rules: Rules;
  readonly effects: Effect[] = [];

  constructor(state: SessionState, rules: Rules) {
    this.state = state;
    this.rules = rules;
  }

  set(change: Partial<SessionState>): void {
    this.state = { ...this.state, ...change };
  }

  settings(change: Partial<Settings>): void {
    this.set({ settings: { ...this.state.settings, ...change } });
  }

  turn(change: Partial<TurnState>): void {
    if (this.state.turn !== undefined) this.set({ turn: { ...this.state.turn, ...change } });
  }

  do(...effects: readonly Effect[]): void {
    this.effects.push(...effects);
  }

  record(event: Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }>): void {
    this.do({ do: "record", event });
  }

  notice(level: "info" | "warning" | "error", code: string, message: string): void {
    this.do({ do: "emit", event: { type: "notice", level, code, message } });
  }
}
