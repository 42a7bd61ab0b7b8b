/** A turn begins, its agent is told, and it ends: the way of every turn through the states in states.ts. */
import { stat } from "node:fs/promises";
import type { PromptInput } from "../agents/contract.ts";
import { errorInfo, toReinsError } from "../events/errors.ts";
import type { ErrorInfo } from "../events/errors.ts";
import { takenOf } from "./divergences.ts";
import type { Request } from "./pending.ts";
import { shownInput } from "./prompt.ts";
import type { Queued } from "./prompt-queue.ts";
import type { Ending } from "./record/recorder.ts";
import { newTurnId } from "./record/recorder.ts";
import type { SessionParts } from "./session-parts.ts";
import { CurrentTurn } from "./states.ts";

export interface TurnsOptions extends SessionParts {
  /** Whether a turn that would end so goes on instead. */
  readonly movesOn: (turn: CurrentTurn, ending: Ending) => boolean;
  readonly overBudget: (error: ErrorInfo) => void;
}

export class Turns {
  readonly #o: TurnsOptions;

  constructor(options: TurnsOptions) {
    this.#o = options;
  }

  start({ handle, input, options }: Queued): void {
    const { context, recorder, aftermath } = this.#o;
    const turn = new CurrentTurn(handle.id, { input, handles: new Set([handle]) });
    void turn.over.then((result) => handle.complete(result));
    handle.start({ log: context.log, after: recorder.lastSeq, turnId: handle.id });
    aftermath.begin();
    this.#run(turn, input);
    handle.cancelOn(options.signal);
  }

  /** The agent began a turn by itself: from here it is the current one. */
  adopt(): void {
    const { state, recorder, quiet, spending, settings, overBudget } = this.#o;
    const id = recorder.turnId;
    if (id === undefined || state.turn?.id === id) return;
    state.begin(new CurrentTurn(id));
    quiet.start();
    const spent = spending.start(settings.model);
    if (spent !== undefined) overBudget(errorInfo(spent));
  }

  /** What the agent can take of a prompt; what it cannot is said. */
  taken(input: PromptInput): PromptInput {
    const [taken, refused] = takenOf(this.#o.settings.agent, input);
    for (const message of refused) this.#o.journal.say("warning", "divergence", message);
    return taken;
  }

  /** `instead` is not of the person, and needs no briefing. */
  async send(turn: CurrentTurn, instead?: PromptInput): Promise<void> {
    const { state, settings, handover, intake, legs, relay } = this.#o;
    const { attempt } = turn;
    try {
      if (handover.settled !== undefined) await handover.settled;
      const ready = settings.agent.capabilities.hold.execute === "none" ? intake.watch() : undefined;
      const leg = legs.current ?? (await legs.get());
      if (ready !== undefined && leg.session.startsAhead !== true) await ready;
      if (state.turn !== turn || !turn.tell(attempt)) return;
      const input = instead ?? relay.prompt(settings.holder, this.taken(turn.input!), leg.resumed);
      await leg.session.prompt(input, ready);
    } catch (thrown) {
      const error = errorInfo(toReinsError(thrown));
      if (state.turn !== turn || turn.attempt !== attempt) return;
      await this.end({ outcome: turn.isCancelled ? "cancelled" : "failed", error });
    }
  }

  /**
   * With `final` nobody is sought who could go on. One that ends already is not waited for: who hears the agent must hear what follows, too,
   * and the turn is over only after that.
   */
  async end(ending: Ending, final = false): Promise<void> {
    const { context, state, settings, spending, journal, movesOn } = this.#o;
    const { turn } = state;
    if (turn === undefined || turn.phase === "ending") return;
    if (turn.phase === "moving" && ending.outcome !== "cancelled" && !final) return;
    if (ending.error !== undefined) context.onFailed(settings.agent.id, ending.error.code);
    if (turn.givenUp !== undefined) ending = { ...ending, outcome: outcomeOf(turn.givenUp), error: turn.givenUp };
    // What it used last may be more than it may use.
    if (spending.isLimited) void journal.flush();
    if (!final && movesOn(turn, ending)) return;
    turn.end();
    const follows = await this.#follow(turn, ending);
    if (turn.isCancelled) ending = { ...ending, outcome: "cancelled" };
    else if (turn.spent !== undefined) ending = { ...ending, outcome: "budget", error: turn.spent };
    if (ending.outcome === "failed" || ending.outcome === "interrupted") await this.#sayGone();
    await this.#complete(turn, ending, follows);
  }

  async #complete(turn: CurrentTurn, ending: Ending, follows: string | undefined): Promise<void> {
    const { state, queue, recorder, journal, intake, legs, quiet, pace, spending, resting } = this.#o;
    const looking = intake.findChanges();
    // What was said until now does not wait for it; else it goes with the end of the turn.
    if (looking !== undefined) void journal.flush();
    const filesChangedIncomplete = (looking !== undefined && (await looking)) || undefined;
    const left = intake.endPending();
    const rests = follows === undefined || turn.following.aborted || !queue.isEmpty;
    const next = rests ? undefined : newTurnId();
    const priced = spending.pricedEnding(ending);
    // There is a current turn exactly when the record has one open.
    const completed = recorder.endTurn({ ...priced, next, filesChangedIncomplete, state: legs.state })!;
    quiet.stop();
    pace.renew();
    state.over();
    await journal.flush(true);
    const free = !state.isClosing && state.turn === undefined;
    if (free && next !== undefined) this.#goOn(turn, next, follows!);
    else {
      turn.complete(completed);
      const queued = free ? queue.next() : undefined;
      if (queued === undefined) resting.begins();
      else this.start(queued);
    }
    if (ending.outcome !== "cancelled" && legs.current !== undefined) this.#takeAgain(left);
  }

  /** The agent is told more by itself, for those who wait for the turn before. */
  #goOn(before: CurrentTurn, id: string, text: string): void {
    const turn = new CurrentTurn(id, { input: { text }, handles: before.handles });
    void turn.over.then((result) => before.complete(result));
    this.#run(turn, { text }, before.id);
  }

  #run(turn: CurrentTurn, input: PromptInput, continues?: string): void {
    const { context, state, settings, recorder, journal, resting, spending, quiet } = this.#o;
    state.begin(turn);
    resting.spokenTo();
    recorder.startTurn(turn.id, {
      type: "turn.started",
      origin: "prompt",
      input: shownInput(input, context.limits.inlineBytes, context.redact),
      continues,
    });
    const spent = spending.start(settings.model);
    for (const remark of settings.takeRemarks()) recorder.say({ type: "notice", level: "warning", ...remark });
    if (resting.waitsFor !== undefined) journal.say("info", "waiting", resting.waitsFor);
    void journal.flush();
    if (spent !== undefined) return void this.end({ outcome: "budget", error: errorInfo(spent) }, true);
    quiet.start();
    void this.send(turn);
  }

  /** What follows a turn by itself, while it is still open; what the agent is told next. */
  async #follow(turn: CurrentTurn, { outcome }: Ending): Promise<string | undefined> {
    const { state, aftermath, quiet, recorder, journal } = this.#o;
    if (!aftermath.any || !turn.isPrompted || state.isGivenUp) return undefined;
    void journal.flush();
    quiet.stop();
    return aftermath.of({ outcome, text: recorder.endMessages() }, turn.following);
  }

  /** Whatever an agent says about it, this is why. */
  async #sayGone(): Promise<void> {
    const { cwd } = this.#o.context;
    if (await stat(cwd).catch(() => undefined)) return;
    const message = `The folder ${cwd} is gone; make it again, or begin a session elsewhere.`;
    this.#o.journal.say("error", "workspace", message);
  }

  /** A subagent in the background asks on beyond the turn: what it waits for is asked in the turn that follows. */
  #takeAgain(left: readonly Request[]): void {
    for (const event of left) this.#o.intake.take(event);
    this.adopt();
    void this.#o.journal.flush();
  }
}

function outcomeOf({ code }: ErrorInfo): "budget" | "failed" {
  return code === "budget_exceeded" ? "budget" : "failed";
}
