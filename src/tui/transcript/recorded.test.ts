import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { stamp } from "../../../test/support/histories.ts";
import { look, rowsOfBlocks } from "../../../test/support/transcript.ts";
import { columnsOf } from "../../events/columns.ts";
import type { EventPayload, ReinsEvent } from "../../events/types.ts";
import { conversation } from "../../view/conversation.ts";
import { Transcript } from "./index.ts";

describe("recorded conversations", () => {
  const folder = new URL("../../../test/contract/golden/", import.meta.url);
  test.each(readdirSync(folder))("draws %s", (file) => {
    const sessions = readFileSync(new URL(file, folder), "utf8").split(/^-- session \d+\n/m);
    let rows = 0;
    for (const session of sessions) {
      const built = conversation(recorded(session));
      for (const [width, expandAll] of [
        [20, true],
        [120, false],
      ] as const) {
        const blocks = new Transcript(built).blocks(look({ width, expandAll }));
        const shown = rowsOfBlocks(blocks, width);
        rows += shown.length;
        expect(shown.filter((row) => columnsOf(row) > width)).toEqual([]);
      }
    }
    expect(rows).toBeGreaterThan(100);
  });
});

function recorded(session: string): ReinsEvent[] {
  const events = session.split("\n").flatMap((line) => {
    const [, turnId, type, fields] = /^(\S+) ([a-z.]+) (\{[^\n]*)$/.exec(line) ?? [];
    if (fields === undefined) return [];
    return [{ ...JSON.parse(fields), type, ...(turnId !== "--" && { turnId }) } as EventPayload];
  });
  return stamp(events);
}
