import { InProcessTurn } from "../shared/in-process-turn.ts";
import type { Desk } from "./desk.ts";

export class Turn extends InProcessTurn<Desk> {
  /** The same, seen from inside a call. */
  under(callId: string, signal: AbortSignal = this.signal): Turn {
    return new Turn(this.desk, signal, this.filter, callId);
  }
}
