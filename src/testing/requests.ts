import type { IncomingHttpHeaders } from "node:http";
import type { Item } from "./conversation.ts";

/** One request that reached the scripted model. */
export interface LoggedRequest {
  readonly index: number;
  readonly method: string;
  readonly path: string;
  /** Secrets are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed; the text itself where it is not JSON. */
  readonly body: unknown;
  /** `side`: the agent asked for something of its own, such as a title, and got a dummy. `refused`: the scripted model could not answer. */
  kind: "answer" | "side" | "count" | "models" | "hello" | "control" | "refused";
  scenario?: string;
  step?: number;
  /** From 1; more than 1 when the agent asks the same again. */
  attempt?: number;
  /** The conversation, whatever wire it came over. */
  items?: readonly Item[];
  /** The HTTP status it was answered with. */
  status?: number;
  /** How its answer ended; undefined while it runs. */
  ended?: "answered" | "error" | "cut" | "hung" | "aborted";
  /** Why it was refused. */
  problem?: string;
}

const secretHeader = /auth|key|token|secret|password|cookie/i;

export function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? "[redacted]" : String(value)]),
  );
}

interface Waiter {
  readonly matches: (request: LoggedRequest) => boolean;
  readonly resolve: (request: LoggedRequest) => void;
}

/** Every request, for assertions. */
export class RequestLog {
  readonly entries: LoggedRequest[] = [];
  #waiters: Waiter[] = [];

  add(request: Omit<LoggedRequest, "index">): LoggedRequest {
    const entry = { index: this.entries.length, ...request };
    this.entries.push(entry);
    return entry;
  }

  /** Tells those who wait that more is known about a request. */
  changed(request: LoggedRequest): void {
    const met = this.#waiters.filter((waiter) => waiter.matches(request));
    this.#waiters = this.#waiters.filter((waiter) => !met.includes(waiter));
    for (const waiter of met) waiter.resolve(request);
  }

  /** The first request, past or to come, of which this is true. Asked again whenever more is known about one. */
  waitFor(matches: (request: LoggedRequest) => boolean, deadlineMs: number): Promise<LoggedRequest> {
    const there = this.entries.find(matches);
    if (there) return Promise.resolve(there);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(new Error(`No such request within ${deadlineMs} ms. There were:\n${this.summary()}`));
      }, deadlineMs);
      const waiter: Waiter = {
        matches,
        resolve: (request) => {
          clearTimeout(timer);
          resolve(request);
        },
      };
      this.#waiters.push(waiter);
    });
  }

  /** One line a request, for error messages. */
  summary(): string {
    const line = (r: LoggedRequest) =>
      [r.method, r.path, r.kind, r.scenario, r.step, r.attempt, r.status, r.ended, r.problem]
        .filter((part) => part !== undefined)
        .join(" ");
    return this.entries.map(line).join("\n") || "(none)";
  }
}
