/**
 * Decides where a turn ends. OpenCode reports that a conversation is idle, twice after an error or a cancel, and the
 * second report may come after the next prompt. So an idle counts only when every prompt was taken up and every answer
 * that began has ended.
 */
import type { ErrorInfo } from "../../events/errors.ts";
import type { Ending } from "../../protocols/failure.ts";
import { number, record, text, type JsonObject } from "../../protocols/json.ts";
import { factsOf, failures, isAbort } from "./failures.ts";

export class Turns {
  cancelling = false;
  running = false;
  /** The turn has a prompt of Reins. */
  prompted = false;
  #sent = 0;
  /** Messages that the model has not begun to answer. */
  readonly #unanswered = new Set<string>();
  readonly #open = new Set<string>();
  readonly #begun = new Set<string>();
  first: string | undefined;
  #busy = false;
  #idle = false;
  /** The end of open answers is no longer awaited. */
  #settled = false;
  /** The last failure, unless an answer began after it. */
  #failure: Ending | undefined;
  #aborted = false;
  #finish: string | undefined;
  /** Set when Reins itself ends the turn. */
  #verdict: Ending | undefined;

  sent(): void {
    this.#sent++;
    this.running = true;
    this.prompted = true;
    this.#idle = false;
    if (this.#sent === 1 && this.#begun.size === 0) this.#busy = false;
  }

  notSent(): void {
    this.#sent = Math.max(0, this.#sent - 1);
    if (this.#sent === 0 && this.#begun.size === 0 && this.#unanswered.size === 0) this.#reset();
  }

  /** Records a prompt, or a message that OpenCode creates itself. */
  asked(messageId: string): void {
    if (this.#sent > 0) this.#sent--;
    this.running = true;
    // An earlier idle is not about this message; an abort that came too early reports one too.
    this.#idle = false;
    this.first ??= messageId;
    this.#unanswered.add(messageId);
  }

  /** Handles a message of the model, which is sent again whenever it changes. */
  answered(info: JsonObject): void {
    const [id, to] = [text(info["id"]), text(info["parentID"])];
    if (id === undefined) return;
    // Ids are ordered: the model has seen all earlier messages.
    for (const asked of this.#unanswered) if (to === undefined || asked <= to) this.#unanswered.delete(asked);
    if (!this.#begun.has(id)) {
      this.#begun.add(id);
      this.running = true;
      this.#failure = undefined;
    }
    if (number(record(info["time"])["completed"]) === undefined) this.#open.add(id);
    else this.#open.delete(id);
    this.#finish = text(info["finish"]) ?? this.#finish;
    if (info["error"] !== undefined) this.failed(info["error"]);
  }

  busy(): void {
    this.#busy = true;
    this.#idle = false;
  }

  isIdle(): void {
    this.#idle = true;
  }

  failed(error: unknown): void {
    if (isAbort(error)) this.#aborted = true;
    else this.#failure = failures.ending(factsOf(error));
    // OpenCode sends no idle event for a prompt that fails before it starts.
    if (!this.#busy) this.#idle = true;
    this.#unanswered.clear();
    if (!this.#busy) this.#sent = 0;
  }

  /** The first verdict counts. */
  stop(verdict: Ending): void {
    this.#verdict ??= verdict;
  }

  /** Stops waiting for an answer that never ends after an abort. */
  settle(): void {
    this.#settled = true;
  }

  get stopping(): boolean {
    return this.cancelling || this.#verdict !== undefined;
  }

  end(): Ending | undefined {
    // A prompt that is still being sent would begin after the end, although it was cancelled.
    if (!this.running || !this.#idle || this.#sent > 0) return undefined;
    if (!this.stopping && this.#unanswered.size > 0) return undefined;
    if (this.#open.size > 0 && !this.#settled) return undefined;
    const ending = this.#ending();
    this.#reset();
    return ending;
  }

  exited(otherwise: () => ErrorInfo): Ending | undefined {
    if (!this.running) return undefined;
    const ending: Ending = this.#verdict ?? { outcome: "failed", error: otherwise() };
    this.#reset();
    return ending;
  }

  #ending(): Ending {
    if (this.#verdict !== undefined) return this.#verdict;
    if (this.cancelling) return { outcome: "cancelled" };
    if (this.#failure !== undefined) return this.#failure;
    if (this.#finish === "content-filter")
      return failures.ending({ kind: "ContentFilterError", text: "The model declined." });
    if (this.#aborted) return { outcome: "cancelled" };
    return { outcome: this.#finish === "length" ? "max_tokens" : "done" };
  }

  #reset(): void {
    this.running = false;
    this.prompted = false;
    this.#sent = 0;
    this.#unanswered.clear();
    this.#open.clear();
    this.#begun.clear();
    this.first = undefined;
    this.#idle = false;
    this.#busy = false;
    this.#settled = false;
    this.#failure = undefined;
    this.#aborted = false;
    this.#finish = undefined;
    this.#verdict = undefined;
    this.cancelling = false;
  }
}
