import type { EventOf, ReinsEvent } from "../events/types.ts";
import { progressLine, type Telling } from "./event-line.ts";
import type { Screen } from "./screen.ts";

const phases: Partial<Record<EventOf<"turn.phase">["phase"], string>> = {
  model: "Waiting for the model",
  retry: "Waiting to try again",
  compact: "Making room in the context",
  background: "Working in the background",
};

/** Shows a turn as it goes: the agent's words as text, what it does as lines beside it. */
export class Progress {
  readonly #screen: Screen;
  readonly #telling: Telling;
  /** The calls that are open, and their titles. */
  readonly #calls = new Map<string, string>();
  /** Messages that came in pieces, whose whole must not be shown again. */
  readonly #streamed = new Set<string>();
  /** Calls somebody was told are denied, by their request and then by themselves. */
  readonly #requests = new Map<string, string>();
  readonly #denied = new Set<string>();

  constructor(screen: Screen, telling: Telling = "now") {
    this.#screen = screen;
    this.#telling = telling;
  }

  async show(event: ReinsEvent): Promise<void> {
    const past = this.#telling === "past";
    if (event.type.startsWith("message.") && event.parent !== undefined) {
      // What a subagent says is for its agent; that it works is seen by its tools.
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
        return this.#screen.line("(The text above does not count: the agent begins again.)", "dim");
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
        return phases[event.phase];
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
