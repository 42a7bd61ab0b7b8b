import type { ReinsEvent } from "../events/types.ts";

/** Of its output, as a person needs it to see what went wrong. */
const lastLines = 10;

/** Follows what is run after a turn: where it failed last, what was asked for is not done, whatever the agent says. */
export class AfterFailures {
  readonly #calls = new Set<string>();
  /** In the last turn. */
  failed = false;

  /** The end of what one that failed has said. */
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
