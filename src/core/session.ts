import { stat } from "node:fs/promises";
import type { PromptInput } from "../agents/contract.ts";
import { errorInfo, ReinsError, toReinsError } from "../events/errors.ts";
import type { ErrorInfo } from "../events/errors.ts";
import type { Mode } from "../events/modes.ts";
import type { AgentEventOf, ReinsEvent } from "../events/types.ts";
import type { PermissionReply, Prompt, QuestionReply, Session, Turn, TurnOptions } from "./api.ts";
import { unlessElsewhere } from "./changes.ts";
import { cleanError } from "./clean-error.ts";
import { takenOf } from "./divergences.ts";
import type { Aftermath } from "./aftermath.ts";
import { following } from "./following.ts";
import { Journal } from "./journal.ts";
import { PromptQueue } from "./prompt-queue.ts";
import type { Queued } from "./prompt-queue.ts";
import type { Remark, SessionContext } from "./session-context.ts";
import { Settings } from "./settings.ts";
import { Intake } from "./intake.ts";
import { Legs } from "./legs.ts";
import { Pace } from "./pace.ts";
import { PendingAnswers } from "./pending.ts";
import type { Request } from "./pending.ts";
import { refuseMode } from "./policy/mode.ts";
import type { Policy } from "./policy/policy.ts";
import { promptInput, shownInput } from "./prompt.ts";
import type { Ending } from "./record/recorder.ts";
import { newTurnId, Recorder } from "./record/recorder.ts";
import type { Spending } from "./spending.ts";
import { CurrentTurn, SessionState } from "./states.ts";
import { TurnHandle } from "./turn-handle.ts";
import type { TurnOwner } from "./turn-handle.ts";
import { QuietWatch } from "./quiet.ts";
import { Resting } from "./resting.ts";
import { Handover } from "./route/handover.ts";
import { Relay } from "./route/relay.ts";
import type { Holder, NextHolder } from "./route/relay.ts";
import type { People } from "./asking.ts";

/** A conversation: one agent at a time, one turn at a time, every event through one record. */
export class CoreSession implements Session, TurnOwner {
  readonly id: string;
  readonly cwd: string;
  readonly #context: SessionContext;
  readonly #recorder: Recorder;
  readonly #pending: PendingAnswers;
  readonly #intake: Intake;
  readonly #quiet: QuietWatch;
  readonly #queue = new PromptQueue();
  readonly #settings: Settings;
  readonly #legs: Legs;
  readonly #state = new SessionState();
  #closed: Promise<void> | undefined;
  readonly #pace = new Pace();
  readonly #resting: Resting;
  readonly #journal: Journal;
  readonly #relay: Relay;
  readonly #handover: Handover;
  readonly #spending: Spending;
  readonly #aftermath: Aftermath;

  constructor(context: SessionContext) {
    this.#context = context;
    this.id = context.id;
    this.cwd = context.cwd;
    this.#settings = new Settings(context);
    const { holder, route, redact, limits, put, log } = context;
    this.#recorder = new Recorder({ sessionId: context.id, redact, limits, put });
    this.#journal = new Journal({
      recorder: this.#recorder,
      log,
      relay: () => this.#relay,
      spending: () => this.#spending,
    });
    this.#relay = new Relay({
      route,
      keep: context.put,
      mode: () => this.#settings.chosenMode,
      knowsPast: holder.options.resume === undefined || context.resumed !== undefined,
      redact,
      say: (code, message) => this.#journal.say("info", code, message),
    });
    for (const event of context.resumed?.earlier ?? []) {
      this.#recorder.restore(event);
      this.#relay.restore(event);
    }
    if (context.resumed?.fork === true) this.#relay.isCopy();
    this.#pending = new PendingAnswers(context.deadlines);
    this.#intake = new Intake({
      recorder: this.#recorder,
      pending: this.#pending,
      repository: unlessElsewhere(context.repository, () => this.#settings.agent.capabilities.elsewhere === true),
      people: () => this.#settings.people,
      cwd: context.cwd,
      folders: [context.cwd, ...(holder.options.directories ?? [])],
      keepsEdits: () => this.#settings.agent.capabilities.keepsEdits === true,
      mode: () => this.#settings.mode,
      policy: () => this.#settings.holder.policy,
      chosenMode: () => this.#settings.chosenMode,
      followMode: (mode, planApproved) => this.#settings.followMode(mode, planApproved),
      cancelling: () => this.#state.isGivenUp,
      session: () => this.#legs.current?.session,
      flush: () => void this.#journal.flush(),
    });
    const { spending, aftermath } = following(context.following, {
      sessionId: context.id,
      cwd: context.cwd,
      agent: () => this.agent,
      deadlineMs: context.deadlines.after,
      say: (event) => {
        if (event.type === "tool.started") this.#recorder.knowState(this.state);
        this.#recorder.add(event);
        void this.#journal.flush();
      },
      permit: (call, signal) => this.#intake.permit(call, context.following.whoseAfter, signal),
      warn: (code, message) => this.#journal.say("warning", code, message),
      over: (error) => void this.#overBudget(errorInfo(error)),
    });
    this.#spending = spending;
    this.#aftermath = aftermath;
    this.#legs = new Legs({
      agent: () => this.#settings.agent,
      options: () => this.#settings.holder.options,
      earlier: context.resumed,
      wanted: (resumed) => ({
        sessionId: context.id,
        cwd: context.cwd,
        mode: this.#settings.mode,
        model: this.#settings.model,
        history: this.#relay.history(this.#settings.holder, resumed),
      }),
      opened: (resumed) => this.#opened(resumed),
      beganAgain: (reason) => {
        this.#relay.lost(this.#settings.agent);
        this.#recorder.say({ type: "session.updated", reset: true, by: "agent", reason });
      },
      warn: (message) => this.#journal.say("warning", "close", message),
      closeMs: context.deadlines.politeClose + context.deadlines.term,
      take: (event) => {
        if (event.type === "turn.ended") return this.#ended(event);
        if (event.type === "agent.retrying" && this.#isTooSlow(event)) void this.#giveUp(event.error);
        // A whole turn of the agent's own may come at once: what it cost is not added to that of the one before.
        if (event.type === "usage.updated") this.#adopt();
        this.#intake.take(event.type === "usage.updated" ? this.#spending.priced(event) : event);
        return undefined;
      },
      tookBatch: () => this.#tookBatch(),
      enter: (signal) => this.#resting.enter(signal),
      leave: () => this.#resting.leave(),
      gone: () => this.#gone(),
    });
    this.#handover = new Handover({
      relay: this.#relay,
      legs: () => this.#legs,
      held: () => this.#settings.holder,
      hold: (next) => this.#hold(next),
      remark: (message) => this.#journal.say("warning", "divergence", message),
    });
    if (context.heldBefore !== undefined) {
      this.#legs.goOnFrom(this.#relay.stateOf(holder.agent));
      this.#handover.beganElsewhere(context.heldBefore);
    }
    this.#resting = new Resting({
      agent: () => this.#settings.agent,
      live: context.live,
      legs: () => this.#legs,
      busy: () =>
        this.#state.turn !== undefined || !this.#queue.isEmpty || this.#state.isClosing || this.#recorder.hasTasks,
      waits: (why) => this.#journal.say("info", "waiting", why),
    });
    this.#quiet = new QuietWatch(context.deadlines.quiet, holder.options.maxQuietMs, {
      quiet: (seconds) => {
        this.#journal.say(
          "info",
          "quiet",
          `${this.#settings.agent.name} has been silent for ${seconds} seconds; it may still be working.`,
        );
      },
      hung: (seconds) => void this.#hung(seconds),
      waits: () =>
        this.#pace.paused ||
        this.#resting.waitsFor !== undefined ||
        this.#state.turn?.phase === "moving" ||
        this.#state.turn?.phase === "ending" ||
        this.#pending.all().length > 0,
    });
  }

  get agent(): string {
    return this.#settings.agent.id;
  }

  get mode(): Mode {
    return this.#settings.chosenMode;
  }

  get resumedAt(): number {
    return this.#context.resumed?.session.lastSeq ?? 0;
  }

  get state(): string | undefined {
    return this.#legs.state;
  }

  /** Starts the agent, so that the first prompt finds it warm and what is wrong is known at once. One that has to wait says so. */
  async open(): Promise<void> {
    const signal = this.#state.closing;
    // Whom somebody asked for by name is not passed over.
    const named = this.#context.heldBefore !== undefined;
    if (!named) await this.#handover.atStart(signal);
    try {
      await Promise.race([this.#legs.get(), this.#resting.hasToWait]);
    } catch (thrown) {
      if (named || (await this.#handover.move(errorInfo(toReinsError(thrown)), signal)) === undefined) throw thrown;
      await this.#legs.get();
    }
  }

  get isLive(): boolean {
    return !this.#state.isClosing && this.#legs.isLive;
  }

  /** Somebody takes over a session that was opened before anybody asked for it. */
  adopt(people: People, toSay: readonly Remark[], policy: Policy): void {
    this.#settings.adopt(people, toSay, policy);
  }

  /** Something a person should know of this session. */
  warn(code: string, message: string): void {
    this.#journal.say("warning", code, message);
  }

  prompt(prompt: Prompt, options: TurnOptions = {}): Turn {
    const handle = new TurnHandle(options.id);
    this.submit(handle, prompt, options);
    return handle;
  }

  submit(handle: TurnHandle, prompt: Prompt, options: TurnOptions): void {
    try {
      const input = promptInput(prompt, this.#context.limits.promptBytes);
      takenOf(this.#settings.agent, input);
      if (this.#state.isClosing) throw closedError();
      if (options.signal?.aborted === true)
        throw new ReinsError("cancelled", "The prompt was cancelled before it was sent.");
      handle.own(this);
      this.#begin({ handle, input, options }, this.#state.turn);
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
    if (this.#state.isClosing) throw closedError();
    const change =
      wanted.model === undefined ? wanted : { ...wanted, model: this.#settings.holder.ownModel(wanted.model) };
    if (change.mode !== undefined) refuseMode(this.#settings.agent, change.mode);
    // One that is just being started was started with the old ones.
    await this.#legs.settled();
    const telling = this.#settings.whileTold(change.mode, () => this.#legs.current?.session.configure(change));
    await this.#resting.notDuring(telling).catch((thrown: unknown) => {
      throw cleanError(thrown, this.#context.redact);
    });
    this.#settings.choose(change);
    if (change.mode !== undefined) this.#intake.forgetPlan();
    this.#recorder.say({ type: "session.updated", ...change, by: "person" });
    void this.#journal.flush();
  }

  /** Another agent goes on, with what was said so far; also with the turn that runs. */
  async handoff({ to }: { readonly to: string }): Promise<void> {
    try {
      if (this.#state.isClosing) throw closedError();
      const next = await this.#context.route.prepare(to, this.#settings.chosenMode);
      // What follows a turn by itself belongs to it.
      while (this.#state.turn?.phase === "ending") await this.#state.turn.over;
      const current = this.#state.turn;
      if (current?.isPrompted === false) throw busyError(this.agent);
      this.#handover.refuse(next, current?.phase === "moving");
      if (current === undefined) await this.#handover.request(next);
      else await this.#giveAway(current, next);
    } catch (thrown) {
      throw cleanError(thrown, this.#context.redact);
    }
  }

  async cancel(): Promise<void> {
    this.#queue.cancelAll();
    if (this.#state.turn !== undefined) await this.#cancelCurrent(this.#state.turn);
  }

  async cancelTurn(turn: TurnHandle): Promise<void> {
    if (this.#queue.cancel(turn)) return;
    if (this.#state.turn?.handles.has(turn) === true) await this.#cancelCurrent(this.#state.turn);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #begin(queued: Queued, current: CurrentTurn | undefined): void {
    if (current === undefined) return this.#start(queued);
    if (!this.#recorder.isOfSubagents || current.isCancelled || !this.#queue.isEmpty)
      return this.#whenBusy(queued, current);
    // What subagents do in the background keeps nobody from prompting: their turn ends here, and they go on in the next.
    this.#queue.add(queued);
    void this.#end({ outcome: "done" });
  }

  #whenBusy(queued: Queued, current: CurrentTurn): void {
    const how = queued.options.whenBusy ?? "reject";
    if (how === "reject") {
      throw busyError(this.agent);
    }
    if (how === "steer") {
      const session = this.#legs.current?.session;
      if (session?.steer !== undefined && current.phase !== "ending" && !current.isCancelled)
        return void this.#steer(queued, current, session.steer.bind(session));
      const { capabilities, name } = this.#settings.agent;
      const who = capabilities.steer ? "The turn" : name;
      const when = capabilities.steer ? "in now" : "into a running turn";
      this.#journal.say("warning", "divergence", `${who} takes nothing ${when}; the prompt follows after it.`);
    }
    const { text, attachments } = shownInput(queued.input, this.#context.limits.inlineBytes, this.#context.redact);
    this.#recorder.say({ type: "input.added", text, attachments, how: "queue" });
    void this.#journal.flush();
    this.#queue.add(queued);
  }

  /** Only what the agent took in shares the result of the turn. */
  async #steer(
    { handle, input, options }: Queued,
    current: CurrentTurn,
    steer: (input: PromptInput) => Promise<void>,
  ): Promise<void> {
    const { text, attachments } = shownInput(input, this.#context.limits.inlineBytes, this.#context.redact);
    this.#recorder.say({ type: "input.added", text, attachments, how: "steer" });
    handle.start({ log: this.#context.log, after: this.#recorder.lastSeq - 1, turnId: current.id });
    void this.#journal.flush();
    current.handles.add(handle);
    handle.cancelOn(options.signal);
    try {
      await steer(this.#taken(input));
      handle.complete(await current.over);
    } catch (thrown) {
      const error = cleanError(thrown, this.#context.redact);
      this.#journal.say("error", "divergence", `The prompt could not be added to the turn: ${error.message}`);
      handle.refuse(error);
    }
  }

  #start({ handle, input, options }: Queued): void {
    const current = new CurrentTurn(handle.id, { input, handles: new Set([handle]) });
    void current.over.then((result) => handle.complete(result));
    handle.start({ log: this.#context.log, after: this.#recorder.lastSeq, turnId: handle.id });
    this.#aftermath.begin();
    this.#run(current, input);
    handle.cancelOn(options.signal);
  }

  /** The agent is told more by itself, for those who wait for the turn before. */
  #goOn(before: CurrentTurn, id: string, text: string): void {
    const current = new CurrentTurn(id, { input: { text }, handles: before.handles });
    void current.over.then((result) => before.complete(result));
    this.#run(current, { text }, before.id);
  }

  #run(current: CurrentTurn, input: PromptInput, continues?: string): void {
    this.#state.begin(current);
    this.#resting.spokenTo();
    this.#recorder.startTurn(current.id, {
      type: "turn.started",
      origin: "prompt",
      input: shownInput(input, this.#context.limits.inlineBytes, this.#context.redact),
      continues,
    });
    const spent = this.#spending.start(this.#settings.model);
    for (const remark of this.#settings.takeRemarks())
      this.#recorder.say({ type: "notice", level: "warning", ...remark });
    if (this.#resting.waitsFor !== undefined) this.#journal.say("info", "waiting", this.#resting.waitsFor);
    void this.#journal.flush();
    if (spent !== undefined) return void this.#end({ outcome: "budget", error: errorInfo(spent) }, true);
    this.#quiet.start();
    void this.#send(current);
  }

  /** What the agent can take of a prompt; what it cannot is said. */
  #taken(input: PromptInput): PromptInput {
    const [taken, refused] = takenOf(this.#settings.agent, input);
    for (const message of refused) this.#journal.say("warning", "divergence", message);
    return taken;
  }

  /** `instead` is not of the person, and needs no briefing. */
  async #send(current: CurrentTurn, instead?: PromptInput): Promise<void> {
    const { attempt } = current;
    try {
      if (this.#handover.settled !== undefined) await this.#handover.settled;
      const ready = this.#settings.agent.capabilities.hold.execute === "none" ? this.#intake.watch() : undefined;
      const leg = this.#legs.current ?? (await this.#legs.get());
      if (ready !== undefined && leg.session.startsAhead !== true) await ready;
      if (this.#state.turn !== current || !current.tell(attempt)) return;
      const input = instead ?? this.#relay.prompt(this.#settings.holder, this.#taken(current.input!), leg.resumed);
      await leg.session.prompt(input, ready);
    } catch (thrown) {
      const error = errorInfo(toReinsError(thrown));
      if (this.#state.turn !== current || current.attempt !== attempt) return;
      await this.#end({ outcome: current.isCancelled ? "cancelled" : "failed", error });
    }
  }

  /** Shows what a batch came to, and waits for the readers unless the turn is given up. */
  #tookBatch(): Promise<void> | undefined {
    this.#adopt();
    this.#quiet.heard();
    const wait = this.#journal.flush();
    if (wait === undefined) return undefined;
    if (!this.#state.isGivenUp) return this.#pace.follow(wait);
    this.#recorder.dropDeltas();
    return undefined;
  }

  /** The agent is gone. What it leaves behind is the turn that was running, which ends with it unless it said how. */
  #gone(): (failure: ReinsError | undefined) => Promise<void> {
    this.#recorder.endLeg();
    this.#adopt();
    const last = this.#state.turn;
    return async (failure) => {
      if (last !== undefined && this.#state.turn === last) {
        const { id, name } = this.#settings.agent;
        const error =
          failure ?? new ReinsError("agent_crashed", `${name} ended in the middle of the turn.`, { agent: id });
        const given = last.isCancelled || this.#state.isClosing;
        await this.#end({ outcome: given ? "cancelled" : "failed", error: errorInfo(error) });
      }
      void this.#journal.flush();
    };
  }

  /** The agent began a turn by itself: from here it is the current one. */
  #adopt(): void {
    const id = this.#recorder.turnId;
    if (id === undefined || this.#state.turn?.id === id) return;
    this.#state.begin(new CurrentTurn(id));
    this.#quiet.start();
    const spent = this.#spending.start(this.#settings.model);
    if (spent !== undefined) void this.#overBudget(errorInfo(spent));
  }

  async #ended(event: AgentEventOf<"turn.ended">): Promise<void> {
    this.#adopt();
    if (event.origin === "agent" && this.#state.turn?.isPrompted === true) return;
    if (event.outcome !== "failed") this.#legs.anyTurnDone = true;
    const given =
      this.#state.turn?.isCancelled === true && (event.outcome === "failed" || event.outcome === "interrupted");
    await this.#end(given ? { ...event, outcome: "cancelled" } : event);
  }

  /** With `final` nobody is sought who could go on. */
  async #end(ending: Ending, final = false): Promise<void> {
    const current = this.#state.turn;
    if (current === undefined) return;
    if (current.phase === "ending") return void (await current.over);
    if (current.phase === "moving" && ending.outcome !== "cancelled" && !final) return;
    if (ending.error !== undefined) this.#context.onFailed(this.agent, ending.error.code);
    if (current.givenUp !== undefined)
      ending = { ...ending, outcome: outcomeOf(current.givenUp), error: current.givenUp };
    if (!final && this.#survives(current, ending)) return void this.#moveOn(current, ending);
    current.end();
    const follows = await this.#follow(current, ending);
    if (current.isCancelled) ending = { ...ending, outcome: "cancelled" };
    else if (current.spent !== undefined) ending = { ...ending, outcome: "budget", error: current.spent };
    if (ending.outcome === "failed" || ending.outcome === "interrupted") await this.#sayGone();
    const filesChangedIncomplete = (await this.#intake.findChanges()) || undefined;
    const left = this.#intake.endPending();
    // There is a current turn exactly when the record has one open.
    const next = follows === undefined || !this.#queue.isEmpty ? undefined : newTurnId();
    const priced = this.#spending.pricedEnding(ending);
    const completed = this.#recorder.endTurn({ ...priced, next, filesChangedIncomplete, state: this.state })!;
    this.#quiet.stop();
    this.#pace.renew();
    this.#state.over();
    await this.#journal.flush(true);
    const free = !this.#state.isClosing && this.#state.turn === undefined;
    if (free && next !== undefined) this.#goOn(current, next, follows!);
    else {
      current.complete(completed);
      const queued = free ? this.#queue.next() : undefined;
      if (queued === undefined) this.#resting.begins();
      else this.#start(queued);
    }
    if (ending.outcome !== "cancelled" && this.#legs.current !== undefined) this.#takeAgain(left);
  }

  /** What follows a turn by itself, while it is still open; what the agent is told next. */
  async #follow(current: CurrentTurn, { outcome }: Ending): Promise<string | undefined> {
    if (!this.#aftermath.any || !current.isPrompted || this.#state.isGivenUp) return undefined;
    this.#quiet.stop();
    return this.#aftermath.of({ outcome, text: this.#recorder.endMessages() }, current.following);
  }

  /** Whatever an agent says about it, this is why. */
  async #sayGone(): Promise<void> {
    if (await stat(this.cwd).catch(() => undefined)) return;
    this.#journal.say(
      "error",
      "workspace",
      `The folder ${this.cwd} is gone; make it again, or begin a session elsewhere.`,
    );
  }

  /** The agent is stopped as by a cancel, and the turn ends as what it is. */
  async #overBudget(error: ErrorInfo): Promise<void> {
    const current = this.#state.turn;
    if (current === undefined || this.#state.isGivenUp) return;
    if (current.phase === "ending") {
      this.#intake.cancelPending();
      return current.overspend(error);
    }
    current.giveUp(error);
    if (current.phase === "moving") await this.#end({ outcome: "budget", error }, true);
    else await this.#stop(current, { outcome: "budget", error });
  }

  /** A subagent in the background asks on beyond the turn: what it waits for is asked in the turn that follows. */
  #takeAgain(left: readonly Request[]): void {
    for (const event of left) this.#intake.take(event);
    this.#adopt();
    void this.#journal.flush();
  }

  async #cancelCurrent(current: CurrentTurn): Promise<void> {
    if (!current.isCancelled) {
      current.cancel();
      await this.#stop(current, { outcome: "cancelled" });
    }
    await current.over;
  }

  async #stop(current: CurrentTurn, ending: Ending): Promise<void> {
    this.#intake.cancelPending();
    this.#pace.letGo();
    const leg = this.#legs.current;
    // Where it is ending the agent has nothing more to do in it, and where it was told nothing yet it has nothing to stop.
    if (leg === undefined || current.phase !== "told") return this.#end(ending);
    // An agent that does not stop when it is told to is stopped with its process; its state lets the session go on.
    const timer = setTimeout(() => void leg.close(), this.#context.deadlines.cancel);
    leg.session.cancel().catch(leg.close);
    await current.over;
    clearTimeout(timer);
  }

  async #hung(seconds: number): Promise<void> {
    const { id, name } = this.#settings.agent;
    const message = `${name} said nothing for ${seconds} seconds.`;
    await this.#giveUp(errorInfo(new ReinsError("agent_hung", message, { agent: id })));
  }

  async #giveUp(error: ErrorInfo): Promise<void> {
    const [current, leg] = [this.#state.turn, this.#legs.current];
    current?.giveUp(error);
    this.#pace.letGo();
    // Its process ends first, and the turn with it: the next prompt must not find it.
    await leg?.close();
    await leg?.over;
    if (this.#state.turn === current) await this.#end({ outcome: "failed", error });
  }

  /** Only what somebody asked for can go on elsewhere. */
  #isTooSlow(retry: AgentEventOf<"agent.retrying">): boolean {
    const current = this.#state.turn;
    const goesOn = current?.isPrompted === true && current.phase !== "ending";
    return goesOn && !this.#state.isGivenUp && this.#relay.isTooSlow(this.#settings.holder, retry);
  }

  #survives(current: CurrentTurn, { outcome, error }: Ending): boolean {
    void this.#journal.flush();
    const wanted = current.isPrompted && !current.isCancelled && !this.#state.isClosing;
    return wanted && outcome === "failed" && error !== undefined && this.#relay.survives(this.#settings.holder, error);
  }

  /** The turn goes on: with the same agent after a wait, or with the next one of the route. */
  async #moveOn(current: CurrentTurn, ending: Ending): Promise<void> {
    const signal = current.seek();
    this.#breakOff(ending);
    const step = await this.#handover.move(ending.error!, signal);
    if (!this.#moved(current)) return;
    if (step === undefined) {
      this.#recorder.takeBack();
      return this.#end(ending, true);
    }
    await this.#send(current, step === "again" ? this.#relay.again() : undefined);
  }

  async #giveAway(current: CurrentTurn, next: NextHolder): Promise<void> {
    current.seek();
    // What it would still say must not come between.
    await this.#handover.leave();
    if (this.#state.turn !== current)
      throw new ReinsError("cancelled", "The turn ended before the session was handed over.");
    this.#breakOff({});
    try {
      await this.#handover.request(next);
    } catch (thrown) {
      if (this.#moved(current)) await this.#end({ outcome: "failed", error: errorInfo(toReinsError(thrown)) }, true);
      throw thrown;
    }
    if (this.#moved(current)) void this.#send(current);
  }

  /** The agent has nothing more to say in this turn, and somebody else will. */
  #breakOff(used: Pick<Ending, "usage" | "costUsd">): void {
    this.#recorder.knowState(this.#legs.current?.session.state);
    this.#intake.endPending();
    this.#recorder.breakOff(this.#spending.pricedEnding(used));
    void this.#journal.flush();
  }

  /** False where the turn ended in the meantime. */
  #moved(current: CurrentTurn): boolean {
    if (this.#state.turn !== current || current.phase === "ending") return false;
    current.found();
    this.#pace.renew();
    return true;
  }

  #hold(next: Holder): void {
    this.#settings.hold(next);
    this.#spending.heldBy(this.#settings.model);
    this.#intake.forgetPlan();
  }

  #opened(resumed: boolean): void {
    const switched = this.#handover.takeSwitched();
    if (switched !== undefined) this.#recorder.say(switched);
    this.#recorder.startLeg(this.agent, { mode: this.#settings.mode, cwd: this.cwd, resumed });
    if (switched === undefined) return;
    // Between turns nothing may follow for a long time: whoever reads the record must know who has the session.
    if (this.#state.turn === undefined) this.#recorder.tellLeg();
    void this.#journal.flush();
  }

  async #close(): Promise<void> {
    this.#queue.cancelAll();
    this.#pace.letGo();
    this.#state.close();
    this.#state.turn?.abandon();
    // One that works elsewhere goes on there: its turn is not cancelled, and it says so itself.
    if (this.#settings.agent.capabilities.elsewhere !== true) this.#state.turn?.cancel();
    this.#intake.cancelPending();
    await this.#legs.close();
    await this.#end({ outcome: "cancelled" });
    this.#context.log.end();
    this.#context.onClose();
  }
}

function outcomeOf({ code }: ErrorInfo): "budget" | "failed" {
  return code === "budget_exceeded" ? "budget" : "failed";
}

function busyError(agent: string): ReinsError {
  return new ReinsError("session_busy", "The session is already working on a prompt.", {
    agent,
    help: "Wait for the turn to end, cancel it, or pass whenBusy: queue or steer.",
  });
}

function closedError(): ReinsError {
  return new ReinsError("invalid_input", "The session is closed.");
}
