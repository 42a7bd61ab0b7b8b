import type { Mode } from "../../events/modes.ts";
import type { AgentContext, OpenOptions } from "../contract.ts";
import { InProcessTurn } from "../shared/in-process-turn.ts";
import type { TurnDesk } from "../shared/in-process-turn.ts";
import type { Tasks } from "./tasks.ts";

/** What all turns of a session share. */
export interface Desk extends TurnDesk {
  readonly context: AgentContext;
  readonly options: OpenOptions;
  readonly tasks: Tasks;
  /** The tools somebody allowed for the rest of the session. */
  readonly allowedAlways: Set<string>;
  mode: Mode;
  /** Of the whole conversation, also before it was resumed. */
  turns: number;
}

export class Turn extends InProcessTurn<Desk> {
  /** What was done, in a few words each; said at the end when nothing else was. */
  readonly notes: string[] = [];
  said = false;

  /** The same turn, seen from inside a call. */
  under(callId: string): Turn {
    return new Turn(this.desk, this.signal, this.filter, callId);
  }

  /** What was done, as sentences. */
  get summary(): string {
    return this.notes.map((note) => `${note.replace(/\.$/, "")}.`).join(" ");
  }
}
