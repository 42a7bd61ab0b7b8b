import type { Deadlines } from "../events/deadlines.ts";
import { ReinsError } from "../events/errors.ts";
import type { Tool } from "../events/tools.ts";
import type { AgentEventOf, PermissionOption } from "../events/types.ts";

interface Pending {
  readonly kind: "permission" | "question";
  readonly tool: Tool | undefined;
  readonly options: readonly PermissionOption[];
  /** The ids of its questions. */
  readonly questions: readonly string[];
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
  add(
    event: AgentEventOf<"permission.requested" | "question.requested">,
    onDeadline: () => void,
  ): { deadline: string; signal: AbortSignal } {
    const kind = event.type === "permission.requested" ? "permission" : "question";
    const ms = this.#deadlines[kind];
    const abort = new AbortController();
    this.#pending.set(event.requestId, {
      kind,
      tool: event.type === "permission.requested" ? event.tool : undefined,
      options: event.type === "permission.requested" ? event.options : [],
      questions: event.type === "question.requested" ? event.questions.map(({ id }) => id) : [],
      abort,
      timer: setTimeout(onDeadline, ms),
    });
    return { deadline: new Date(Date.now() + ms).toISOString(), signal: abort.signal };
  }

  kindOf(requestId: string): "permission" | "question" | undefined {
    return this.#pending.get(requestId)?.kind;
  }

  toolOf(requestId: string): Tool | undefined {
    return this.#pending.get(requestId)?.tool;
  }

  optionsOf(requestId: string): readonly PermissionOption[] {
    return this.#pending.get(requestId)?.options ?? [];
  }

  questionsOf(requestId: string): readonly string[] {
    return this.#pending.get(requestId)?.questions ?? [];
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
}
