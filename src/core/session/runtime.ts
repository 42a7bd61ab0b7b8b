/**
 * Runs a session: takes inputs one by one, lets the reducer decide, records at once, appends to the log, and then
 * carries out the other effects in order. Inputs that arrive meanwhile are queued, never nested.
 */
import type { PromptInput } from "../../agents/contract.ts";
import { errorInfo } from "../../events/errors.ts";
import type { AgentEvent, ReinsEvent } from "../../events/types.ts";
import type { PermissionRequest, QuestionRequest, TurnResult } from "../api.ts";
import { SpendTracker } from "../budget/spend-tracker.ts";
import { EventBatch } from "../log/event-batch.ts";
import type { IdleSession } from "../pool/live-agents.ts";
import { UniqueIds } from "../record/ids.ts";
import { Recorder } from "../record/recorder.ts";
import { SessionRoute } from "../route/session-route.ts";
import { switchedTo } from "../route/switch-agent.ts";
import { decideOn } from "./decision.ts";
import type { SessionDeps } from "./deps.ts";
import { EffectRunner } from "./effects.ts";
import {
  eventRoute,
  type ControlEvent,
  type Effect,
  type EffectOf,
  type Input,
  type OuterEffect,
  type RecordEffect,
  type Retired,
  type Rules,
} from "./inputs.ts";
import { shownInput } from "./prompt-input.ts";
import { reduce } from "./reducer.ts";
import {
  idleSince,
  initialState,
  isStopped,
  mayRead,
  modeInForce,
  waitsForReaders,
  type Conversation,
  type SessionState,
} from "./state.ts";

type RecordHandlers = { readonly [Name in RecordEffect["do"]]: (effect: EffectOf<Name>) => void };

export class SessionRuntime implements IdleSession {
  readonly deps: SessionDeps;
  readonly recorder: Recorder;
  readonly route: SessionRoute;
  readonly effects: EffectRunner;
  /** Unique ids of requests, because an agent may reuse an id. */
  readonly requestIds = new UniqueIds();
  readonly requested = new Map<string, PermissionRequest | QuestionRequest>();
  readonly results = new Map<string, TurnResult>();
  isPaused = false;
  readonly #spending: SpendTracker;
  readonly #rules: Rules;
  readonly #inputs: Input[] = [];
  #pending: OuterEffect[] = [];
  #state: SessionState;
  #isBusy = false;
  /** True while the agent has just ended the turn successfully: its last usage must not stop it any more. */
  #isAgentDone = false;
  /** True when the last recorded events ended a turn, which must not wait for readers. */
  #isTurnOver = false;
  /** Sequence number of the last event appended to the log by this process. */
  #appended = 0;
  #unacked: { readonly seq: number; readonly run: () => void }[] = [];
  #released: PromiseWithResolvers<void> | undefined;
  #readable: PromiseWithResolvers<void> | undefined;
  readonly #recordHandlers: RecordHandlers = {
    record: ({ event }) => {
      this.recorder.add(event);
      this.#keepRequest(this.recorder.last);
    },
    emit: ({ event }) => this.recorder.emit(event),
    "record.tool": ({ tool, nativeName }) => this.recorder.ensureTool(tool, nativeName),
    "record.start_leg": ({ resumed, tell }) => {
      const { agent } = this.#state.settings.active;
      this.recorder.startLeg(agent.id, { mode: modeInForce(this.#state), cwd: this.deps.cwd, resumed });
      if (tell) this.recorder.tellLeg();
    },
    "record.end_leg": () => this.recorder.endLeg(),
    "record.start_turn": ({ turn, input, continues }) => {
      if (continues === undefined) this.effects.afterTurn.begin();
      this.recorder.startTurn(turn, { type: "turn.started", origin: "prompt", input: this.#shown(input), continues });
    },
    "record.added": ({ input, how }) => {
      const { text, attachments } = this.#shown(input);
      this.recorder.emit({ type: "input.added", text, attachments, how });
    },
    "record.suspend_turn": ({ ending }) => this.recorder.suspendTurn(this.#spending.pricedEnding(ending)),
    "record.resume_turn": () => this.recorder.resumeTurn(),
    "record.end_turn": ({ ending }) => {
      const state = this.agentState;
      const completed = this.recorder.endTurn({ ...this.#spending.pricedEnding(ending), state });
      if (completed !== undefined) this.results.set(completed.turnId ?? "", completed);
    },
    "caller.start": ({ handle, turn, back }) =>
      handle.start({ log: this.deps.log, after: this.recorder.lastSeq - back, turnId: turn }),
    "budget.start": ({ turn }) => {
      const error = this.#spending.start(this.#state.settings.model);
      this.#inputs.push({ type: "turn.begun", turn, error: error && errorInfo(error) });
    },
    "budget.agent": () => this.#spending.switchedTo(this.#state.settings.model),
    "requests.again": ({ events }) => {
      for (const event of events) this.#control(event);
    },
  };

  constructor(deps: SessionDeps) {
    this.deps = deps;
    const { id: sessionId, cwd, active, resumed, redact, limits, put, mode, following, deadlines } = deps;
    this.recorder = new Recorder({ sessionId, redact, limits, put, agentState: () => this.#recordedState() });
    this.route = new SessionRoute({
      route: deps.route,
      keep: put,
      mode: () => this.#state.settings.chosenMode,
      knowsPast: active.options.resume === undefined || resumed !== undefined,
      redact,
      say: (code, message) => this.notice("info", code, message),
    });
    for (const event of resumed?.recordedEvents ?? []) {
      this.recorder.restore(event);
      this.route.knowledge.follow(event);
    }
    for (const requestId of this.recorder.requests.known) this.requestIds.begin(requestId);
    if (resumed?.fork === true) this.route.knowledge.forgetStates();
    const { previousAgent } = deps;
    const { model } = active.options;
    this.#state = initialState({
      settings: { active, model, confirmedMode: mode, chosenMode: mode, planApproved: false, people: active.options },
      conversation: conversationOf(deps, this.route),
      announce: previousAgent === undefined ? undefined : switchedTo(this.route, active, previousAgent, "requested"),
      startNotices: deps.startNotices,
      idleSince: Date.now(),
    });
    const { budget = {}, days, before, fresh } = following;
    this.#spending = new SpendTracker({
      budget,
      days,
      before,
      fresh,
      warn: (message) => this.notice("warning", "budget", message),
      over: (error) =>
        this.dispatch({ type: "budget.exceeded", error: errorInfo(error), agentDone: this.#isAgentDone }),
    });
    this.effects = new EffectRunner(this);
    deps.log.onAck((seq) => this.#acked(seq));
    const workspace = { cwd, folders: [cwd, ...(active.options.directories ?? [])] };
    this.#rules = {
      decide: (event, state, source) => decideOn(event, state, workspace, source),
      afterFailure: (from, error) => this.route.afterFailure(from, error),
      isTooSlow: (from, retry) => this.route.isTooSlow(from, retry),
      subagentsOnly: () => this.recorder.isOfSubagents,
      followsTurns: this.effects.afterTurn.any,
      deadlines,
      now: Date.now,
    };
  }

  get state(): SessionState {
    return this.#state;
  }

  get agentState(): string | undefined {
    const { settings, conversation } = this.#state;
    const { resume, fork } = settings.active.options;
    const { session } = this.effects.process;
    return session?.state ?? conversation.resumeFrom ?? (fork === true ? undefined : resume);
  }

  dispatch(input: Input): void {
    this.#inputs.push(input);
    this.#run();
  }

  notice(level: "info" | "warning" | "error", code: string, message: string): void {
    this.recorder.emit({ type: "notice", level, code, message });
    this.commit();
  }

  /** Appends the recorded events to the log, after the route and the budget have seen them. */
  commit(): void {
    const events = this.recorder.take();
    if (events.length === 0) return;
    let [isSpent, isOver] = [false, false];
    for (const event of events) {
      this.route.follow(event);
      // Deltas are nearly all of a long stream.
      if (event.type === "message.delta") continue;
      this.#spending.follow(event);
      if (event.type === "usage.updated" || event.type === "turn.started") isSpent = true;
      else if (event.type === "turn.completed") isOver = true;
    }
    const batch = new EventBatch(events);
    // Set before appending, because the log may acknowledge at once.
    this.#appended = batch.lastSeq;
    this.deps.log.append(batch);
    this.#isTurnOver = isOver;
    if (isSpent) this.#spending.check();
  }

  /** Takes one event of the agent. Content goes directly to the recorder. */
  take(event: AgentEvent, last: Retired | undefined): void {
    // Deltas are nearly all of a long stream, so skip the table lookup (bench pipeline-200B: about 5 % of the core's cost).
    if (event.type !== "message.delta") {
      if (eventRoute[event.type] === "control") return this.#control(event as ControlEvent, last);
      if (event.type === "usage.updated") event = this.#spending.priced(event);
    }
    this.recorder.add(event as ContentEvent);
    if (this.recorder.turnId !== this.#state.turn?.id) this.#run();
  }

  /** A batch was read. Await the returned promise before reading the next. */
  tookBatch(): Promise<void> | undefined {
    this.effects.silence.heard();
    this.#run();
    const room = this.#isTurnOver ? undefined : this.deps.log.room();
    if (room === undefined) return undefined;
    if (waitsForReaders(this.#state)) return this.#pause(room);
    if (isStopped(this.#state)) this.recorder.dropDeltas();
    return undefined;
  }

  readable(): Promise<void> {
    this.#readable ??= Promise.withResolvers();
    return this.#readable.promise;
  }

  /** Runs at once, or when all appended events are durable. */
  afterAck(run: () => void): void {
    const seq = this.#appended;
    if (this.#unacked.length === 0 && seq <= this.deps.log.acked) run();
    else this.#unacked.push({ seq, run });
  }

  idleSince(): number | undefined {
    return idleSince(this.#state, this.agentState, this.recorder.hasTasks);
  }

  async sleep(): Promise<void> {
    const { process } = this.effects;
    this.dispatch({ type: "sleep", state: process.session?.state });
    await process.left;
  }

  #run(): void {
    this.#exclusively(() => {
      do {
        this.#drain();
        this.commit();
        const effects = this.#pending;
        this.#pending = [];
        for (const effect of effects) this.effects.run(effect);
      } while (this.#inputs.length > 0 || this.#pending.length > 0);
    });
  }

  #drain(): void {
    for (;;) {
      const input = this.#inputs.shift() ?? this.#agentTurn();
      if (input === undefined) break;
      const [state, effects] = reduce(this.#state, input, this.#rules);
      this.#state = state;
      for (const effect of effects) {
        const record = this.#recordHandlers[effect.do as RecordEffect["do"]] as ((effect: Effect) => void) | undefined;
        if (record === undefined) this.#pending.push(effect as OuterEffect);
        else record(effect);
      }
    }
    if (mayRead(this.#state)) {
      this.#readable?.resolve();
      this.#readable = undefined;
    }
    if (!waitsForReaders(this.#state)) this.#released?.resolve();
  }

  #agentTurn(): Input | undefined {
    const { turnId } = this.recorder;
    return turnId === undefined || turnId === this.#state.turn?.id ? undefined : { type: "agent.turn", turn: turnId };
  }

  #control(event: ControlEvent, last?: Retired): void {
    switch (event.type) {
      case "tool.held":
      case "permission.requested":
      case "question.requested": {
        const nativeId = event.requestId;
        // Deduplicate: an agent may repeat a request that is still pending.
        if (this.#state.requests.has(this.requestIds.nameOf(nativeId))) return;
        const requestId = this.requestIds.begin(nativeId);
        return this.#apply({ type: "agent.event", event: { ...event, requestId }, nativeId });
      }
      case "permission.resolved":
      case "question.resolved":
        return this.#apply({
          type: "agent.event",
          event: { ...event, requestId: this.requestIds.nameOf(event.requestId) },
        });
      case "turn.ended":
        // Earlier usage and actions of the agent count before the end of its turn.
        this.#isAgentDone =
          event.outcome !== "failed" && !(event.origin === "agent" && this.#state.turn?.origin === "prompt");
        this.#run();
        this.#isAgentDone = false;
        return this.dispatch({ type: "agent.event", event, last });
      default:
        return this.#apply({ type: "agent.event", event });
    }
  }

  /** Decides and records; the effects run with the batch. */
  #apply(input: Input): void {
    this.#inputs.push(input);
    this.#exclusively(() => this.#drain());
  }

  /** Inputs that arrive while one is handled are queued, never nested. */
  #exclusively(work: () => void): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      work();
    } finally {
      this.#isBusy = false;
    }
  }

  #shown(input: PromptInput): ReturnType<typeof shownInput> {
    return shownInput(input, this.deps.limits.inlineBytes, this.deps.redact);
  }

  #keepRequest(event: ReinsEvent | undefined): void {
    if (event?.type === "permission.requested" || event?.type === "question.requested")
      this.requested.set(event.requestId, event);
    else if (event?.type === "permission.resolved" || event?.type === "question.resolved")
      this.requested.delete(event.requestId);
  }

  #acked(seq: number): void {
    while (this.#unacked.length > 0 && this.#unacked[0]!.seq <= seq) this.#unacked.shift()!.run();
  }

  async #pause(room: Promise<void>): Promise<void> {
    const released = (this.#released ??= Promise.withResolvers());
    this.isPaused = true;
    await Promise.race([room, released.promise]);
    this.isPaused = false;
    if (this.#released === released) this.#released = undefined;
  }

  /** State of the running agent. While a turn finishes, also of an exited agent, whose leg the after-steps belong to. */
  #recordedState(): string | undefined {
    const { turn, conversation } = this.#state;
    const isFinishing = turn?.phase === "finishing";
    return this.effects.process.session?.state ?? (isFinishing ? conversation.resumeFrom : undefined);
  }
}

type ContentEvent = Exclude<AgentEvent, { type: "turn.ended" | "tool.held" }>;

/** The state that a stored or handed-over session continues from. */
function conversationOf({ resumed, previousAgent, active }: SessionDeps, route: SessionRoute): Conversation {
  if (previousAgent !== undefined) {
    const resumeFrom = route.knowledge.stateOf(active.agent.id);
    return { resumeFrom, anyTurnDone: false, wasAway: resumeFrom !== undefined };
  }
  // A fork has no state of its own yet: it is made from the given state.
  if (resumed === undefined || resumed.fork) return { anyTurnDone: false, wasAway: false };
  const anyTurnDone = resumed.recordedEvents.some((event) => isDone(event) && event.agent === active.agent.id);
  return { resumeFrom: resumed.session.state, anyTurnDone, wasAway: false };
}

/** True when the agent itself ended the turn, so it has saved the conversation. */
function isDone(event: ReinsEvent): boolean {
  return event.type === "turn.completed" && event.outcome !== "failed" && event.outcome !== "interrupted";
}
