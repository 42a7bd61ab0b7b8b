import type { Session, Turn, TurnResult } from "../core/api.ts";
import type { ReinsEvent } from "../events/types.ts";
import { askPermission } from "./ask-permission.ts";
import { askQuestions } from "./ask-question.ts";
import type { Desk } from "./desk.ts";
import type { Person } from "./person.ts";
import type { Screen } from "./screen.ts";

export interface Asks {
  readonly person: Person;
  readonly desk: Desk;
  readonly screen: Screen;
}

/** Starts a turn, shows every event of the session until it is over, and asks the person, if there is one, in between. */
export async function followTurn(
  session: Session,
  start: () => Turn,
  asks: Asks | undefined,
  show: (event: ReinsEvent) => Promise<void>,
): Promise<TurnResult> {
  const refused = new AbortController();
  const events = session.events({ after: session.resumedAt, signal: refused.signal })[Symbol.asyncIterator]();
  // Reading begins before the turn does: the log keeps only so much for readers who come late.
  const first = events.next();
  const turn = start();
  turn.result.catch(() => refused.abort());
  let { id } = turn;
  for (let next = await first; next.done !== true; next = await events.next()) {
    const event = next.value;
    await show(event);
    if (asks !== undefined) await ask(event, asks);
    if (event.type !== "turn.completed" || event.turnId !== id) continue;
    if (event.next === undefined) break;
    id = event.next;
  }
  return turn.result;
}

/** Only what has a deadline waits for a person; the policy has settled the rest. */
async function ask(event: ReinsEvent, { desk, ...asks }: Asks): Promise<void> {
  if (event.type === "permission.requested" && event.deadline !== undefined) {
    await desk.serve(event.requestId, (signal) => askPermission(event, signal, asks));
  } else if (event.type === "question.requested" && event.deadline !== undefined) {
    await desk.serve(event.requestId, (signal) => askQuestions(event, signal, asks));
  }
}
