/**
 * Where a turn ends. OpenCode says that a conversation is idle, twice after an error or a cancel, and the second time may come after the next prompt was
 * sent. So an idle counts only when everything that was sent was taken up, and every answer that began has ended.
 */
import type { ErrorInfo } from "../../events/errors.ts";
import type { AgentEvent } from "../../events/types.ts";
import type { Ending } from "../../protocols/failure.ts";
import { number, record, text } from "../../protocols/json.ts";
import type { JsonObject } from "../../protocols/json.ts";
import { factsOf, failures, isAbort } from "./failures.ts";

export class Turns {
  cancelling = false;
  #running = false;
  #prompted = false;
  /** Prompts that were sent and of which nothing was heard. */
  #sent = 0;
  /** Messages to the model that it has not begun to answer. */
  readonly #unanswered = new Set<string>();
  /** Answers that began and have not ended. */
  readonly #open = new Set<string>();
  /** Answers that began, of this turn. */
  readonly #begun = new Set<string>();
  /** The first message to the model of this turn. */
  first: string | undefined;
  #busy = false;
  #idle = false;
  /** Its end is not waited for any longer. */
  #settled = false;
  /** What went wrong last, unless something was said after it. */
  #failure: Ending | undefined;
  #aborted = false;
  /** How the last answer ended. */
  #finish: string | undefined;
  /** Reins itself ends the turn. */
  #verdict: Ending | undefined;

  /** A turn is open: one of ours, or one it began itself. */
  get running(): boolean {
    return this.#running;
  }

  /** Something that we sent is in it. */
  get prompted(): boolean {
    return this.#prompted;
  }

  sent(): void {
    this.#sent++;
    this.#running = true;
    this.#prompted = true;
    this.#idle = false;
    if (this.#sent === 1 && this.#begun.size === 0) this.#busy = false;
  }

  /** It was not taken. */
  notSent(): void {
    this.#sent = Math.max(0, this.#sent - 1);
    if (this.#sent === 0 && this.#begun.size === 0 && this.#unanswered.size === 0) this.#reset();
  }

  /** A message to the model: a prompt, or one that it makes itself. */
  asked(messageId: string): void {
    if (this.#sent > 0) this.#sent--;
    this.#running = true;
    // An idle that came before it is not about it: an abort that came too early says so too.
    this.#idle = false;
    this.first ??= messageId;
    this.#unanswered.add(messageId);
  }

  /** A message of the model, told again whenever something of it changed. */
  answered(info: JsonObject): void {
    const [id, to] = [text(info["id"]), text(info["parentID"])];
    if (id === undefined) return;
    // Ids are ordered: it has seen all that was sent before.
    for (const asked of this.#unanswered) if (to === undefined || asked <= to) this.#unanswered.delete(asked);
    if (!this.#begun.has(id)) {
      this.#begun.add(id);
      this.#running = true;
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
    // What it could not even begin to answer gets no other end.
    if (!this.#busy) this.#idle = true;
    this.#unanswered.clear();
    if (!this.#busy) this.#sent = 0;
  }

  /** Reins ends the turn, for this reason. The first counts. */
  stop(verdict: Ending): void {
    this.#verdict ??= verdict;
  }

  /** It was asked to stop and had its time: an answer that never ends is not waited for. */
  settle(): void {
    this.#settled = true;
  }

  /** It is to end, whoever wants that. */
  get stopping(): boolean {
    return this.cancelling || this.#verdict !== undefined;
  }

  /** How the turn ended, if it has. */
  end(): Ending | undefined {
    // A prompt that is on its way would begin after the end, though it was cancelled.
    if (!this.#running || !this.#idle || this.#sent > 0) return undefined;
    if (!this.stopping && this.#unanswered.size > 0) return undefined;
    if (this.#open.size > 0 && !this.#settled) return undefined;
    const ending = this.#ending();
    this.#reset();
    return ending;
  }

  /** The process is gone: whatever was open is over. */
  exited(otherwise: () => ErrorInfo): Ending | undefined {
    if (!this.#running) return undefined;
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
    this.#running = false;
    this.#prompted = false;
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

type Kind = "message" | "thought";

interface Text {
  readonly kind: Kind;
  readonly session: string;
  readonly parent: string | undefined;
  said: string;
}

/** Messages and thoughts, part by part. Text is reported once, though it comes in pieces and then whole. */
export class Texts {
  readonly #open = new Map<string, Text>();
  readonly #ended = new Set<string>();

  begin(partId: string, text: Omit<Text, "said">): void {
    if (!this.#open.has(partId) && !this.#ended.has(partId)) this.#open.set(partId, { ...text, said: "" });
  }

  piece(partId: string, piece: string): AgentEvent[] {
    const open = this.#open.get(partId);
    if (open === undefined || piece === "") return [];
    open.said += piece;
    return [{ type: `${open.kind}.delta`, messageId: partId, text: piece, parent: open.parent }];
  }

  /** The whole so far: of what was lost on the way the rest is said. (Blanks at its end are taken away when it ends.) */
  whole(partId: string, text: string): AgentEvent[] {
    const said = this.#open.get(partId)?.said ?? "";
    return text.length > said.length && text.startsWith(said) ? this.piece(partId, text.slice(said.length)) : [];
  }

  end(partId: string): AgentEvent[] {
    const open = this.#open.get(partId);
    this.#ended.add(partId);
    this.#open.delete(partId);
    if (open === undefined || open.said === "") return [];
    return [{ type: `${open.kind}.completed`, messageId: partId, text: open.said, parent: open.parent }];
  }

  /** A tool is used: what was said before it is whole, though its end is told later. */
  endAll(session: string): AgentEvent[] {
    return this.#of(session).flatMap((partId) => this.end(partId));
  }

  /** The answer is asked for once more, and will be said again. */
  discardAll(session: string): AgentEvent[] {
    return this.#of(session).flatMap((partId): AgentEvent[] => {
      const { said, parent } = this.#open.get(partId)!;
      this.#open.delete(partId);
      this.#ended.add(partId);
      return said === "" ? [] : [{ type: "message.discarded", messageId: partId, reason: "retry", parent }];
    });
  }

  #of(session: string): string[] {
    return [...this.#open].filter(([, text]) => text.session === session).map(([partId]) => partId);
  }
}
