/** The windows of a plan's allowance. They are told after every request; only what changed is news. */
import type { AgentEvent } from "../../events/types.ts";
import { isRecord, isoTime, number, record, text } from "../../drivers/stream-json/read.ts";
import type { Wire } from "../../drivers/stream-json/read.ts";

/** It tells how much is used, not when that is much. */
const warningPercent = 80;

export class Limits {
  readonly #told = new Map<string, string>();
  #resetsAt: string | undefined;

  /** When a window opens again that was told to be used up in this turn. */
  get resetsAt(): string | undefined {
    return this.#resetsAt;
  }

  turnEnded(): void {
    this.#resetsAt = undefined;
  }

  updated(rateLimits: unknown): AgentEvent[] {
    const from = record(rateLimits);
    const windows = [from["primary"], from["secondary"]].filter(isRecord);
    return windows.flatMap((window) => this.#window(window, text(from["rateLimitReachedType"]) !== undefined));
  }

  #window(from: Wire, reached: boolean): AgentEvent[] {
    const window = nameOf(number(from["windowDurationMins"]));
    const usedPercent = number(from["usedPercent"]);
    const resetsAt = isoTime(from["resetsAt"]);
    const isUsedUp = (usedPercent ?? 0) >= 100 || (reached && (usedPercent ?? 0) >= warningPercent);
    const status = isUsedUp ? "reached" : (usedPercent ?? 0) >= warningPercent ? "warning" : "ok";
    if (isUsedUp) this.#resetsAt = resetsAt;
    const event: AgentEvent = { type: "limit.updated", window, usedPercent, resetsAt, status };
    const told = JSON.stringify(event);
    if (this.#told.get(window) === told) return [];
    this.#told.set(window, told);
    return [event];
  }
}

function nameOf(minutes: number | undefined): string {
  switch (minutes) {
    case 300:
      return "five_hour";
    case 10_080:
      return "seven_day";
    case undefined:
      return "plan";
    default:
      return `${minutes}_minutes`;
  }
}
