/** Opens, reads and stops the agents of a session, one after another. */
import type { AgentSession, PromptInput } from "../../agents/contract.ts";
import { errorInfo, ReinsError, toReinsError } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Retired } from "./inputs.ts";
import type { SessionRuntime } from "./runtime.ts";
import { mayRead, modeInForce } from "./state.ts";

interface LiveLeg {
  readonly id: number;
  readonly session: AgentSession;
  /** Ends the agent once; never rejects. */
  readonly close: () => Promise<void>;
  over: Promise<void>;
  /** Set when the agent accepts no more prompts, with the turn that ran at that time. */
  retired?: Retired;
  /** True when the agent was dismissed: its further events do not count. */
  dismissed: boolean;
  /** The batch being read, and the batch in which the last prompt was sent: the rest of that batch is older than the prompt. */
  reading?: readonly AgentEvent[] | undefined;
  promptedIn?: readonly AgentEvent[] | undefined;
}

export class AgentProcess {
  readonly #runtime: SessionRuntime;
  /** Legs that are not read to their end, including the current one. */
  readonly #legs = new Map<number, LiveLeg>();
  /** Rejects when the agent cannot be opened; already resolved when none is being opened. */
  opened = Promise.resolve();
  left = Promise.resolve();
  readonly #closed = new AbortController();
  readonly #hasToWait = Promise.withResolvers<void>();

  constructor(runtime: SessionRuntime) {
    this.#runtime = runtime;
  }

  get session(): AgentSession | undefined {
    const { leg } = this.#runtime.state;
    return leg.is === "ready" || leg.is === "stopping" ? this.#legs.get(leg.id)?.session : undefined;
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Resolves the first time the agent cannot start at once. */
  get hasToWait(): Promise<void> {
    return this.#hasToWait.promise;
  }

  sessionOf(leg: number): AgentSession | undefined {
    return this.#legs.get(leg)?.session;
  }

  prompt(id: number, input: PromptInput, ready: Promise<unknown> | undefined): Promise<void> {
    const leg = this.#legs.get(id)!;
    leg.promptedIn = leg.reading;
    return leg.session.prompt(input, ready);
  }

  open(leg: number): void {
    const opening = this.#open(leg).finally(() => {
      if (this.opened === opening) this.opened = Promise.resolve();
    });
    this.opened = opening;
    opening.catch((thrown: unknown) =>
      this.#runtime.dispatch({ type: "agent.open_failed", leg, error: errorInfo(toReinsError(thrown)) }),
    );
  }

  stop(leg: number): void {
    void this.#legs.get(leg)?.close();
  }

  /** Ends the process of a retired leg. The next leg opens after the process is gone. */
  dismiss(id: number): void {
    const leg = this.#legs.get(id);
    if (leg === undefined) return;
    leg.dismissed = true;
    leg.retired ??= { turn: undefined };
    this.left = leg.close().then(() => leg.over);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all([...this.#legs.values()].map((leg) => leg.close().then(() => leg.over)));
    // An agent that is still opening ends, or takes too long and is not waited for.
    const { politeClose, term } = this.#runtime.deps.deadlines;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, politeClose + term);
    await Promise.race([this.opened.catch(() => {}), late.promise]);
    clearTimeout(timer);
  }

  async #open(id: number): Promise<void> {
    // Two processes that continue one conversation at once would overwrite each other.
    await this.left;
    await this.#enter();
    try {
      await this.#openOne(id);
    } catch (thrown) {
      this.#runtime.deps.live.leave(this.#runtime);
      throw thrown;
    }
  }

  async #enter(): Promise<void> {
    const runtime = this.#runtime;
    const waiting = (why: string): void => {
      const { name } = runtime.state.settings.active.agent;
      runtime.dispatch({ type: "room.waiting", why: `${why}; ${name} starts as soon as there is room.` });
      this.#hasToWait.resolve();
    };
    await runtime.deps.live.enter(runtime, waiting, this.#closed.signal).finally(() => {
      if (runtime.state.waitingForRoom !== undefined) runtime.dispatch({ type: "room.waiting", why: undefined });
    });
  }

  async #openOne(id: number): Promise<void> {
    if (this.#closed.signal.aborted) throw closedMeanwhile();
    const { deps, route, state } = this.#runtime;
    const { settings, conversation } = state;
    const { agent, options } = settings.active;
    const resumeFrom = conversation.resumeFrom ?? options.resume;
    const resumed = resumeFrom !== undefined;
    const opening = agent.open({
      ...options,
      sessionId: deps.id,
      cwd: deps.cwd,
      mode: modeInForce(state),
      model: settings.model,
      history: route.history(settings.active, resumed),
      state: resumeFrom,
      // Fork only once; afterwards the session continues with its own copy.
      fork: conversation.resumeFrom === undefined ? options.fork : false,
      signal: this.#closed.signal,
    });
    const session = await opening.catch((thrown: unknown) => this.#lost(toReinsError(thrown)));
    if (session === undefined) return this.#openOne(id);
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= this.#closeAgent(session, agent.name));
    if (this.#closed.signal.aborted) {
      await close();
      throw closedMeanwhile();
    }
    const leg: LiveLeg = { id, session, close, over: Promise.resolve(), dismissed: false };
    this.#legs.set(id, leg);
    const { startsAhead = false } = session;
    const steers = session.steer !== undefined;
    this.#runtime.dispatch({ type: "agent.opened", leg: id, resumed, startsAhead, steers });
    leg.over = this.#read(leg).finally(() => this.#legs.delete(id));
  }

  /** An agent may die in its first turn before it has saved anything. The session then starts again and reports it. */
  #lost(error: ReinsError): undefined {
    const { settings, conversation } = this.#runtime.state;
    const { agent, options } = settings.active;
    const isOwn = conversation.resumeFrom !== undefined && conversation.resumeFrom !== options.resume;
    if (error.code !== "session_not_found" || !isOwn || conversation.anyTurnDone) throw error;
    const why = conversation.wasAway ? "no longer has its part of" : "ended before it had saved";
    this.#runtime.route.knowledge.lost(agent.id);
    this.#runtime.dispatch({ type: "agent.lost", reason: `${agent.name} ${why} the conversation.` });
  }

  async #closeAgent(session: AgentSession, name: string): Promise<void> {
    try {
      await session.close();
    } catch (thrown) {
      this.#runtime.notice("warning", "close", `${name} did not close properly: ${toReinsError(thrown).message}`);
    }
  }

  async #read(leg: LiveLeg): Promise<void> {
    const runtime = this.#runtime;
    let failure: ReinsError | undefined;
    try {
      for await (const batch of leg.session.events) {
        leg.reading = batch;
        for (const event of batch) {
          // Skip an end that is reported twice. In a later batch it cannot be recognised: it names no turn, and an
          // agent may acknowledge a prompt only after a short turn has ended (OpenCode), so neither silence nor a
          // missing acknowledgement proves anything.
          if (event.type === "turn.ended" && leg.promptedIn === batch) continue;
          if (leg.retired !== undefined && !stillCounts(leg, event)) continue;
          runtime.take(event, leg.retired);
          if (event.type === "turn.ended" && !mayRead(runtime.state)) await runtime.readable();
          // The agent accepts no more prompts: the next prompt opens a new leg, even before this one is read to its end.
          if (event.type === "process.exited") this.#retire(leg);
        }
        leg.reading = undefined;
        const wait = runtime.tookBatch();
        if (wait !== undefined) await wait;
      }
    } catch (thrown) {
      failure = toReinsError(thrown);
    }
    const last = this.#retire(leg);
    runtime.dispatch({ type: "agent.exited", leg: leg.id, last, error: failure && errorInfo(failure) });
    if (!mayRead(runtime.state)) await runtime.readable();
    await leg.close();
  }

  #retire(leg: LiveLeg): Retired {
    if (leg.retired !== undefined) return leg.retired;
    const { turn } = this.#runtime.state;
    // A turn that was not sent yet goes to the next leg.
    const isUnsent = turn?.phase === "starting" && turn.stop === undefined;
    leg.retired = isUnsent ? { turn: undefined } : { turn: turn?.id, attempt: turn?.attempt };
    this.#runtime.dispatch({ type: "agent.retired", leg: leg.id, state: leg.session.state });
    return leg.retired;
  }
}

/** From an exited agent only notices and the end of its turn count; a dismissed agent had no turn to end. */
function stillCounts({ dismissed }: LiveLeg, { type }: AgentEvent): boolean {
  return type === "notice" || (type === "turn.ended" && !dismissed);
}

export function closedMeanwhile(): ReinsError {
  return new ReinsError("cancelled", "The session was closed.");
}
