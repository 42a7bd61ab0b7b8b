/**
 * A session's events as the few lines that count, in order:
 *
 *   session | session resumed        a leg began; it stands before the turn in which it was said
 *   turn | turn by agent             a turn began
 *   steered | queued                 more from the person while it ran
 *   thought                          a thought, whole
 *   message                          a text, whole; `message "..."` in the table means these words
 *   write: asked, allowed by person, completed      a tool call with its fate, where it began
 *   task: worked inside, completed   ... of a subagent
 *   question answered by person
 *   files a.txt created              what changed in the turn, before its end
 *   done | cancelled | failed overloaded | done, 1 in the background
 *   notice divergence | notice unparsed
 *
 * and, where the table means them: streamed, retrying <code>, compacted. Pieces, phases, usage and tasks are left out, and so is what
 * readers remove (a discarded message).
 */
import type { EventOf, ReinsEvent } from "../../events/types.ts";

export interface Line {
  readonly text: string;
  /** Of a message: with its words. */
  readonly full?: string | undefined;
  /** What else is known, for whoever looks for the reason. */
  readonly detail?: string | undefined;
  /** Counts only where the table means it. */
  readonly quiet?: boolean | undefined;
}

interface Call {
  readonly tool: string;
  readonly fate: string[];
  detail?: string | undefined;
}

const operations = { create: "created", modify: "changed", delete: "deleted", move: "moved" } as const;
/** Notices that are never left out: something was not understood, or not done as asked. */
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
      "tool" in line ? { text: `${line.tool}: ${line.fate.join(", ")}`, detail: line.detail } : line,
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
        return this.#fate(event.callId, (event.exitCode ?? 0) === 0 ? "completed" : "failed error");
      case "tool.failed":
        return this.#failed(event);
      case "permission.requested":
        this.#requests.set(event.requestId, event.callId);
        return this.#fate(event.callId, "asked");
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

  /** What counts only where it is meant, and notices. */
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

  /** A question is told by itself, whether there is a tool call for it or not. */
  #started({ callId, tool }: EventOf<"tool.started">): void {
    if (tool === "question") return;
    const call = { tool, fate: [] };
    this.#calls.set(callId, call);
    this.#lines.push(call);
  }

  /** Where the mode allows it, whether the agent asked first is between the two of them: nobody was bothered. */
  #resolved({ requestId, outcome, changedInput, by }: EventOf<"permission.resolved">): void {
    const fate = this.#calls.get(this.#requests.get(requestId) ?? "")?.fate;
    if (outcome === "allowed" && by === "policy" && fate?.at(-1) === "asked") fate.pop();
    else fate?.push(`${outcome}${changedInput === undefined ? "" : " changed"} by ${by}`);
  }

  #fate(callId: string | undefined, word: string): void {
    this.#calls.get(callId ?? "")?.fate.push(word);
  }

  #failed({ callId, reason, error }: EventOf<"tool.failed">): void {
    this.#fate(callId, `failed ${reason}`);
    const call = this.#calls.get(callId);
    if (call !== undefined) call.detail = error.message;
  }

  #inside(parent: string): void {
    const fate = this.#calls.get(parent)?.fate;
    if (fate !== undefined && !fate.includes("worked inside") && !fate.includes("completed"))
      fate.push("worked inside");
  }

  #completed({ outcome, error, background }: EventOf<"turn.completed">): void {
    if (this.#files.size > 0) this.#say(`files ${[...this.#files].sort().join(", ")}`);
    const code = outcome === "failed" ? ` ${error?.code}` : "";
    const left = background === undefined ? "" : `, ${background.length} in the background`;
    this.#lines.push({ text: `${outcome}${code}${left}`, detail: error?.message });
    this.#files = new Set();
  }

  /** An agent may say who it is only when it is spoken to, and after what Reins has to say about the prompt. */
  #beforeTurn(line: Line): void {
    const place = this.#lines.findLastIndex((one) => !("text" in one && one.text.startsWith("notice ")));
    const last = this.#lines[place];
    const began = last !== undefined && "text" in last && last.text.startsWith("turn");
    this.#lines.splice(began ? place : this.#lines.length, 0, line);
  }

  #say(text: string): void {
    this.#lines.push({ text });
  }

  /** Said several times in a row, it counts once. */
  #hint(text: string): void {
    const last = this.#lines.at(-1);
    if (last === undefined || !("text" in last) || last.text !== text) this.#lines.push({ text, quiet: true });
  }
}
