/** What was not understood, or came when nothing was expected: one notice a kind and turn, and how many there were once it is over. */
import type { AgentEvent } from "../../events/types.ts";
import type { Out } from "../json-rpc/index.ts";

/** A wire that makes up a new kind each time must not fill the memory. */
const maxKinds = 100;

interface Stray {
  readonly code: string;
  readonly message: string;
  count: number;
}

export class Strays {
  readonly #seen = new Map<string, Stray>();
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  unknown(what: string, out: Out): void {
    this.#saw("unparsed", `${this.#name} sent ${what}, which Reins does not know; it was left out.`, out);
  }

  late(what: string, out: Out): void {
    this.#saw("late", `${this.#name} sent ${what} while no turn was running; it was left out.`, out);
  }

  refused(what: string, out: Out): void {
    this.#saw("divergence", `${this.#name} asked for ${what}, which Reins does not do.`, out);
  }

  unanswerable(what: string, out: Out): void {
    this.#saw("divergence", `${this.#name} sent ${what} and does not wait for an answer.`, out);
  }

  turnEnded(out: Out): void {
    for (const stray of this.#seen.values()) if (stray.count > 1) out.push(notice(stray));
    this.#seen.clear();
  }

  #saw(code: string, message: string, out: Out): void {
    const known = this.#seen.get(message);
    if (known !== undefined) {
      known.count++;
    } else if (this.#seen.size < maxKinds) {
      const stray = { code, message, count: 1 };
      this.#seen.set(message, stray);
      out.push(notice(stray));
    }
  }
}

function notice({ code, message, count }: Stray): AgentEvent {
  return { type: "notice", level: "warning", code, message, count: count > 1 ? count : undefined };
}
