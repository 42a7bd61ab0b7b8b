import type { Deadlines } from "../events/deadlines.ts";
import { ReinsError } from "../events/errors.ts";
import type { Tool } from "../events/tools.ts";
import type { AgentEventOf, PermissionOption } from "../events/types.ts";

export type Request = AgentEventOf<"permission.requested" | "question.requested">;

interface Pending {
  readonly event: Request;
  readonly abort: AbortController;
  readonly timer: NodeJS.Timeout | undefined;
}

/** Who is waiting for an answer. An id is settled exactly once (law 3): by a person, the policy, a deadline, a cancel or the agent. */
export class PendingAnswers {
  readonly #pending = new Map<string, Pending>();
  readonly #deadlines: Deadlines;

  constructor(deadlines: Deadlines) {
    this.#deadlines = deadlines;
  }

  /** When the request runs out, ISO 8601. */
  add(event: Request, onDeadline: () => void): { deadline: string; signal: AbortSignal } {
    const ms = this.#deadlines[event.type === "permission.requested" ? "permission" : "question"];
    const abort = new AbortController();
    this.#pending.set(event.requestId, { event, abort, timer: setTimeout(onDeadline, ms) });
    return { deadline: new Date(Date.now() + ms).toISOString(), signal: abort.signal };
  }

  kindOf(requestId: string): "permission" | "question" | undefined {
    const event = this.#pending.get(requestId)?.event;
    return event && (event.type === "permission.requested" ? "permission" : "question");
  }

  toolOf(requestId: string): Tool | undefined {
    return this.#permission(requestId)?.tool;
  }

  optionsOf(requestId: string): readonly PermissionOption[] {
    return this.#permission(requestId)?.options ?? [];
  }

  /** The ids of its questions. */
  questionsOf(requestId: string): readonly string[] {
    const event = this.#pending.get(requestId)?.event;
    return event?.type === "question.requested" ? event.questions.map(({ id }) => id) : [];
  }

  /** For the one who answers: a clear word when there is nothing to answer. */
  expect(requestId: string): "permission" | "question" {
    const kind = this.kindOf(requestId);
    if (kind === undefined)
      throw new ReinsError(
        "invalid_input",
        `Nothing waits for an answer under ${requestId}; it may be settled already.`,
      );
    return kind;
  }

  /** Takes it off the list; false when it was settled before. */
  settle(requestId: string): boolean {
    const pending = this.#pending.get(requestId);
    if (pending === undefined) return false;
    this.#pending.delete(requestId);
    clearTimeout(pending.timer);
    pending.abort.abort();
    return true;
  }

  all(): readonly string[] {
    return [...this.#pending.keys()];
  }

  /** What subagents wait for: it outlives a turn of their agent. */
  ofSubagents(): readonly Request[] {
    return [...this.#pending.values()].map(({ event }) => event).filter(({ parent }) => parent !== undefined);
  }

  #permission(requestId: string): AgentEventOf<"permission.requested"> | undefined {
    const event = this.#pending.get(requestId)?.event;
    return event?.type === "permission.requested" ? event : undefined;
  }
}
