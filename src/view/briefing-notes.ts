/**
 * Collects the notes that a briefing is made of while events arrive. Only whole messages are noted, so discarded text never gets in;
 * thinking is left out. The notes stay small however long the conversation is.
 */
import type { EventOf, PlanEntry, ReinsEvent } from "../events/types.ts";
import { failureWords } from "./labels.ts";

/** Every note has the sequence number of its event, so that a returning agent is told only the part it missed. */
interface Noted {
  readonly seq: number;
}
type Wish = Noted & { readonly turnId: string | undefined; readonly text: string };
export type Said = Noted & { readonly id: string; readonly agent: string; readonly text: string };
export type Failure = Noted & { readonly title: string; readonly words: string; readonly output: string };
type Change = Noted & Pick<EventOf<"file.changed">, "path" | "op" | "oldPath">;
type Decision = Noted & { readonly text: string };

const most = { wishes: 200, said: 10, failures: 10, changes: 1000, decisions: 100 };
export const olderWish = 2000;
const outputLength = 4000;

export class Notes {
  /** Oldest first, like the other lists. */
  readonly wishes: Wish[] = [];
  readonly said: Said[] = [];
  readonly failures: Failure[] = [];
  readonly decisions: Decision[] = [];
  readonly changes: Map<string, Change> = new Map();
  plan: (Noted & { readonly entries: readonly PlanEntry[] }) | undefined;
  /** Calls that were running when the agent was stopped. */
  readonly unfinished: (Noted & { readonly title: string })[] = [];
  readonly running: Map<string, { readonly title: string; readonly output: string }> = new Map();
  lastSeq = 0;
  /** Titles of the pending requests, by request id. */
  readonly #asked = new Map<string, string>();

  apply(event: ReinsEvent): void {
    if (event.seq <= this.lastSeq) return;
    this.lastSeq = event.seq;
    switch (event.type) {
      case "turn.started":
        return this.#turnStarted(event);
      case "input.added":
        // A queued prompt is noted later, when it starts its own turn.
        if (event.how === "steer") this.#wish(event, event.text);
        return;
      case "message.completed":
        if (event.parent !== undefined || event.text.trim() === "") return;
        return push(this.said, most.said, { ...of(event), id: event.messageId, agent: event.agent, text: event.text });
      case "message.discarded":
        return remove(this.said, ({ id }) => id === event.messageId);
      case "tool.started":
        return void this.running.set(event.callId, { title: event.title, output: "" });
      case "tool.progress":
        return this.#progress(event);
      case "tool.completed":
      case "tool.failed":
        return this.#ended(event);
      case "file.changed":
        return this.#changed(event);
      case "plan.updated":
        this.plan = { ...of(event), entries: event.entries };
        return;
      case "permission.requested":
        return void this.#asked.set(event.requestId, event.title);
      case "question.requested":
        return void this.#asked.set(event.requestId, event.questions.map(({ text }) => text).join(" · "));
      case "permission.resolved":
      case "question.resolved":
        return this.#resolved(event);
      case "turn.completed":
        this.running.clear();
        // A turn that ended as done leaves no call unfinished.
        if (event.outcome === "done") this.unfinished.length = 0;
        return;
      default:
    }
  }

  #turnStarted(event: EventOf<"turn.started">): void {
    // Skip a prompt that a rule sent: the person did not write it.
    if (event.input === undefined || event.continues !== undefined) return;
    // Only the newest prompt is kept whole.
    this.wishes.forEach((wish, place) => {
      if (wish.text.length > olderWish) this.wishes[place] = { ...wish, text: clip(wish.text, olderWish) };
    });
    this.#wish(event, event.input.text);
  }

  #wish(event: ReinsEvent, text: string): void {
    push(this.wishes, most.wishes, { ...of(event), turnId: event.turnId, text });
  }

  #progress({ callId, title, output }: EventOf<"tool.progress">): void {
    const running = this.running.get(callId);
    if (running === undefined) return;
    const text = running.output + (output ?? "");
    this.running.set(callId, {
      title: title ?? running.title,
      // Cut only after the text has doubled: cutting at every small piece would copy the text again and again.
      output: text.length > 2 * outputLength ? text.slice(-outputLength) : text,
    });
  }

  #ended(event: EventOf<"tool.completed" | "tool.failed">): void {
    const { title, output } = this.running.get(event.callId) ?? { title: event.callId, output: "" };
    this.running.delete(event.callId);
    // Only the last outcome of a repeated call counts.
    for (const notes of [this.failures, this.unfinished])
      remove<{ title: string }>(notes, (note) => note.title === title);
    if (event.type === "tool.completed") {
      const { exitCode = 0, output: whole } = event;
      if (exitCode === 0) return;
      const end = whole.kept < whole.bytes && output !== "" ? output : whole.text;
      return this.#failed(event, title, `exit code ${exitCode}`, end);
    }
    if (event.reason === "unfinished") return push(this.unfinished, most.failures, { ...of(event), title });
    if (event.reason !== "denied")
      this.#failed(event, title, clip(failureWords(event), 300), output || event.error.message);
  }

  #failed(event: ReinsEvent, title: string, words: string, output: string): void {
    push(this.failures, most.failures, { ...of(event), title, words, output: tail(output, outputLength) });
  }

  #changed({ seq, path, op, oldPath }: EventOf<"file.changed">): void {
    const earlier = this.changes.get(path) ?? (oldPath === undefined ? undefined : this.changes.get(oldPath));
    if (oldPath !== undefined) this.changes.delete(oldPath);
    this.changes.delete(path);
    const isNew = earlier?.op === "create";
    if (isNew && op === "delete") return;
    this.changes.set(path, isNew ? { seq, path, op: "create", oldPath: undefined } : { seq, path, op, oldPath });
    for (const [oldest] of this.changes) {
      if (this.changes.size <= most.changes) break;
      this.changes.delete(oldest);
    }
  }

  /** Decisions of the policy are left out: they would bury the decisions of people. */
  #resolved(event: EventOf<"permission.resolved" | "question.resolved">): void {
    const asked = this.#asked.get(event.requestId);
    this.#asked.delete(event.requestId);
    if (asked === undefined || event.outcome === "cancelled" || (event.by === "policy" && event.outcome === "allowed"))
      return;
    const words = event.type === "permission.resolved" ? (event.message ?? "") : answersOf(event);
    const text = `${asked}: ${event.outcome} by ${event.by}${words === "" ? "" : `: ${words}`}`;
    push(this.decisions, most.decisions, { ...of(event), text: clip(text, 600) });
  }
}

function answersOf({ answers = {} }: EventOf<"question.resolved">): string {
  return Object.values(answers).flat().join(", ");
}

function of({ seq }: ReinsEvent): Noted {
  return { seq };
}

function push<Note>(notes: Note[], limit: number, note: Note): void {
  notes.push(note);
  if (notes.length > limit) notes.shift();
}

function remove<Note>(notes: Note[], matches: (note: Note) => boolean): void {
  for (let place = notes.length - 1; place >= 0; place--) if (matches(notes[place]!)) notes.splice(place, 1);
}

/** The start of a text, never splitting a character. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  return length < 1 ? "" : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The end of a text, never splitting a character. */
export function tail(text: string, length: number): string {
  if (text.length <= length) return text;
  return length < 1 ? "" : `…${text.slice(text.length - length + 1).replace(/^[\udc00-\udfff]/, "")}`;
}
