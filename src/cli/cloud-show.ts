import type { ErrorInfo } from "../events/errors.ts";
import type { ReinsEvent } from "../events/types.ts";
import { endWords } from "../view/words.ts";
import { reportError } from "./failure.ts";
import { jsonLine } from "./json-line.ts";
import { Progress } from "./progress.ts";
import { Screen, writeOut } from "./screen.ts";
import { showInput } from "./show-input.ts";

/** Shows the events of a session one by one: as they are with `json`, else for a person. */
export class EventShow implements Disposable {
  readonly screen: Screen = new Screen();
  readonly #progress = new Progress(this.screen);
  readonly #json: boolean;

  constructor(json: boolean) {
    this.#json = json;
  }

  async show(event: ReinsEvent): Promise<void> {
    if (this.#json) return writeOut(jsonLine(event));
    if (event.type === "turn.started" && event.input !== undefined) showInput(this.screen, event.input);
    await this.#progress.show(event);
    if (event.type === "turn.completed") this.screen.line(endWords(event, event.costUsd), "dim");
  }

  /** A person has read in the end of the turn what failed, and reads here what to do; beside JSON both are said. */
  async failed(error: ErrorInfo | undefined): Promise<void> {
    if (error === undefined) return;
    if (this.#json) await reportError(error);
    else if (error.help !== undefined) this.screen.line(error.help);
  }

  [Symbol.dispose](): void {
    this.screen.still();
  }
}
