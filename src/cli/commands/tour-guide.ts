import { styleText } from "node:util";
import type { AgentStatus } from "../../core/api.ts";
import type { EventOf, EventType, ReinsEvent } from "../../events/types.ts";
import { changeWords, endWords } from "../../view/labels.ts";
import { diffLines } from "../ask/permission.ts";
import { safeFor, wrap } from "../render/text.ts";

const margin = 8;
const widest = 88;

interface Tour {
  readonly agent: string;
  readonly cwd: string;
  readonly prompt: string;
  /** True when a user can be asked. */
  readonly isAttended: boolean;
  readonly answerSeconds: number;
}

/** Explanations of event types, each shown once. */
const lessons: Partial<Record<EventType, string>> = {
  "message.completed": "What the agent says. A program sees it word by word, as it is written.",
  "tool.started": "What the agent does. Every agent's tools have the same names here: read, edit, shell, ...",
  "file.changed": "What really changed, reported only after it happened.",
  "turn.completed": "How the turn ended. The next prompt continues from here, in the same session.",
};

export class TourGuide {
  readonly #tour: Tour;
  readonly #safe = safeFor(process.stdout);
  readonly #width = Math.max(Math.min(process.stdout.columns || widest, widest), 4 * margin);
  readonly #told = new Set<EventType>();

  constructor(tour: Tour) {
    this.#tour = tour;
  }

  begin(): string {
    const { agent, cwd, prompt } = this.#tour;
    const about =
      "Reins drives coding agents, and whichever one is at work, you see the same kind of session. " +
      `Here is a short one with the agent “${agent}”, which needs nothing installed, in a folder made for it and removed afterwards:`;
    const lesson = this.#lesson("A prompt begins a turn. All that follows is one stream of events.");
    return [wrap(about, this.#width), `  ${cwd}`, "", this.#part("You", prompt), lesson, ""].join("\n");
  }

  explain(event: ReinsEvent): string {
    const parts = this.#parts(event);
    if (parts === undefined) return "";
    const lesson = this.#told.has(event.type) ? undefined : lessons[event.type];
    this.#told.add(event.type);
    return `\n${[...parts, ...(lesson === undefined ? [] : [this.#lesson(lesson)])].join("\n")}\n`;
  }

  end(tourAgent: AgentStatus, own: AgentStatus | undefined): string {
    const next: readonly (readonly [string, string])[] = [
      ["npx reins agents", "which agents are here, and what each needs"],
      own === undefined
        ? [`npx reins run -a ${tourAgent.id} "help"`, `what else the agent “${tourAgent.id}” can do`]
        : [`npx reins run -a ${own.id} "explain this folder"`, `the same with ${own.name}, which is ready here`],
      ["npx reins --help", "all commands"],
    ];
    const width = Math.max(...next.map(([command]) => command.length));
    const lines = next.map(([command, purpose]) => `  ${command.padEnd(width)}   ${purpose}`);
    return ["", "Try next:", ...lines, ""].join("\n");
  }

  #parts(event: ReinsEvent): readonly string[] | undefined {
    switch (event.type) {
      case "message.completed":
        return [this.#part("Agent", event.text)];
      case "tool.started":
        return [this.#part("Tool", event.title)];
      case "permission.requested":
        return this.#request(event);
      case "permission.resolved":
        return [this.#part("Answer", this.#answer(event))];
      case "file.changed":
        return [this.#part("File", changeWords(event))];
      case "turn.completed":
        return [this.#part("End", endWords({ ...event, error: undefined }, event.costUsd))];
      default:
        return undefined;
    }
  }

  #request(event: EventOf<"permission.requested">): readonly string[] {
    const head = this.#part("Asks", `May I? ${event.title}`);
    const lesson = "What needs a yes. The agent waits; nothing has changed yet.";
    const deadline = `Without an answer it is denied after ${this.#tour.answerSeconds} seconds.`;
    // The question itself shows the change.
    if (this.#tour.isAttended) return [head, this.#lesson(`${lesson} ${deadline}`)];
    const diff = diffLines(event.diff ?? "").map(({ text, style }) => paint(style, `      ${this.#safe(text)}`));
    return [head, this.#lesson(lesson), ...diff];
  }

  #answer(event: EventOf<"permission.resolved">): string {
    if (event.by === "deadline") return "denied, because nobody answered in time";
    const words = event.outcome === "allowed" ? "yes" : event.outcome === "denied" ? "no" : "cancelled";
    return this.#tour.isAttended ? words : `${words} (nobody is at a terminal here, so the tour answered)`;
  }

  #part(who: string, text: string): string {
    return this.#beside(paint("bold", who.padEnd(margin)), margin, this.#safe(text));
  }

  #lesson(text: string): string {
    return paint("dim", this.#beside(`${" ".repeat(margin)}↳ `, margin + 2, text));
  }

  /** Puts text into a column beside a label of the given width. */
  #beside(label: string, columns: number, text: string): string {
    return wrap(text, this.#width - columns)
      .split("\n")
      .map((line, index) => (index === 0 ? label : " ".repeat(columns)) + line)
      .join("\n");
  }
}

function paint(style: "bold" | "dim" | "red" | "green" | "cyan" | undefined, text: string): string {
  return style === undefined ? text : styleText(style, text, { stream: process.stdout });
}
