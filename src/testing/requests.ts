import type { IncomingHttpHeaders } from "node:http";
import type { Item } from "./conversation.ts";
import { Waiters } from "./waiters.ts";

/** A request that reached the scripted model. */
export interface LoggedRequest {
  /** Position in `requests`, counted from 0. */
  readonly index: number;
  readonly method: string;
  /** Path and query of the URL. */
  readonly path: string;
  /** Secrets are redacted. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or the text itself if it is not JSON. */
  readonly body: unknown;
  /**
   * `answer`: a step of a scenario. `side`: a request of the agent's own, such as a title, which got a dummy answer. `refused`: the
   * scripted model could not answer (see `problem`).
   */
  kind: "answer" | "side" | "count" | "models" | "hello" | "control" | "refused";
  /** The scenario that was played. */
  scenario?: string;
  /** The step of the scenario, counted from 0. */
  step?: number;
  /** Counted from 1; more than 1 when the agent repeats the same request. */
  attempt?: number;
  /** The conversation, independent of the wire format. */
  items?: readonly Item[];
  /** The HTTP status of the answer. */
  status?: number;
  /** How the answer ended; undefined while it runs. */
  ended?: "answered" | "error" | "cut" | "hung" | "aborted";
  /** Why the request was refused. */
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

  /** Notifies waiters that more is known about a request. */
  changed(request: LoggedRequest): void {
    this.#waiters.offer(request);
  }

  /** Returns the first matching request, past or future. Checks a request again when more is known about it. */
  waitFor(matches: (request: LoggedRequest) => boolean, deadlineMs: number): Promise<LoggedRequest> {
    const there = this.entries.find(matches);
    if (there) return Promise.resolve(there);
    const late = () => new Error(`No such request within ${deadlineMs} ms. There were:\n${this.summary()}`);
    return this.#waiters.next(matches, deadlineMs, late);
  }

  /** A line per request, for error messages. */
  summary(): string {
    const line = (r: LoggedRequest) =>
      [r.method, r.path, r.kind, r.scenario, r.step, r.attempt, r.status, r.ended, r.problem]
        .filter((part) => part !== undefined)
        .join(" ");
    return this.entries.map(line).join("\n") || "(none)";
  }
}
