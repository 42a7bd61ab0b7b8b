import type { Agent, PromptInput } from "../agents/contract.ts";
import type { Deadlines } from "../events/deadlines.ts";
import { errorInfo, ReinsError, toReinsError } from "../events/errors.ts";
import type { ErrorCode, ErrorInfo } from "../events/errors.ts";
import type { Limits } from "../events/limits.ts";
import type { Mode } from "../events/modes.ts";
import type { Redactor } from "../events/redact.ts";
import type { AgentEventOf, ReinsEvent } from "../events/types.ts";
import type {
  PermissionReply,
  Prompt,
  QuestionReply,
  Session,
  SessionOptions,
  Turn,
  TurnOptions,
  TurnResult,
} from "./api.ts";
import type { Repository } from "./changes.ts";
import { cleanError } from "./clean-error.ts";
import { takenOf } from "./divergences.ts";
import { Intake } from "./intake.ts";
import { Legs } from "./legs.ts";
import type { SessionLog } from "./log.ts";
import { Pace } from "./pace.ts";
import { PendingAnswers } from "./pending.ts";
import type { Request } from "./pending.ts";
import { followedMode, isWithin, refuseMode } from "./policy.ts";
import { promptInput, shownInput } from "./prompt.ts";
import type { Ending } from "./record/recorder.ts";
import { Recorder } from "./record/recorder.ts";
import { TurnHandle } from "./turn-handle.ts";
import type { TurnOwner } from "./turn-handle.ts";
import { QuietWatch } from "./quiet.ts";
import { Resting } from "./resting.ts";
import type { LiveAgents } from "./live-agents.ts";
import type { People } from "./asking.ts";

export interface SessionContext {
  readonly id: string;
  readonly cwd: string;
  readonly agent: Agent;
  readonly log: SessionLog;
  readonly repository: Repository;
  readonly redact: Redactor;
  readonly deadlines: Deadlines;
  readonly limits: Limits;
  readonly mode: Mode;
  readonly options: SessionOptions;
  /** Said at the start of the first turn: what was asked for and is not done, or looks like a slip. */
  readonly toSay: readonly Remark[];
  /** A model's name as the agent spells it. */
  readonly ownModel: (name: string) => string;
  /** A turn failed. */
  readonly onFailed: (code: ErrorCode) => void;
  readonly onClose: () => void;
  readonly live: LiveAgents;
}

export interface Remark {
  readonly code: "divergence" | "model_unknown";
  readonly message: string;
}

/** The turn that runs now. */
interface Current {
  readonly id: string;
  /** The agent did not begin it itself. */
  readonly prompted: boolean;
  /** Who waits for it: the one who prompted, and those who were steered into it. */
  readonly handles: Set<TurnHandle>;
  readonly over: PromiseWithResolvers<TurnResult>;
  cancelling: boolean;
  ending: boolean;
  /** Why it is being given up: what its agent still says about the end does not count. */
  givenUp?: ErrorInfo;
}

interface Queued {
  readonly handle: TurnHandle;
  readonly input: PromptInput;
  readonly options: TurnOptions;
}

/** A conversation: one agent at a time, one turn at a time, every event through one record. */
export class CoreSession implements Session, TurnOwner {
  readonly id: string;
  readonly cwd: string;
  readonly #context: SessionContext;
  readonly #recorder: Recorder;
  readonly #pending: PendingAnswers;
  readonly #intake: Intake;
  readonly #quiet: QuietWatch;
  readonly #queue: Queued[] = [];
  #mode: Mode;
  /** What the person chose. */
  #chosenMode: Mode;
  #model: string | undefined;
  readonly #legs: Legs;
  #current: Current | undefined;
  #closing: Promise<void> | undefined;
  /** What must be said at the start of the next turn. */
  #toSay: readonly Remark[];
  readonly #pace = new Pace();
  #people: People;
  readonly #resting: Resting;

  constructor(context: SessionContext) {
    this.#context = context;
    this.id = context.id;
    this.cwd = context.cwd;
    this.#mode = context.mode;
    this.#chosenMode = context.mode;
    this.#model = context.options.model;
    this.#people = context.options;
    this.#toSay = context.toSay;
    this.#recorder = new Recorder({ sessionId: context.id, redact: context.redact, limits: context.limits });
    this.#pending = new PendingAnswers(context.deadlines);
    this.#intake = new Intake({
      recorder: this.#recorder,
      pending: this.#pending,
      repository: context.repository,
      people: () => this.#people,
      cwd: context.cwd,
      folders: [context.cwd, ...(context.options.directories ?? [])],
      keepsEdits: context.agent.capabilities.keepsEdits === true,
      mode: () => this.#mode,
      chosenMode: () => this.#chosenMode,
      followMode: (mode, planApproved) => (this.#mode = followedMode(this.#mode, mode, this.#chosenMode, planApproved)),
      cancelling: () => this.#givenUp,
      session: () => this.#legs.current?.session,
      flush: () => void this.#flush(),
    });
    this.#legs = new Legs({
      agent: context.agent,
      options: context.options,
      wanted: () => ({ sessionId: context.id, cwd: context.cwd, mode: this.#mode, model: this.#model }),
      opened: (resumed) => this.#recorder.startLeg(context.agent.id, { mode: this.#mode, cwd: context.cwd, resumed }),
      beganAgain: (reason) => this.#recorder.say({ type: "session.updated", reset: true, by: "agent", reason }),
      warn: (message) => this.#say("warning", "close", message),
      closeMs: context.deadlines.politeClose + context.deadlines.term,
      take: (event) => {
        if (event.type === "turn.ended") return this.#ended(event);
        this.#intake.take(event);
        return undefined;
      },
      tookBatch: () => this.#tookBatch(),
      enter: (signal) => this.#resting.enter(signal),
      leave: () => this.#resting.leave(),
      gone: () => this.#gone(),
    });
    this.#resting = new Resting({
      agent: context.agent,
      live: context.live,
      legs: () => this.#legs,
      busy: () =>
        this.#current !== undefined || this.#queue.length > 0 || this.#closing !== undefined || this.#recorder.hasTasks,
      waits: (why) => this.#say("info", "waiting", why),
    });
    this.#quiet = new QuietWatch(context.deadlines.quiet, context.options.maxQuietMs, {
      quiet: (seconds) => {
        this.#say(
          "info",
          "quiet",
          `${context.agent.name} has been silent for ${seconds} seconds; it may still be working.`,
        );
      },
      hung: (seconds) => void this.#hung(seconds),
      waits: () => this.#pace.paused || this.#resting.waitsFor !== undefined || this.#pending.all().length > 0,
    });
  }

  get agent(): string {
    return this.#context.agent.id;
  }

  get state(): string | undefined {
    return this.#legs.state;
  }

  /** Starts the agent, so that the first prompt finds it warm and what is wrong is known at once. One that has to wait says so. */
  async open(): Promise<void> {
    await Promise.race([this.#legs.get(), this.#resting.hasToWait]);
  }

  get isLive(): boolean {
    return this.#closing === undefined && this.#legs.isLive;
  }

  /** Somebody takes over a session that was opened before anybody asked for it. */
  adopt(people: People, toSay: readonly Remark[]): void {
    this.#people = people;
    this.#toSay = toSay;
  }

  prompt(prompt: Prompt, options: TurnOptions = {}): Turn {
    const handle = new TurnHandle();
    this.submit(handle, prompt, options);
    return handle;
  }

  submit(handle: TurnHandle, prompt: Prompt, options: TurnOptions): void {
    try {
      const input = promptInput(prompt, this.#context.limits.promptBytes);
      takenOf(this.#context.agent, input);
      if (this.#closing !== undefined) throw closedError();
      if (options.signal?.aborted === true)
        throw new ReinsError("cancelled", "The prompt was cancelled before it was sent.");
      handle.own(this);
      this.#begin({ handle, input, options }, this.#current);
    } catch (thrown) {
      handle.refuse(cleanError(thrown, this.#context.redact));
    }
  }

  async *events(options: { readonly after?: number; readonly signal?: AbortSignal } = {}): AsyncGenerator<ReinsEvent> {
    const batches = this.#context.log.read(options.after ?? 0);
    const stop = () => void batches.return?.();
    options.signal?.addEventListener("abort", stop, { once: true });
    try {
      if (options.signal?.aborted === true) return;
      for await (const batch of batches) yield* batch;
    } finally {
      options.signal?.removeEventListener("abort", stop);
      stop();
    }
  }

  answer(requestId: string, reply: PermissionReply | QuestionReply): void {
    this.#intake.answer(requestId, reply);
  }

  async configure(wanted: { readonly model?: string; readonly mode?: Mode }): Promise<void> {
    if (this.#closing !== undefined) throw closedError();
    const change = wanted.model === undefined ? wanted : { ...wanted, model: this.#context.ownModel(wanted.model) };
    if (change.mode !== undefined) refuseMode(this.#context.agent, change.mode);
    // One that is just being started was started with the old ones.
    await this.#legs.settled();
    await this.#resting.notDuring(this.#changeAgent(change)).catch((thrown: unknown) => {
      throw cleanError(thrown, this.#context.redact);
    });
    if (change.mode !== undefined) {
      this.#mode = this.#chosenMode = change.mode;
      this.#intake.forgetPlan();
    }
    this.#model = change.model ?? this.#model;
    this.#recorder.say({ type: "session.updated", ...change, by: "person" });
    void this.#flush();
  }

  async cancel(): Promise<void> {
    for (const queued of this.#queue.splice(0)) queued.handle.refuse(cancelledInQueue());
    if (this.#current !== undefined) await this.#cancelCurrent(this.#current);
  }

  async cancelTurn(turn: TurnHandle): Promise<void> {
    const place = this.#queue.findIndex((queued) => queued.handle === turn);
    if (place >= 0) {
      this.#queue.splice(place, 1);
      turn.refuse(cancelledInQueue());
    } else if (this.#current?.handles.has(turn) === true) {
      await this.#cancelCurrent(this.#current);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** A narrower mode holds at once, whatever the agent does until it has it. */
  async #changeAgent(change: { readonly model?: string; readonly mode?: Mode }): Promise<void> {
    const before = this.#mode;
    if (change.mode !== undefined && isWithin(change.mode, before)) this.#mode = change.mode;
    try {
      await this.#legs.current?.session.configure(change);
    } catch (thrown) {
      if (this.#mode === change.mode) this.#mode = before;
      throw thrown;
    }
  }

  #begin(queued: Queued, current: Current | undefined): void {
    if (current === undefined) return this.#start(queued);
    if (!this.#recorder.isOfSubagents || current.cancelling || this.#queue.length > 0)
      return this.#whenBusy(queued, current);
    // What subagents do in the background keeps nobody from prompting: their turn ends here, and they go on in the next.
    this.#queue.push(queued);
    queued.handle.cancelOn(queued.options.signal);
    void this.#end({ outcome: "done" });
  }

  #whenBusy(queued: Queued, current: Current): void {
    const how = queued.options.whenBusy ?? "reject";
    if (how === "reject") {
      throw new ReinsError("session_busy", "The session is already working on a prompt.", {
        agent: this.agent,
        help: "Wait for the turn to end, cancel it, or pass whenBusy: queue or steer.",
      });
    }
    const { input, handle } = queued;
    if (how === "steer") {
      const session = this.#legs.current?.session;
      if (session?.steer !== undefined && !current.ending && !current.cancelling)
        return void this.#steer(queued, current, session.steer.bind(session));
      const who = this.#context.agent.capabilities.steer ? "The turn" : this.#context.agent.name;
      const when = this.#context.agent.capabilities.steer ? "in now" : "into a running turn";
      this.#say("warning", "divergence", `${who} takes nothing ${when}; the prompt follows after it.`);
    }
    const { text, attachments } = shownInput(input, this.#context.limits.inlineBytes, this.#context.redact);
    this.#recorder.say({ type: "input.added", text, attachments, how: "queue" });
    void this.#flush();
    this.#queue.push(queued);
    handle.cancelOn(queued.options.signal);
  }

  /** Only what the agent took in shares the result of the turn. */
  async #steer(
    { handle, input, options }: Queued,
    current: Current,
    steer: (input: PromptInput) => Promise<void>,
  ): Promise<void> {
    const { text, attachments } = shownInput(input, this.#context.limits.inlineBytes, this.#context.redact);
    this.#recorder.say({ type: "input.added", text, attachments, how: "steer" });
    handle.start({ log: this.#context.log, after: this.#recorder.lastSeq - 1, turnId: current.id });
    void this.#flush();
    current.handles.add(handle);
    handle.cancelOn(options.signal);
    try {
      await steer(this.#taken(input));
      handle.complete(await current.over.promise);
    } catch (thrown) {
      const error = cleanError(thrown, this.#context.redact);
      this.#say("error", "divergence", `The prompt could not be added to the turn: ${error.message}`);
      handle.refuse(error);
    }
  }

  #start({ handle, input, options }: Queued): void {
    const current = newCurrent(handle.id, handle);
    this.#current = current;
    this.#resting.spokenTo();
    void current.over.promise.then((result) => handle.complete(result));
    handle.start({ log: this.#context.log, after: this.#recorder.lastSeq, turnId: handle.id });
    this.#recorder.startTurn(handle.id, {
      type: "turn.started",
      origin: "prompt",
      input: shownInput(input, this.#context.limits.inlineBytes, this.#context.redact),
    });
    for (const remark of this.#toSay) this.#recorder.say({ type: "notice", level: "warning", ...remark });
    this.#toSay = [];
    if (this.#resting.waitsFor !== undefined) this.#say("info", "waiting", this.#resting.waitsFor);
    const taken = this.#taken(input);
    void this.#flush();
    this.#quiet.start();
    handle.cancelOn(options.signal);
    void this.#send(current, taken);
  }

  /** What the agent can take of a prompt; what it cannot is said. */
  #taken(input: PromptInput): PromptInput {
    const [taken, refused] = takenOf(this.#context.agent, input);
    for (const message of refused) this.#say("warning", "divergence", message);
    return taken;
  }

  async #send(current: Current, input: PromptInput): Promise<void> {
    try {
      const leg = this.#legs.current ?? (await this.#legs.get());
      if (this.#current === current && !current.cancelling) await leg.session.prompt(input);
    } catch (thrown) {
      const error = errorInfo(toReinsError(thrown));
      if (this.#current === current) await this.#end({ outcome: current.cancelling ? "cancelled" : "failed", error });
    }
  }

  /** Shows what a batch came to, and waits for the readers unless the turn is given up. */
  #tookBatch(): Promise<void> | undefined {
    this.#adopt();
    this.#quiet.heard();
    const wait = this.#flush();
    if (wait === undefined) return undefined;
    if (!this.#givenUp) return this.#pace.follow(wait);
    this.#recorder.dropDeltas();
    return undefined;
  }

  /** The agent is gone. What it leaves behind is the turn that was running, which ends with it unless it said how. */
  #gone(): (failure: ReinsError | undefined) => Promise<void> {
    this.#recorder.endLeg();
    this.#adopt();
    const last = this.#current;
    return async (failure) => {
      if (last !== undefined && this.#current === last) {
        const { id, name } = this.#context.agent;
        const error =
          failure ?? new ReinsError("agent_crashed", `${name} ended in the middle of the turn.`, { agent: id });
        const given = last.cancelling || this.#closing !== undefined;
        await this.#end({ outcome: given ? "cancelled" : "failed", error: errorInfo(error) });
      }
      void this.#flush();
    };
  }

  /** Nobody wants what the turn still says: its readers are not waited for. */
  get #givenUp(): boolean {
    const current = this.#current;
    return this.#closing !== undefined || current?.cancelling === true || current?.givenUp !== undefined;
  }

  /** The agent began a turn by itself: from here it is the current one. */
  #adopt(): void {
    const id = this.#recorder.turnId;
    if (id === undefined || this.#current?.id === id) return;
    this.#current = newCurrent(id);
    this.#quiet.start();
  }

  async #ended(event: AgentEventOf<"turn.ended">): Promise<void> {
    this.#adopt();
    if (event.origin === "agent" && this.#current?.prompted === true) return;
    if (event.outcome !== "failed") this.#legs.anyTurnDone = true;
    const given = this.#current?.cancelling === true && (event.outcome === "failed" || event.outcome === "interrupted");
    await this.#end(given ? { ...event, outcome: "cancelled" } : event);
  }

  async #end(ending: Ending): Promise<void> {
    const current = this.#current;
    if (current === undefined) return;
    if (current.ending) return void (await current.over.promise);
    current.ending = true;
    if (ending.error !== undefined) this.#context.onFailed(ending.error.code);
    if (current.givenUp !== undefined && !current.cancelling)
      ending = { ...ending, outcome: "failed", error: current.givenUp };
    const filesChangedIncomplete = (await this.#intake.findChanges()) || undefined;
    const left = this.#intake.endPending();
    // There is a current turn exactly when the record has one open.
    const completed = this.#recorder.endTurn({ ...ending, filesChangedIncomplete, state: this.state })!;
    this.#quiet.stop();
    this.#pace.renew();
    this.#current = undefined;
    await this.#flush(true);
    current.over.resolve(completed);
    const next = this.#closing === undefined && this.#current === undefined ? this.#queue.shift() : undefined;
    if (next === undefined) this.#resting.begins();
    else this.#start(next);
    if (ending.outcome !== "cancelled" && this.#legs.current !== undefined) this.#takeAgain(left);
  }

  /** A subagent in the background asks on beyond the turn: what it waits for is asked in the turn that follows. */
  #takeAgain(left: readonly Request[]): void {
    for (const event of left) this.#intake.take(event);
    this.#adopt();
    void this.#flush();
  }

  async #cancelCurrent(current: Current): Promise<void> {
    if (!current.cancelling) {
      current.cancelling = true;
      this.#intake.cancelPending();
      this.#pace.letGo();
      const leg = this.#legs.current;
      if (leg === undefined) return this.#end({ outcome: "cancelled" });
      // An agent that does not stop when it is told to is stopped with its process; its state lets the session go on.
      const timer = setTimeout(() => void leg.close(), this.#context.deadlines.cancel);
      leg.session.cancel().catch(leg.close);
      await current.over.promise;
      clearTimeout(timer);
    }
    await current.over.promise;
  }

  async #hung(seconds: number): Promise<void> {
    const { agent } = this.#context;
    const error = new ReinsError("agent_hung", `${agent.name} said nothing for ${seconds} seconds.`, {
      agent: agent.id,
    });
    const [current, leg] = [this.#current, this.#legs.current];
    if (current !== undefined) current.givenUp = errorInfo(error);
    this.#pace.letGo();
    // Its process ends first, and the turn with it: the next prompt must not find it.
    await leg?.close();
    await leg?.over;
    if (this.#current === current) await this.#end({ outcome: "failed" });
  }

  #say(level: "info" | "warning" | "error", code: string, message: string): void {
    this.#recorder.say({ type: "notice", level, code, message });
    void this.#flush();
  }

  /** Hands what was recorded to the log. The last events of a turn never wait for readers. */
  #flush(ended = false): Promise<void> | undefined {
    const events = this.#recorder.take();
    const wait = events.length === 0 ? undefined : this.#context.log.append(events);
    return ended ? undefined : wait;
  }

  async #close(): Promise<void> {
    for (const queued of this.#queue.splice(0)) queued.handle.refuse(cancelledInQueue());
    this.#pace.letGo();
    if (this.#current !== undefined) this.#current.cancelling = true;
    this.#intake.cancelPending();
    await this.#legs.close();
    await this.#end({ outcome: "cancelled" });
    this.#context.log.end();
    this.#context.onClose();
  }
}

function newCurrent(id: string, handle?: TurnHandle): Current {
  return {
    id,
    prompted: handle !== undefined,
    handles: new Set(handle === undefined ? [] : [handle]),
    over: Promise.withResolvers(),
    cancelling: false,
    ending: false,
  };
}

function closedError(): ReinsError {
  return new ReinsError("invalid_input", "The session is closed.");
}

function cancelledInQueue(): ReinsError {
  return new ReinsError("cancelled", "The prompt was cancelled while it waited for its turn.");
}
