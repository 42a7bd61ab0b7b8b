/**
 * The states of a session and of the turn in it, and what moves them.
 *
 *   session   idle    -- begin: a prompt, or the agent by itself -->  in a turn
 *             in a turn    -- over: its end is written -->  idle, or in the turn that follows
 *             any    -- close -->  closing; what runs is ended, and nothing begins any more
 *
 *   turn      untold    -- tell: the agent is there and is sent the prompt -->  told; one that the agent began is told from the start
 *             untold, told    -- seek: its agent failed or gives it away -->  moving
 *             moving    -- found: the same agent again, another, or nobody -->  untold
 *             untold, told, moving    -- end -->  ending: what follows it by itself is done, and what changed is looked for
 *             ending    -- complete -->  over
 *
 * In each of these a turn is wanted, given up (for an error, which `found` forgets) or cancelled (which nothing undoes).
 */
import type { PromptInput } from "../agents/contract.ts";
import type { ErrorInfo } from "../events/errors.ts";
import type { TurnResult } from "./api.ts";
import type { TurnHandle } from "./turn-handle.ts";

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
  #phase: "untold" | "told" | "moving" | "ending";
  #unwanted: "cancelled" | ErrorInfo | undefined;
  /** What followed it went over the budget. */
  #spent: ErrorInfo | undefined;
  #attempt = 1;
  #search: AbortController | undefined;
  readonly #following = new AbortController();
  readonly #over = Promise.withResolvers<TurnResult>();

  constructor(id: string, asked?: { readonly input: PromptInput; readonly handles: Set<TurnHandle> }) {
    this.id = id;
    this.input = asked?.input;
    this.handles = asked?.handles ?? new Set();
    this.#phase = asked === undefined ? "told" : "untold";
  }

  get phase(): "untold" | "told" | "moving" | "ending" {
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

  /** Why it is given up: what its agent still says about the end does not count. */
  get givenUp(): ErrorInfo | undefined {
    return this.#unwanted === "cancelled" ? undefined : this.#unwanted;
  }

  get spent(): ErrorInfo | undefined {
    return this.#spent;
  }

  /** Aborted when nobody wants any more what follows it by itself. */
  get following(): AbortSignal {
    return this.#following.signal;
  }

  get over(): Promise<TurnResult> {
    return this.#over.promise;
  }

  /** False where it must not be sent any more: it ended, or somebody else has it meanwhile. */
  tell(attempt: number): boolean {
    if (this.#attempt !== attempt || this.#phase !== "untold" || this.isCancelled) return false;
    this.#phase = "told";
    return true;
  }

  /** Aborted when nobody need be sought any more. */
  seek(): AbortSignal {
    this.#phase = "moving";
    this.#search = new AbortController();
    return this.#search.signal;
  }

  found(): void {
    this.#phase = "untold";
    this.#attempt++;
    if (!this.isCancelled) this.#unwanted = undefined;
  }

  end(): void {
    this.#phase = "ending";
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
    this.#following.abort();
  }

  /** Its agent is done; what follows it is not, and takes time too. */
  overspend(error: ErrorInfo): void {
    this.#spent ??= error;
    this.#following.abort("budget");
  }

  /** The session closes: nobody is sought, and nothing follows. */
  abandon(): void {
    this.#search?.abort();
    this.#following.abort();
  }
}
