import type { IncomingHttpHeaders } from "node:http";
import type { Item } from "./conversation.ts";
import { Waiters } from "./waiters.ts";

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
  status?: number;
  /** How its answer ended; undefined while it runs. */
  ended?: "answered" | "error" | "cut" | "hung" | "aborted";
  problem?: string;
}

const secretHeader = /auth|key|token|secret|password|cookie/i;

export function redactHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? "[redacted]" : String(value)]),
  );
}

export class RequestLog {
  readonly entries: LoggedRequest[] = [];
  readonly #waiters = new Waiters<LoggedRequest>();

  add(request: Omit<LoggedRequest, "index">): LoggedRequest {
    const entry = { index: this.entries.length, ...request };
    this.entries.push(entry);
    return entry;
  }

  /** Tells those who wait that more is known about a request. */
  changed(request: LoggedRequest): void {
    this.#waiters.offer(request);
  }

  /** The first request, past or to come, of which this is true. Asked again whenever more is known about one. */
  waitFor(matches: (request: LoggedRequest) => boolean, deadlineMs: number): Promise<LoggedRequest> {
    const there = this.entries.find(matches);
    if (there) return Promise.resolve(there);
    const late = () => new Error(`No such request within ${deadlineMs} ms. There were:\n${this.summary()}`);
    return this.#waiters.next(matches, deadlineMs, late);
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
