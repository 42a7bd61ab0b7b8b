/**
 * The states of a session and of the turn in it, and what moves them; nobody else keeps any.
 *
 * A session is idle or in a turn: `begin` (a prompt, or the agent by itself) and `over` (the end is written) lead from one to the other. From
 * either `close` leads to closing, and nothing leads back: what runs is ended.
 *
 * A turn is in one of the phases below. In each of them it is wanted, given up for an error (which `found` forgets), or cancelled (which
 * nothing undoes): of one that is not wanted, what its agent still says about the end does not count.
 */
import type { PromptInput } from "../agents/contract.ts";
import type { ErrorInfo } from "../events/errors.ts";
import type { TurnResult } from "./api.ts";
import type { TurnHandle } from "./turn-handle.ts";

type Phase = "untold" | "told" | "moving" | "ending";
type Move = "tell" | "seek" | "found" | "end";

/** What moves a turn from where to where. Whatever else is tried does not happen. */
const moves: Readonly<Record<Phase, Partial<Record<Move, Phase>>>> = {
  /** No agent has it yet: it is being started, or the folder looked at. */
  untold: { tell: "told", seek: "moving", end: "ending" },
  /** The agent has it, and works. One that the agent began is so from the start. */
  told: { seek: "moving", end: "ending" },
  /** Its agent failed or gives it away, and somebody is sought who goes on: the same once more, or another. */
  moving: { found: "untold", end: "ending" },
  /** The agent is done. What follows by itself is done too, what changed is looked for, and its end is written: then it is over. */
  ending: {},
};

export class SessionState {
  #turn: CurrentTurn | undefined;
  readonly #closing = new AbortController();

  /** The turn that runs now. */
  get turn(): CurrentTurn | undefined {
    return this.#turn;
  }

  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Aborted when the session closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Nobody wants what the turn still says: its readers are not waited for. */
  get isGivenUp(): boolean {
    return this.isClosing || this.#turn?.isWanted === false;
  }

  begin(turn: CurrentTurn): void {
    this.#turn = turn;
  }

  over(): void {
    this.#turn = undefined;
  }

  close(): void {
    this.#closing.abort();
  }
}

export class CurrentTurn {
  readonly id: string;
  /** What was asked; undefined where the agent began it itself. */
  readonly input: PromptInput | undefined;
  /** Who waits for it: the one who prompted, and those who were steered into it. */
  readonly handles: Set<TurnHandle>;
  #phase: Phase;
  #unwanted: "cancelled" | ErrorInfo | undefined;
  /** What followed it went over the budget. */
  #spent: ErrorInfo | undefined;
  #attempt = 1;
  #search: AbortController | undefined;
  /** Made when somebody looks: few turns have something that follows. */
  #following: AbortController | undefined;
  readonly #over = Promise.withResolvers<TurnResult>();

  constructor(id: string, asked?: { readonly input: PromptInput; readonly handles: Set<TurnHandle> }) {
    this.id = id;
    this.input = asked?.input;
    this.handles = asked?.handles ?? new Set();
    this.#phase = asked === undefined ? "told" : "untold";
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Counts the agents that it was given to, one after the other. */
  get attempt(): number {
    return this.#attempt;
  }

  /** The agent did not begin it itself. */
  get isPrompted(): boolean {
    return this.input !== undefined;
  }

  get isWanted(): boolean {
    return this.#unwanted === undefined;
  }

  get isCancelled(): boolean {
    return this.#unwanted === "cancelled";
  }

  /** Why it is given up. */
  get givenUp(): ErrorInfo | undefined {
    return this.#unwanted === "cancelled" ? undefined : this.#unwanted;
  }

  /** Cancelled, or over its budget: nobody goes on with it. */
  get isStopped(): boolean {
    return this.isCancelled || this.givenUp?.code === "budget_exceeded";
  }

  get spent(): ErrorInfo | undefined {
    return this.#spent;
  }

  /** Aborted when nobody wants any more what follows it by itself. */
  get following(): AbortSignal {
    return this.#follows().signal;
  }

  get over(): Promise<TurnResult> {
    return this.#over.promise;
  }

  /** False where it must not be sent any more: it ended, or somebody else has it meanwhile. */
  tell(attempt: number): boolean {
    return this.#attempt === attempt && !this.isCancelled && this.#move("tell");
  }

  /** Aborted when nobody need be sought any more. */
  seek(): AbortSignal {
    this.#move("seek");
    this.#search = new AbortController();
    return this.#search.signal;
  }

  /** False where it ended meanwhile. */
  found(): boolean {
    if (!this.#move("found")) return false;
    this.#attempt++;
    if (!this.isCancelled) this.#unwanted = undefined;
    return true;
  }

  end(): void {
    this.#move("end");
    this.#search?.abort();
  }

  complete(result: TurnResult): void {
    this.#over.resolve(result);
  }

  giveUp(error: ErrorInfo): void {
    if (!this.isCancelled) this.#unwanted = error;
  }

  cancel(): void {
    this.#unwanted = "cancelled";
    this.#follows().abort();
  }

  /** Its agent is done; what follows it is not, and takes time too. */
  overspend(error: ErrorInfo): void {
    this.#spent ??= error;
    this.#follows().abort("budget");
  }

  /** The session closes: nobody is sought, and nothing follows. */
  abandon(): void {
    this.#search?.abort();
    this.#follows().abort();
  }

  #follows(): AbortController {
    return (this.#following ??= new AbortController());
  }

  #move(by: Move): boolean {
    const next = moves[this.#phase][by];
    if (next === undefined) return false;
    this.#phase = next;
    return true;
  }
}
