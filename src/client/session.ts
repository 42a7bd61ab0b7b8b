import type { Prompt, Session, SessionOptions, Turn, TurnOptions } from "../core/api.ts";
import { ReinsError, toReinsError } from "../events/errors.ts";
import type { Mode } from "../events/modes.ts";
import type { ReinsEvent } from "../events/types.ts";
import type { CloseAnswer, CreatedSession } from "../server/schemas/sessions.ts";
import type { CancelAnswer, EventsAnswer, TurnAnswer } from "../server/schemas/turns.ts";
import type { Connection } from "./connection.ts";
import type { Http } from "./http.ts";
import { promptBody } from "./body.ts";
import { PendingRequests } from "./pending-requests.ts";
import { EventStream } from "./stream.ts";
import { cancelledEarly, cancelledWaiting, ClientTurn } from "./turn.ts";

export interface ClientContext {
  readonly http: Http;
  readonly connection: Connection;
  readonly cwd: string | undefined;
  readonly keepWarm: boolean;
  readonly newId: () => string;
  readonly sessions: Set<ClientSession>;
}

export class ClientSession implements Session {
  readonly id: string;
  readonly cwd: string;
  readonly resumedAt: number;
  readonly #context: ClientContext;
  readonly #path: string;
  readonly #stream: EventStream;
  readonly #requests: PendingRequests;
  /** True when the session was already open on the server: its owner closes it. */
  #joined: boolean;
  readonly #turns = new Set<ClientTurn>();
  agent: string;
  state: string | undefined;
  #sent: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(context: ClientContext, created: CreatedSession, people: SessionOptions) {
    this.#context = context;
    this.id = created.id;
    this.cwd = created.cwd;
    this.resumedAt = created.resumedAt;
    this.#joined = created.joined;
    this.agent = created.agent ?? "";
    this.state = created.state;
    this.#path = `/api/sessions/${created.id}`;
    const answers = `${this.#path}/answers/`;
    this.#requests = new PendingRequests(people, created.waiting, (requestId, reply) =>
      context.http.post(answers + encodeURIComponent(requestId), { reply }, { again: true }),
    );
    const watch = (): void => context.connection.watch(this.id, this.#stream);
    this.#stream = new EventStream({
      after: created.resumedAt,
      earlier: (after) => this.#earlier(after),
      learn: (event) => this.#learn(event),
      revive: watch,
    });
    watch();
  }

  prompt(prompt: Prompt, options: TurnOptions = {}): Turn {
    const turn = new ClientTurn(options.id ?? `turn_${this.#context.newId()}`);
    void this.submit(turn, prompt, options);
    return turn;
  }

  /** Sends prompts one after another, in the order of the calls. */
  async submit(turn: ClientTurn, prompt: Prompt, { whenBusy, signal }: TurnOptions): Promise<void> {
    try {
      this.#requireOpen();
      if (signal?.aborted === true) throw cancelledEarly();
      turn.owner = this;
      this.#turns.add(turn);
      const known = this.#stream.at;
      const body = { prompt: promptBody(prompt, this.#context.cwd), whenBusy, id: turn.id };
      const sent = this.#sent.then(() =>
        this.#context.http.post<TurnAnswer>(`${this.#path}/turns`, body, { key: turn.id }),
      );
      this.#sent = sent.catch(() => undefined);
      const forget = (): void => void this.#turns.delete(turn);
      turn.result.then(forget, forget);
      turn.cancelOn(signal);
      const { connection } = this.#context;
      turn.take(await sent, known, { read: (after) => this.#stream.read(after), stopped: () => connection.stopped });
    } catch (thrown) {
      turn.refuse(toReinsError(thrown));
    }
  }

  events(options: { readonly after?: number; readonly signal?: AbortSignal } = {}): AsyncIterable<ReinsEvent> {
    return this.#stream.read(options.after ?? 0, options.signal);
  }

  answer(...[requestId, reply]: Parameters<Session["answer"]>): void {
    this.#requests.answer(requestId, reply);
  }

  async configure({ model, mode }: { readonly model?: string; readonly mode?: Mode }): Promise<void> {
    this.#requireOpen();
    await this.#context.http.patch(this.#path, { model, mode });
  }

  async handoff({ to }: { readonly to: string }): Promise<void> {
    this.#requireOpen();
    const { agent } = await this.#context.http.post<CreatedSession>(`${this.#path}/handoff`, { to });
    this.agent = agent ?? this.agent;
  }

  async cancel(): Promise<void> {
    await this.#sent;
    await this.#cancel(undefined);
    for (const turn of this.#turns) if (!turn.begun) turn.refuse(cancelledWaiting());
  }

  async cancelTurn(turn: ClientTurn): Promise<void> {
    await this.#sent;
    if (!this.#turns.has(turn)) return;
    await this.#cancel(turn.id);
    if (!turn.begun) turn.refuse(cancelledWaiting());
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Closes the session unless one of its turns runs; a running turn continues on the server. */
  leave(): Promise<void> {
    this.#joined ||= this.#turns.size > 0;
    return this.close();
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw new ReinsError("invalid_input", "The session is closed.");
  }

  /** Resolves when the events of the cancelled turn have arrived. */
  async #cancel(turn: string | undefined): Promise<void> {
    const { http } = this.#context;
    const { lastSeq } = await http.post<CancelAnswer>(`${this.#path}/cancel`, { turn }, { again: true });
    await this.#stream.reaches(lastSeq);
    // Readers of a turn receive its last events asynchronously.
    await new Promise((resolve) => setTimeout(resolve));
  }

  async #close(): Promise<void> {
    const { http, connection, keepWarm, sessions } = this.#context;
    this.#requests.leave();
    try {
      // Another ClientSession may still use the same session and close it later.
      const other = [...sessions].find((one) => one !== this && one.id === this.id && one.#closing === undefined);
      const joined = this.#joined;
      if (other !== undefined) other.#joined &&= joined;
      if (joined || connection.stopped) return;
      if (other !== undefined) {
        await Promise.allSettled([...this.#turns].map((turn) => this.cancelTurn(turn)));
        return;
      }
      // With `keepWarm` the server ends the agent on its own time.
      const body = keepWarm ? { again: this.resumedAt === 0, wait: false } : {};
      const { lastSeq } = await http.post<Partial<CloseAnswer>>(`${this.#path}/close`, body, {
        // Do not wait again for a server that did not come back.
        again: !this.#stream.failed,
        leaving: keepWarm,
      });
      // A leaving client has not read the answer.
      if (lastSeq === undefined) return;
      this.#stream.end(lastSeq);
      await this.#stream.reaches(lastSeq);
    } finally {
      connection.unwatch(this.id, this.#stream);
      this.#stream.end();
      sessions.delete(this);
    }
  }

  #learn(event: ReinsEvent): void {
    if (event.type === "agent.switched") this.agent = event.to;
    if ("state" in event && typeof event.state === "string") this.state = event.state;
    this.#requests.learn(event);
  }

  async #earlier(after: number): Promise<readonly ReinsEvent[]> {
    return (await this.#context.http.get<EventsAnswer>(`${this.#path}/events`, { after })).events;
  }
}
