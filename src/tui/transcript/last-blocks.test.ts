import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { stamp } from "../../../test/support/histories.ts";
import { ended, look, prompted, rowsOfBlocks, said } from "../../../test/support/transcript.ts";
import type { EventPayload } from "../../events/types.ts";
import { conversation } from "../../view/conversation.ts";
import { Transcript } from "./index.ts";

const call: EventPayload = {
  ...{ type: "tool.started", callId: "c", tool: "shell", nativeName: "Bash", kind: "execute" },
  ...{ title: "Run npm test", input: { command: "npm test" } },
};
const came: EventPayload = {
  ...{ type: "tool.completed", callId: "c", output: { text: "ok", bytes: 2, kept: 2 }, durationMs: 1 },
};

test("builds the same blocks from the end or in steps", () => {
  const turn = fc.constantFrom<readonly EventPayload[]>(
    [prompted, said("A **word**."), ended()],
    [prompted, call, came, said("Done."), ended()],
    [{ type: "turn.started", origin: "agent" }, said("More."), ended({ outcome: "cancelled" })],
    [{ type: "turn.started", origin: "prompt" }, ended()],
    [prompted, call],
  );
  const drawn = look();
  const rowsOf = (transcript: Transcript): string[] => rowsOfBlocks(transcript.blocks(drawn), drawn.width);
  const steps = fc.integer({ min: 1, max: 5 });
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 40 }), fc.nat(40), steps, (turns, count, step) => {
      const events = turns.flatMap((payloads, at) => payloads.map((one) => ({ ...one, turnId: `t${at}` })));
      const all = conversation(stamp(events));
      const whole = rowsOf(new Transcript(all));
      const transcript = new Transcript(all);
      const { blocks, isWhole } = transcript.lastBlocks(drawn, count);
      const last = rowsOfBlocks(isWhole ? blocks : blocks.slice(1), drawn.width);
      expect(whole.slice(isWhole ? 0 : whole.length - last.length)).toEqual(last);
      while (transcript.prepare(drawn, step));
      expect(rowsOf(transcript)).toEqual(whole);
    }),
  );
});
