/**
 * Where a turn ends. Claude Code prints one result for each message it works off, but a message sent while it works may be folded
 * into the running work or be worked off after it, and one that is withdrawn in time gets no result at all. To the core all of
 * that is one turn, which ends when nothing that was sent waits any more.
 */
import type { AgentEvent, AgentEventOf, Tokens } from "../../events/types.ts";

type Ended = AgentEventOf<"turn.ended">;

export class Turns {
  /** Sent, and not begun as far as we know. */
  readonly #waiting = new Set<string>();
  /** Whether this version tells what becomes of a message at all. */
  #told = false;
  /** It works: it introduced itself and gave no result since. */
  #working = false;
  /** Results of parts of the turn. */
  #partly: Ended | undefined;
  #running = false;
  #prompted = false;

  /** A turn is open: one of ours, or one it began itself. */
  get running(): boolean {
    return this.#running;
  }

  /** Something that we sent is in it. */
  get prompted(): boolean {
    return this.#prompted;
  }

  sent(messageId: string): void {
    this.#waiting.add(messageId);
    this.#running = true;
    this.#prompted = true;
  }

  /** It introduces itself at the start of everything it works off. */
  introduced(): void {
    this.#working = true;
    this.#running = true;
  }

  /** What it says about a message that we sent. */
  lifecycle(messageId: unknown, state: unknown): AgentEvent[] {
    this.#told = true;
    if (typeof messageId !== "string" || !this.#waiting.has(messageId) || state === "queued") return [];
    this.#waiting.delete(messageId);
    if (state === "started" || this.#working || this.#waiting.size > 0) return [];
    // Withdrawn before it began, and nothing else is being worked on: there will be no result.
    const cancelled: Ended = { type: "turn.ended", outcome: "cancelled" };
    return [this.#end(this.#partly === undefined ? cancelled : together(this.#partly, cancelled))];
  }

  /** A result: the end of the turn, unless something that was sent is still to come. */
  result(ended: Ended): AgentEvent[] {
    this.#working = false;
    const whole = this.#partly === undefined ? ended : together(this.#partly, ended);
    if (this.#told && this.#waiting.size > 0) {
      this.#partly = whole;
      return [];
    }
    return [this.#end(whole)];
  }

  /** The process is gone: whatever was open is over. */
  exited(ended: Ended | undefined, otherwise: () => Ended): AgentEvent[] {
    if (ended === undefined && !this.#running) return [];
    const last = ended ?? otherwise();
    return [this.#end(this.#partly === undefined ? last : together(this.#partly, last))];
  }

  #end(ended: Ended): Ended {
    this.#partly = undefined;
    this.#waiting.clear();
    this.#working = false;
    this.#running = false;
    this.#prompted = false;
    return ended;
  }
}

function together(first: Ended, last: Ended): Ended {
  return {
    ...last,
    usage:
      first.usage === undefined || last.usage === undefined
        ? (last.usage ?? first.usage)
        : added(first.usage, last.usage),
    costUsd:
      first.costUsd === undefined && last.costUsd === undefined
        ? undefined
        : (first.costUsd ?? 0) + (last.costUsd ?? 0),
  };
}

function added(a: Tokens, b: Tokens): Tokens {
  const sum = (x: number | undefined, y: number | undefined) =>
    x === undefined && y === undefined ? undefined : (x ?? 0) + (y ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: sum(a.cacheRead, b.cacheRead),
    cacheWrite: sum(a.cacheWrite, b.cacheWrite),
    thought: sum(a.thought, b.thought),
  };
}
