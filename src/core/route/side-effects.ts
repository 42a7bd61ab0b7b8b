/** Tracks what a route must know about the running turn: whether it may have changed something, and whether its last request was denied. */
import type { ReinsEvent } from "../../events/types.ts";
import { looksOnly } from "../permissions/decide.ts";

export class TurnSideEffects {
  readonly #calls = new Set<string>();
  #fileChanged = false;
  denied = false;

  get sideEffect(): boolean {
    return this.#fileChanged || this.#calls.size > 0;
  }

  clear(): void {
    this.#calls.clear();
    this.#fileChanged = false;
    this.denied = false;
  }

  follow(event: ReinsEvent): void {
    switch (event.type) {
      case "turn.started":
        return this.clear();
      case "tool.started":
        if (!looksOnly(event.tool)) this.#calls.add(event.callId);
        this.denied = false;
        return;
      case "tool.failed":
        if (event.reason === "denied") this.#calls.delete(event.callId);
        return;
      case "file.changed":
        this.#fileChanged = true;
        return;
      case "permission.resolved":
        this.denied = event.outcome === "denied";
        return;
      case "message.delta":
      case "message.completed":
        this.denied = false;
        return;
      default:
    }
  }
}
