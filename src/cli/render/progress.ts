import type { EventOf, EventType, ReinsEvent } from "../../events/types.ts";
import { jsonLine } from "../../view/json-line.ts";
import { attachedWords, endWords, phaseWords } from "../../view/labels.ts";
import { eventLine } from "../../view/lines.ts";
import { Screen, writeOut } from "./screen.ts";

/** Shows a turn live: the agent's messages as text, its actions as lines on stderr. */
export class Progress {
  readonly #screen: Screen;
  readonly #telling: Telling;
  readonly #calls = new Map<string, string>();
  /** Ids of messages that were streamed; the complete message must not be shown again. */
  readonly #streamed = new Set<string>();
  /** Calls by their request, and calls that the user already knows are denied. */
  readonly #requests = new Map<string, string>();
  readonly #denied = new Set<string>();

  constructor(screen: Screen, telling: Telling = "now") {
    this.#screen = screen;
    this.#telling = telling;
  }

  async show(event: ReinsEvent): Promise<void> {
    const past = this.#telling === "past";
    if (event.type.startsWith("message.") && event.parent !== undefined) {
      // Messages of a subagent go to its agent, so they are hidden; its tools are shown.
      if (past && event.type === "message.completed" && event.text.trim() !== "")
        this.#screen.line(event.text.trim().replaceAll(/^/gm, "  "), "dim");
      return;
    }
    switch (event.type) {
      case "message.delta":
        this.#streamed.add(event.messageId);
        return this.#screen.text(event.text);
      case "message.completed":
        if (!this.#streamed.has(event.messageId)) await this.#screen.text(event.text);
        await this.#screen.endText();
        return this.#screen.status("Working");
      case "message.discarded":
        await this.#screen.endText();
        return this.#screen.line("(Discard the text above: the agent starts again.)", "dim");
      case "tool.started":
        this.#calls.set(event.callId, event.title);
        break;
      case "permission.requested":
        this.#requests.set(event.requestId, event.callId);
        break;
      case "permission.resolved":
        if (event.outcome === "denied") this.#denied.add(this.#requests.get(event.requestId) ?? "");
        break;
      case "tool.completed":
        this.#calls.delete(event.callId);
        break;
      case "tool.failed":
        this.#calls.delete(event.callId);
        if (!past && this.#denied.has(event.callId)) return;
        break;
      default:
    }
    const line = progressLine(event, this.#calls, this.#telling);
    if (line !== undefined) this.#screen.line(line.text, line.style);
    const status = this.#status(event);
    if (status !== undefined) this.#screen.status(status);
  }

  #status(event: ReinsEvent): string | undefined {
    switch (event.type) {
      case "turn.started":
        return "Working";
      case "turn.phase":
        // The title of the running call, and the question, say more.
        if (event.parent !== undefined || event.phase === "tool" || event.phase === "person") return undefined;
        return phaseWords(event.phase);
      case "thought.delta":
        return "Thinking";
      case "tool.started":
        return event.title;
      case "permission.resolved":
        return event.outcome === "allowed" ? this.#calls.get(this.#requests.get(event.requestId) ?? "") : "Working";
      case "question.resolved":
      case "tool.completed":
      case "tool.failed":
        return "Working";
      default:
        return undefined;
    }
  }
}

interface EventLine {
  readonly text: string;
  readonly style: "dim" | "red" | "yellow" | "cyan";
}

const styles: Partial<Record<EventType, EventLine["style"]>> = {
  "tool.started": "cyan",
  "tool.completed": "yellow",
  "tool.failed": "red",
  "permission.resolved": "yellow",
  "limit.updated": "yellow",
  "agent.retrying": "yellow",
  "agent.switched": "yellow",
  "process.exited": "yellow",
};

/** `now`: events are shown as they happen. `past`: they are read later by somebody who was not there. */
type Telling = "now" | "past";

/** The line for an event; undefined when the event is shown elsewhere or has nothing to show. */
export function progressLine(
  event: ReinsEvent,
  openCalls: { has(callId: string): boolean },
  telling: Telling = "now",
): EventLine | undefined {
  if (event.type === "thought.completed") {
    const mark = event.parent === undefined ? "│ " : "  │ ";
    return event.text.trim() === "" ? undefined : { text: event.text.trim().replaceAll(/^/gm, mark), style: "dim" };
  }
  const text = isSaidElsewhere(event, openCalls, telling === "past") ? undefined : eventLine(event);
  if (text === undefined) return undefined;
  const warning = event.type === "notice" && event.level !== "info";
  return { text, style: warning ? "yellow" : (styles[event.type] ?? "dim") };
}

function isSaidElsewhere(event: ReinsEvent, openCalls: { has(callId: string): boolean }, past: boolean): boolean {
  switch (event.type) {
    // The user sees the question and the answer; `Denials` reports the requests that nobody was asked about.
    case "permission.requested":
    case "question.requested":
    case "question.resolved":
    case "input.added":
      return !past;
    case "permission.resolved":
      return !past && (event.outcome !== "denied" || event.by !== "policy");
    // Success is not reported.
    case "tool.completed":
      return event.exitCode === undefined || event.exitCode === 0;
    // The line of its call covers it.
    case "task.started":
    case "task.updated":
      return openCalls.has(event.callId ?? "");
    case "turn.completed":
      return true;
    default:
      return false;
  }
}

/** Shows the events of a session, as JSON or for a user. */
export class EventView implements Disposable {
  readonly screen: Screen = new Screen();
  readonly json: boolean;
  readonly #progress: Progress;

  constructor(json: boolean, telling: Telling = "now") {
    this.json = json;
    this.#progress = new Progress(this.screen, telling);
  }

  async show(event: ReinsEvent): Promise<void> {
    if (this.json) return writeOut(jsonLine(event));
    if (event.type === "turn.started" && event.input !== undefined) showInput(this.screen, event.input);
    await this.#progress.show(event);
    if (event.type === "turn.completed") this.screen.line(endWords(event, event.costUsd), "dim");
  }

  [Symbol.dispose](): void {
    this.screen.still();
  }
}

/** Shows a prompt with the names of its attachments. */
export function showInput(screen: Pick<Screen, "line">, input: NonNullable<EventOf<"turn.started">["input"]>): void {
  screen.line(input.text.replaceAll(/^/gm, "> "), "bold");
  const attached = attachedWords(input);
  if (attached !== undefined) screen.line(`· ${attached}`, "dim");
}
