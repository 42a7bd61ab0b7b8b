/** One session that this server holds: its turns, what waits for an answer, and its feed. */
import type { PermissionReply, Prompt, QuestionReply, Session, Turn, TurnOptions } from "../core/api.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { Feed } from "./feed.ts";
import { HttpError } from "./http-error.ts";

export class OpenSession {
  readonly session: Session;
  readonly #turns = new Map<string, Turn>();
  readonly #waiting = new Set<string>();
  #running: string | undefined;
  #title: string | undefined;
  lastSeq: number;

  constructor(session: Session) {
    this.session = session;
    this.lastSeq = session.resumedAt;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  get waiting(): readonly string[] {
    return [...this.#waiting];
  }

  get title(): string | undefined {
    return this.#title;
  }

  /** Until the session is closed. */
  async follow(feed: Feed, count: () => void, changed: () => void): Promise<void> {
    for await (const event of this.session.events({ after: this.session.resumedAt })) {
      feed.push(event);
      count();
      this.lastSeq = event.seq;
      if (this.#learn(event)) changed();
    }
  }

  /** Resolves when it is taken, with the id of the turn that it became or went into; rejects when it was refused. */
  async begin(prompt: Prompt, whenBusy: TurnOptions["whenBusy"]): Promise<string> {
    const turn = this.session.prompt(prompt, { whenBusy });
    this.#turns.set(turn.id, turn);
    const forget = (): void => void this.#turns.delete(turn.id);
    turn.result.then(forget, forget);
    const taken = [first(turn), turn.result.then(({ turnId }) => turnId ?? turn.id)];
    // One that waits in the queue has no events yet; a refusal is known at once.
    if (whenBusy === "queue") taken.push(new Promise((resolve) => setImmediate(() => resolve(turn.id))));
    return Promise.race(taken);
  }

  answer(requestId: string, reply: PermissionReply | QuestionReply): void {
    if (!this.#waiting.has(requestId)) throw settled(requestId);
    this.session.answer(requestId, reply);
  }

  async cancel(turn: string | undefined): Promise<void> {
    if (turn === undefined) return this.session.cancel();
    if (turn === this.#running) return this.session.cancel();
    await this.#turns.get(turn)?.cancel();
  }

  /** True where the list of sessions shows it. */
  #learn(event: ReinsEvent): boolean {
    switch (event.type) {
      case "turn.started":
        this.#running = event.turnId;
        return true;
      case "turn.completed":
        this.#running = undefined;
        return true;
      case "permission.requested":
      case "question.requested":
        this.#waiting.add(event.requestId);
        return true;
      case "permission.resolved":
      case "question.resolved":
        return this.#waiting.delete(event.requestId);
      case "session.updated":
        this.#title = event.title ?? this.#title;
        return true;
      case "agent.switched":
        return true;
      default:
        return false;
    }
  }
}

export function settled(requestId: string): HttpError {
  return new HttpError(
    409,
    "invalid_input",
    `Nothing waits for an answer under ${requestId}; it may be settled already.`,
  );
}

async function first(turn: Turn): Promise<string> {
  for await (const event of turn) return event.turnId ?? turn.id;
  return turn.id;
}
