import { expect, test } from "vitest";
import { fc } from "../../../test/support/fast-check.ts";
import { decodeState, encodeState } from "./state.ts";

test.each([
  { agentId: "bc-00000000-0000-0000-0000-000000000001" },
  { agentId: "bc_abc", runId: "run-1" },
  { agentId: "bc-1", runId: "run-1", lastId: "1713033006000-0" },
  { agentId: "bc-1", runId: "run-1", lastId: "a:b/ü\n" },
])("round-trips %o", (place) => {
  expect(decodeState(encodeState(place))).toEqual({ runId: undefined, lastId: undefined, ...place });
});

test.each([
  ["a run with a dot", { runId: "run.1", lastId: "1" }, {}],
  ["a run with a colon", { runId: "run:1" }, {}],
  ["no run", { runId: "", lastId: "1" }, {}],
  ["the longest event", { runId: "r", lastId: "x".repeat(300) }, { runId: "r", lastId: "x".repeat(300) }],
  ["an event that is too long", { runId: "r", lastId: "x".repeat(301) }, { runId: "r" }],
  ["half a character", { runId: "r", lastId: "\ud800" }, { runId: "r" }],
])("omits the parts of %s that do not fit", (_what, given, kept) => {
  expect(decodeState(encodeState({ agentId: "bc-1", ...given }))).toEqual({
    agentId: "bc-1",
    runId: undefined,
    lastId: undefined,
    ...kept,
  });
});

test("encodes any names of runs and events without confusing them", () => {
  const name = fc.oneof(
    fc.array(fc.nat(0xffff), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
    fc.string({ unit: fc.constantFrom("a", "_", "-", ".", "ü", "\ud800"), maxLength: 20 }),
    fc.integer({ min: 1, max: 400 }).map((length) => "r".repeat(length)),
  );
  fc.assert(
    fc.property(fc.option(name, { nil: undefined }), fc.option(name, { nil: undefined }), (runId, lastId) => {
      const state = encodeState({ agentId: "bc-1", runId, lastId });
      const back = decodeState(state);
      expect([runId, undefined]).toContain(back.runId);
      expect([lastId, undefined]).toContain(back.lastId);
      expect(encodeState(back)).toBe(state);
    }),
  );
});

test.each(["", "cursor-cloud:1:nonsense", "cursor-cloud:2:bc-1", "cursor:1:acp:x", "cursor-cloud:1:bc-1/../me"])(
  "rejects the state %s",
  (state) => expect(() => decodeState(state)).toThrow(expect.objectContaining({ code: "session_not_found" }) as Error),
);
