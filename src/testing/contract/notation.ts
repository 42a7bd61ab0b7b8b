/**
 * Reduces a session's events to the few lines that the contract compares, in order:
 *
 *   session | session resumed        a leg began; placed before the turn in which it was reported
 *   turn | turn by agent             a turn began
 *   steered | queued                 a further prompt while the turn ran
 *   thought                          a complete thought
 *   message                          a complete text; `message "..."` in the table requires this text
 *   write: asked, allowed by person, completed      a tool call with its steps, placed where it began
 *   task: worked inside, completed   ... of a subagent
 *   question answered by person
 *   files a.txt created              files changed in the turn, placed before its end
 *   done | cancelled | failed overloaded | done, 1 in the background
 *   notice divergence | notice unparsed
 *
 * and, only where the table expects them: streamed, retrying <code>, compacted. Deltas, phases, usage and tasks are omitted, and so are
 * events that readers remove (a discarded message).
 */
import type { EventOf, ReinsEvent } from "../../events/types.ts";

export interface Line {
  readonly text: string;
  /** A message with its text. */
  readonly full?: string | undefined;
  /** Further facts, shown in a failure message. */
  readonly detail?: string | undefined;
  /** Compared only if the table expects it. */
  readonly quiet?: boolean | undefined;
}

interface Call {
  readonly tool: string;
  readonly steps: string[];
  detail?: string | undefined;
}

const operations = { create: "created", modify: "changed", delete: "deleted", move: "moved" } as const;
/** Notices that are always shown: Reins did not understand a message, or did not do as asked. */
const loud: readonly string[] = ["unparsed", "divergence"];

export function notation(events: readonly ReinsEvent[]): readonly Line[] {
  return new Notation().of(events);
}

class Notation {
  readonly #lines: (Line | Call)[] = [];
  readonly #calls = new Map<string, Call>();
  readonly #requests = new Map<string, string>();
  readonly #pieces = new Map<string, number>();
  #files = new Set<string>();

  of(events: readonly ReinsEvent[]): readonly Line[] {
    for (const event of events) this.#take(event);
    return this.#lines.map((line) =>
      "tool" in line ? { text: `${line.tool}: ${line.steps.join(", ")}`, detail: line.detail } : line,
    );
  }

  #take(event: ReinsEvent): void {
    if (event.parent !== undefined && event.parent !== null) return this.#inside(event.parent);
    switch (event.type) {
      case "session.started":
        return this.#beforeTurn({ text: event.resumed ? "session resumed" : "session" });
      case "turn.started":
        this.#files = new Set();
        return this.#say(event.origin === "agent" ? "turn by agent" : "turn");
      case "input.added":
        return this.#say(event.how === "steer" ? "steered" : "queued");
      case "message.delta":
        return void this.#pieces.set(event.messageId, (this.#pieces.get(event.messageId) ?? 0) + 1);
      case "message.completed":
        return this.#message(event);
      case "thought.completed":
        if (event.text.trim() !== "") this.#say("thought");
        return;
      case "tool.started":
        return this.#started(event);
      case "tool.completed":
        return this.#addStep(event.callId, (event.exitCode ?? 0) === 0 ? "completed" : "failed error");
      case "tool.failed":
        return this.#failed(event);
      case "permission.requested":
        this.#requests.set(event.requestId, event.callId);
        return this.#addStep(event.callId, "asked");
      case "permission.resolved":
        return this.#resolved(event);
      case "question.resolved":
        return this.#say(`question ${event.outcome} by ${event.by}`);
      case "file.changed":
        return void this.#files.add(`${event.path} ${operations[event.op]}`);
      case "turn.completed":
        return this.#completed(event);
      default:
        return this.#aside(event);
    }
  }

  /** Notices, and lines that count only where the table expects them. */
  #aside(event: ReinsEvent): void {
    if (event.type === "notice" && loud.includes(event.code))
      this.#lines.push({ text: `notice ${event.code}`, detail: event.message });
    else if (event.type === "agent.retrying") this.#hint(`retrying ${event.error.code}`);
    else if (event.type === "context.compacted") this.#hint("compacted");
  }

  #message({ messageId, text }: EventOf<"message.completed">): void {
    if (text.trim() === "") return;
    this.#lines.push({ text: "message", full: `message ${JSON.stringify(text)}`, detail: text });
    if ((this.#pieces.get(messageId) ?? 0) > 1) this.#hint("streamed");
  }

  /** A question is shown by its answer, whether or not there is a tool call for it. */
  #started({ callId, tool }: EventOf<"tool.started">): void {
    if (tool === "question") return;
    const call = { tool, steps: [] };
    this.#calls.set(callId, call);
    this.#lines.push(call);
  }

  /** Omit a permission that the policy allowed, because no person was asked. */
  #resolved({ requestId, outcome, changedInput, by }: EventOf<"permission.resolved">): void {
    const steps = this.#calls.get(this.#requests.get(requestId) ?? "")?.steps;
    if (outcome === "allowed" && by === "policy" && steps?.at(-1) === "asked") steps.pop();
    else steps?.push(`${outcome}${changedInput === undefined ? "" : " changed"} by ${by}`);
  }

  #addStep(callId: string | undefined, word: string): void {
    this.#calls.get(callId ?? "")?.steps.push(word);
  }

  #failed({ callId, reason, error }: EventOf<"tool.failed">): void {
    this.#addStep(callId, `failed ${reason}`);
    const call = this.#calls.get(callId);
    if (call !== undefined) call.detail = error.message;
  }

  #inside(parent: string): void {
    const steps = this.#calls.get(parent)?.steps;
    if (steps !== undefined && !steps.includes("worked inside") && !steps.includes("completed"))
      steps.push("worked inside");
  }

  #completed({ outcome, error, background }: EventOf<"turn.completed">): void {
    if (this.#files.size > 0) this.#say(`files ${[...this.#files].sort().join(", ")}`);
    const code = outcome === "failed" ? ` ${error?.code}` : "";
    const left = background === undefined ? "" : `, ${background.length} in the background`;
    this.#lines.push({ text: `${outcome}${code}${left}`, detail: error?.message });
    this.#files = new Set();
  }

  /** An agent may introduce itself only after the first prompt, and after notices about it; place the line before the turn. */
  #beforeTurn(line: Line): void {
    const place = this.#lines.findLastIndex((one) => !("text" in one && one.text.startsWith("notice ")));
    const last = this.#lines[place];
    const began = last !== undefined && "text" in last && last.text.startsWith("turn");
    this.#lines.splice(began ? place : this.#lines.length, 0, line);
  }

  #say(text: string): void {
    this.#lines.push({ text });
  }

  /** Merges repetitions in a row. */
  #hint(text: string): void {
    const last = this.#lines.at(-1);
    if (last === undefined || !("text" in last) || last.text !== text) this.#lines.push({ text, quiet: true });
  }
}
