/** A permission that is first asked in a hook and then, when the hook must not wait any longer, over the wire. */
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { Reply } from "./permissions.ts";

export class Relay implements Reply {
  #to: Reply | undefined;
  /** What was answered, for the other way. */
  #given: ((to: Reply) => void) | undefined;

  constructor(first: Reply) {
    this.#to = first;
  }

  allow(input?: Wire): boolean {
    this.#given = (to) => {
      if (!to.allow(input)) to.deny("The input of this tool cannot be changed any more.");
    };
    return this.#to === undefined || this.#to.allow(input);
  }

  deny(message: string): void {
    this.#given = (to) => to.deny(message);
    this.#to?.deny(message);
  }

  /** The first way is closed. */
  wait(): void {
    this.#to = undefined;
  }

  /** It is asked another way. */
  goOn(to: Reply): void {
    this.#to = to;
    this.#given?.(to);
  }
}
