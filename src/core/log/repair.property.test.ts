import { expect, it } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { history } from "../../../test/support/histories.ts";
import { checkLaws } from "../../events/laws.ts";
import { createRedactor } from "../../events/redact.ts";
import { reinsEventSchema } from "../../events/schema/index.ts";
import { eventsToGoOnFrom, repair } from "./repair.ts";
import type { StoredSessions } from "./types.ts";
import type { ReinsEvent } from "../../events/types.ts";

const redact = createRedactor({});

it("a log that was cut anywhere is lawful after one repair", () => {
  fc.assert(
    fc.property(history, fc.nat(), (events, at) => {
      const cut = events.slice(0, at % (events.length + 1));
      const repaired = [...cut, ...repair(cut, redact)];
      for (const event of repaired.slice(cut.length)) reinsEventSchema.parse(event);
      expect(checkLaws(repaired)).toEqual([]);
      expect(repair(repaired, redact)).toEqual([]);
    }),
  );
});

it("the lasting events of a log are enough to repair it", () => {
  fc.assert(
    fc.property(history, fc.nat(), (events, at) => {
      const cut = events.slice(0, 1 + (at % events.length));
      const now = () => 1_800_000_000_000;
      expect(repair(eventsToGoOnFrom(asStored(cut), { ...session, openTurn: openTurnOf(cut) }), redact, now)).toEqual(
        repair(cut, redact, now),
      );
    }),
  );
});

const session = { id: "s", cwd: "/", createdAt: "", updatedAt: "", lastSeq: 0, turns: 1 };

function openTurnOf(events: readonly ReinsEvent[]): string | undefined {
  const last = events.at(-1);
  return last?.type === "turn.completed" ? undefined : last?.turnId;
}

function asStored(events: readonly ReinsEvent[]): StoredSessions {
  const stored: Pick<StoredSessions, "read"> & { turns: () => unknown } = {
    read: (_id, { after = 0, without = [] } = {}) =>
      events.filter(({ seq, type }) => seq > after && !without.includes(type)),
    turns: () =>
      events
        .filter(({ type }) => type === "turn.started")
        .map((event) => ({ id: event.turnId ?? "", firstSeq: event.seq })),
  };
  return stored as unknown as StoredSessions;
}
