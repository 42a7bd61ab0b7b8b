import type { Mode } from "../events/modes.ts";
import { toolKinds } from "../events/tools.ts";
import type { EventOf, ReinsEvent } from "../events/types.ts";

/** Follows what was not allowed, because that decides how the command ends. */
export class Denials {
  readonly #requests = new Map<string, EventOf<"permission.requested">>();
  /** Nobody answered, or somebody said no and stop. */
  #ended = false;
  #mode: Mode | undefined;

  /** One line for the person when nobody could be asked, which says how to allow it. */
  follow(event: ReinsEvent): string | undefined {
    if (event.type === "session.started" || event.type === "session.updated") this.#mode = event.mode ?? this.#mode;
    if (event.type === "permission.requested") this.#requests.set(event.requestId, event);
    if (event.type === "question.resolved" && event.by === "deadline") return "Skipped a question: nobody answered it.";
    if (event.type !== "permission.resolved" || event.outcome !== "denied") return undefined;
    const request = this.#requests.get(event.requestId);
    if (event.stop === true) this.#ended = true;
    if (event.by !== "deadline" || request === undefined) return undefined;
    this.#ended = true;
    return `Denied: ${request.title}. ${request.deadline === undefined ? "Nobody can be asked here" : "Nobody answered in time"}; ${howToAllow(request, this.#mode)}`;
  }

  get decisive(): boolean {
    return this.#ended;
  }
}

function howToAllow({ tool, synthetic, reason }: EventOf<"permission.requested">, mode: Mode | undefined): string {
  // Of what waits for a person only a command of the project's is not the agent's own.
  if (synthetic === true)
    return "it came with the project: name it yourself with `--after`, or allow it with a rule of your own.";
  if (mode === "full" || reason?.startsWith("Asked by ") === true)
    return "a rule asks about it: `reins policy list` shows them.";
  const full = "`--mode full` allows everything.";
  return toolKinds[tool] === "edit" && mode !== "edits" ? `\`--mode edits\` allows changes to files, ${full}` : full;
}
