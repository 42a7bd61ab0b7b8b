import type { AgentEvent } from "../../events/types.ts";
import type { Out } from "../json-rpc/index.ts";

/** Limits memory when an agent sends ever new kinds of messages. */
const maxKinds = 100;

interface Counted {
  readonly code: string;
  readonly message: string;
  count: number;
}

/**
 * Counts messages that are unknown or out of place. Reports one notice per kind and turn, and one with the count at the end of the turn.
 */
export class Unexpected {
  readonly #seen = new Map<string, Counted>();
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  unknown(what: string, out: Out): void {
    this.#saw("unparsed", `${this.#name} sent ${what}, which Reins does not know; it was ignored.`, out);
  }

  late(what: string, out: Out): void {
    this.#saw("late", `${this.#name} sent ${what} while no turn was running; it was ignored.`, out);
  }

  refused(what: string, out: Out): void {
    this.#saw("divergence", `${this.#name} asked for ${what}, which Reins does not support.`, out);
  }

  unanswerable(what: string, out: Out): void {
    this.#saw("divergence", `${this.#name} sent ${what} and does not wait for an answer.`, out);
  }

  turnEnded(out: Out): void {
    for (const seen of this.#seen.values()) if (seen.count > 1) out.push(notice(seen));
    this.#seen.clear();
  }

  #saw(code: string, message: string, out: Out): void {
    const known = this.#seen.get(message);
    if (known !== undefined) {
      known.count++;
    } else if (this.#seen.size < maxKinds) {
      const seen = { code, message, count: 1 };
      this.#seen.set(message, seen);
      out.push(notice(seen));
    }
  }
}

function notice({ code, message, count }: Counted): AgentEvent {
  return { type: "notice", level: "warning", code, message, count: count > 1 ? count : undefined };
}
