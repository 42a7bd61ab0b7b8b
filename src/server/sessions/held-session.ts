/** A session that this server holds: its turns and its pending requests. */
import type {
  PermissionReply,
  Prompt,
  QuestionReply,
  Session,
  SessionOptions,
  Turn,
  TurnOptions,
} from "../../core/api.ts";
import { batchesOf, type EventBatch } from "../../core/log/event-batch.ts";
import type { ReinsEvent } from "../../events/types.ts";
import { HttpError } from "../http-error.ts";

export interface Begun {
  /** The turn that the prompt started or joined. */
  readonly turn: string;
  /** The seq of the last event before the turn; undefined while the prompt is queued. */
  readonly after?: number;
}

export class HeldSession {
  readonly session: Session;
  readonly options: SessionOptions;
  /** Calls that the opener allowed without asking, in addition to the mode. */
  widened: Pick<SessionOptions, "rules" | "tools" | "allowUnenforced"> = {};
  readonly #turns = new Map<string, Turn>();
  readonly #waiting = new Set<string>();
  readonly #tasks = new Set<string>();
  /** Prompts of which it is not known yet whether they run at once or are queued. */
  #unplaced: { readonly id: string; readonly waits: (begun: Begun) => void }[] = [];
  #running: string | undefined;
  title: string | undefined;
  closing = false;
  readonly openedAt = new Date().toISOString();
  /** When the session was last prompted. */
  usedAt = performance.now();
  lastSeq: number;
  /** Resolves when the session is closed and all its events are read. */
  over: Promise<void> = Promise.resolve();

  constructor(session: Session, options: SessionOptions) {
    this.session = session;
    this.options = options;
    this.lastSeq = session.resumedAt;
  }

  /** True if closing the session now would lose nothing. */
  get rests(): boolean {
    return !this.running && [this.#turns, this.#waiting, this.#tasks].every(({ size }) => size === 0);
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  get waiting(): readonly string[] {
    return [...this.#waiting];
  }

  async follow(take: (batch: EventBatch) => void, changed: () => void): Promise<void> {
    for await (const batch of batchesOf(this.session, { after: this.session.resumedAt })) {
      take(batch);
      this.lastSeq = batch.lastSeq;
      let isNews = false;
      for (const event of batch.events) isNews = this.#learn(event) || isNews;
      if (isNews) changed();
    }
  }

  /** Resolves when the prompt is accepted; rejects when it is refused. */
  async begin(prompt: Prompt, options: Pick<TurnOptions, "whenBusy" | "id"> = {}): Promise<Begun> {
    this.usedAt = performance.now();
    if (options.id !== undefined && this.#turns.has(options.id)) throw usedBefore(options.id);
    const turn = this.session.prompt(prompt, options);
    this.#turns.set(turn.id, turn);
    const forget = (): void => {
      this.#turns.delete(turn.id);
      this.#place(turn.id);
    };
    turn.result.then(forget, forget);
    const taken: Promise<Begun>[] = [first(turn), turn.result.then(({ turnId }) => ({ turn: turnId ?? turn.id }))];
    // A queued prompt has no events of its own yet.
    if (options.whenBusy === "queue" || options.whenBusy === "steer")
      taken.push(new Promise((resolve) => this.#unplaced.push({ id: turn.id, waits: resolve })));
    return Promise.race(taken);
  }

  async close(): Promise<void> {
    this.closing = true;
    await this.session.close();
    await this.over;
  }

  answer(requestId: string, reply: PermissionReply | QuestionReply): void {
    if (!this.#waiting.has(requestId)) throw settled(requestId);
    this.session.answer(requestId, reply);
  }

  async cancel(turn: string | undefined): Promise<void> {
    const one = turn === undefined ? undefined : this.#turns.get(turn);
    // Prompts queued after a named turn still run.
    if (one !== undefined) return one.cancel();
    if (turn === undefined || turn === this.#running) await this.session.cancel();
  }

  #place(id: string): void {
    this.#unplaced = this.#unplaced.filter((one) => one.id !== id);
  }

  /** Returns true if the list of sessions shows the change. */
  #learn(event: ReinsEvent): boolean {
    switch (event.type) {
      case "turn.started":
        this.#running = event.turnId;
        this.#place(event.turnId ?? "");
        return true;
      case "input.added": {
        // The events come in the order of the prompts.
        const next = this.#unplaced.shift();
        if (event.how === "queue") next?.waits({ turn: next.id });
        return false;
      }
      case "turn.completed":
        this.#running = undefined;
        this.#tasks.clear();
        for (const task of event.background ?? []) this.#tasks.add(task);
        return true;
      case "permission.requested":
      case "question.requested":
        this.#waiting.add(event.requestId);
        return true;
      case "permission.resolved":
      case "question.resolved":
        return this.#waiting.delete(event.requestId);
      case "session.updated":
        this.title = event.title ?? this.title;
        return true;
      case "agent.switched":
        return true;
      case "task.started":
      case "task.updated":
        if (event.status === "running") this.#tasks.add(event.taskId);
        else this.#tasks.delete(event.taskId);
        return false;
      default:
        return false;
    }
  }
}

export function settled(requestId: string): HttpError {
  const message = `No request ${requestId} is waiting for an answer; it may be settled already.`;
  return new HttpError(409, "invalid_input", message);
}

export function usedBefore(turn: string): HttpError {
  return new HttpError(409, "invalid_input", `There is a turn ${turn} already.`);
}

async function first(turn: Turn): Promise<Begun> {
  for await (const event of turn) return { turn: event.turnId ?? turn.id, after: event.seq - 1 };
  return { turn: turn.id };
}
