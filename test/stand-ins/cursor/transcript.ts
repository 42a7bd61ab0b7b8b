/** The transcript whose path hooks receive: messages with their roles, and how each turn ended. No tool results, ids or times. */
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

export class Transcript {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  said(role: "user" | "assistant", text: string): void {
    if (text !== "") this.#add({ role, message: { content: [{ type: "text", text }] } });
  }

  ended(status: "completed" | "aborted" | "error"): void {
    this.#add({ type: "turn_ended", status });
  }

  #add(record: object): void {
    mkdirSync(dirname(this.path), { recursive: true });
    appendFileSync(this.path, `${JSON.stringify(record)}\n`);
  }
}
