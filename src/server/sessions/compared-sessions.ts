/** The sessions of comparisons, held by a server like any other. */
import type { ComparedSessions, EntryState } from "../../core/comparisons/types.ts";
import type { HeldSessions } from "./held-sessions.ts";

export function comparedSessions(held: HeldSessions): ComparedSessions {
  return {
    async open(options) {
      const opened = await held.create(options);
      const { session } = opened;
      return { id: session.id, begin: (prompt) => opened.begin(prompt), close: () => session.close() };
    },
    close: (id) => held.close(id),
    async state(id): Promise<EntryState> {
      const found = await held.named(id).catch(() => undefined);
      if (found === undefined) return "gone";
      if (found.waiting.length > 0) return "waiting";
      if (found.running) return "running";
      // An open session without a turn is about to get its prompt.
      return found.outcome ?? (found.open ? "running" : "gone");
    },
  };
}
