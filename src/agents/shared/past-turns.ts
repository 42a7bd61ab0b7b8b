/** A past conversation as it is put together: what an agent wrote down rarely says where a turn ended. */
import type { ErrorInfo } from "../../events/errors.ts";
import type { AgentEvent, Outcome } from "../../events/types.ts";
import type { PastEvent, PastPrompt } from "../contract.ts";

export class PastTurns {
  #out: PastEvent[] = [];
  #open = false;
  /** The last thing in the turn was an answer. */
  #answered = false;
  /** It was a call that was cancelled. */
  #cancelled = false;
  #time: string | undefined;
  /** When the last thing was. */
  #last: string | undefined;
  #messages = 0;

  /** The last known time. */
  at(time: string | undefined): this {
    this.#time = time ?? this.#time;
    return this;
  }

  /** A turn begins; one that was open is over. */
  prompt(prompt: PastPrompt): void {
    this.over();
    this.#last = this.#time;
    this.#out.push({ time: this.#time, prompt });
    this.#open = true;
    this.#answered = false;
    this.#cancelled = false;
  }

  message(text: string): void {
    if (text.trim() === "") return;
    this.event({ type: "message.completed", messageId: `past${++this.#messages}`, text });
    this.#answered = true;
  }

  thought(text: string): void {
    if (text.trim() === "") return;
    this.event({ type: "thought.completed", messageId: `past${++this.#messages}`, text });
  }

  event(event: AgentEvent): void {
    if (event.type === "tool.held") return;
    this.#push(event);
    if (event.type.startsWith("tool.")) this.#answered = false;
    if (inTurn(event)) this.#cancelled = event.type === "tool.failed" && event.reason === "cancelled";
    if (inTurn(event)) this.#open = true;
  }

  /** The agent wrote down how the turn ended. */
  end(outcome: Outcome, error?: ErrorInfo): void {
    if (!this.#open) return;
    this.#open = false;
    this.#push({ type: "turn.ended", outcome, error });
  }

  /** Nothing more comes in the turn, and nobody wrote down why: with an answer it is done. */
  over(): void {
    // It was over when the last of it happened, not when the next was asked.
    const now = this.#time;
    this.#time = this.#last;
    if (this.#answered) this.end("done");
    else if (this.#cancelled) this.end("cancelled");
    else this.end("interrupted", unended);
    this.#time = now;
  }

  #push(event: Exclude<AgentEvent, { type: "tool.held" }>): void {
    this.#last = this.#time;
    this.#out.push({ time: this.#time, event });
  }

  /** So much of what the agent kept could not be read. */
  unread(count: number): void {
    if (count === 0) return;
    const what = count === 1 ? "A part of what the agent kept" : `${count} parts of what the agent kept`;
    this.#push({ type: "notice", level: "warning", code: "unparsed", message: `${what} could not be read.`, count });
  }

  take(): readonly PastEvent[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }
}

const unended: ErrorInfo = {
  code: "cancelled",
  message: "The turn has no end in what the agent kept.",
  retryable: true,
};

function inTurn({ type }: AgentEvent): boolean {
  return type.startsWith("message.") || type.startsWith("thought.") || type.startsWith("tool.");
}
