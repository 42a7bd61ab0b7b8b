import { batchesOf } from "../core/log/event-batch.ts";
import type { Session, Turn, TurnResult } from "../core/api.ts";
import type { Mode } from "../events/modes.ts";
import { toolKinds } from "../events/tools.ts";
import type { EventOf, ReinsEvent } from "../events/types.ts";
import { askPermission } from "./ask/permission.ts";
import type { PermissionPrompts } from "./ask/prompts.ts";
import { askQuestions } from "./ask/question.ts";
import type { AskContext } from "./ask/terminal.ts";

interface Asks extends AskContext {
  readonly prompts: PermissionPrompts;
}

/** Starts a turn, shows every event of the session until the turn ends, and asks the user for approvals if there is a terminal. */
export async function followTurn(
  session: Session,
  start: () => Turn,
  asks: Asks | undefined,
  show: (event: ReinsEvent, line: () => string) => Promise<void>,
): Promise<TurnResult> {
  const refused = new AbortController();
  const batches = batchesOf(session, { after: session.resumedAt, signal: refused.signal });
  // Start reading before the turn: the log keeps only a limited number of events for late readers.
  const first = batches.next();
  const turn = start();
  turn.result.catch(() => refused.abort());
  let { id } = turn;
  try {
    for (let next = await first; next.done !== true; next = await batches.next()) {
      const batch = next.value;
      for (const [index, event] of batch.events.entries()) {
        await show(event, () => batch.linesWithRaw()[index]!);
        if (asks !== undefined) await ask(event, asks);
        if (event.type !== "turn.completed" || event.turnId !== id) continue;
        if (event.next === undefined) return await turn.result;
        id = event.next;
      }
    }
    return await turn.result;
  } finally {
    // An open reader would pause the agent's next turn.
    await batches.return(undefined);
  }
}

/** Only requests that wait for a person are asked; the policy has settled the rest. */
async function ask(event: ReinsEvent, { prompts, ...asks }: Asks): Promise<void> {
  if (event.type !== "permission.requested" && event.type !== "question.requested") return;
  if (event.deadline === undefined && event.waits !== true) return;
  if (event.type === "permission.requested") {
    await prompts.serve(event.requestId, (signal) => askPermission(event, signal, asks));
  } else {
    await prompts.serve(event.requestId, (signal) => askQuestions(event, signal, asks));
  }
}

/** How many lines of a failed after-step are shown. */
const lastLines = 10;

/** Follows the after-steps: if the last one failed, the task is not done, whatever the agent says. */
export class AfterFailures {
  readonly #calls = new Set<string>();
  failed = false;

  /** Returns the end of the output of a step that failed. */
  follow(event: ReinsEvent): string | undefined {
    if (event.type === "turn.started") this.failed = false;
    if (event.type === "tool.started" && event.nativeName === "after" && event.synthetic === true)
      this.#calls.add(event.callId);
    if ((event.type !== "tool.completed" && event.type !== "tool.failed") || !this.#calls.has(event.callId))
      return undefined;
    if (event.type === "tool.completed" && event.exitCode === 0) return undefined;
    this.failed = true;
    if (event.type === "tool.failed" || event.output.text.trim() === "") return undefined;
    return event.output.text.trimEnd().split("\n").slice(-lastLines).join("\n").replaceAll(/^/gm, "  │ ");
  }
}

/** Follows denials, because they decide the exit code. */
export class Denials {
  readonly #requests = new Map<string, EventOf<"permission.requested">>();
  /** True when a request was denied for lack of an answer, or with a stop. */
  decisive = false;
  #mode: Mode | undefined;

  /** Returns a line that says how to allow a call when nobody could be asked. */
  follow(event: ReinsEvent): string | undefined {
    if (event.type === "session.started" || event.type === "session.updated") this.#mode = event.mode ?? this.#mode;
    if (event.type === "permission.requested") this.#requests.set(event.requestId, event);
    if (event.type === "question.resolved" && event.by === "deadline")
      return "Skipped a question: there was no answer.";
    if (event.type !== "permission.resolved" || event.outcome !== "denied") return undefined;
    const request = this.#requests.get(event.requestId);
    if (event.stop === true) this.decisive = true;
    if (event.by !== "deadline" || request === undefined) return undefined;
    this.decisive = true;
    const why =
      request.deadline === undefined && request.waits !== true
        ? "There is no terminal to ask at"
        : "There was no answer in time";
    return `Denied: ${request.title}. ${why}; ${howToAllow(request, this.#mode)}`;
  }
}

function howToAllow({ tool, synthetic, reason }: EventOf<"permission.requested">, mode: Mode | undefined): string {
  // A synthetic request asks about an after-step of the project; all others come from an agent.
  if (synthetic === true)
    return "it comes from the project: pass it with `--after`, or allow it with a rule of your own.";
  if (mode === "full" || reason?.startsWith("Asked by ") === true)
    return "a rule asks about it, see `reins policy list`.";
  if (tool === "shell" && mode !== "read" && mode !== "plan")
    return "a rule of your own can allow the command, `--mode full` allows everything.";
  const full = "`--mode full` allows everything.";
  return toolKinds[tool] === "edit" && mode !== "edits" ? `\`--mode edits\` allows changes to files, ${full}` : full;
}
