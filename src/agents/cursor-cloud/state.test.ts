import { expect, test } from "vitest";
import { decodeState, encodeState } from "./state.ts";

test.each([
  { agentId: "bc-00000000-0000-0000-0000-000000000001" },
  { agentId: "bc_abc", runId: "run-1" },
  { agentId: "bc-1", runId: "run-1", lastId: "1713033006000-0" },
  { agentId: "bc-1", runId: "run-1", lastId: "a:b/ü\n" },
])("there and back: %o", (place) => {
  expect(decodeState(encodeState(place))).toEqual({ runId: undefined, lastId: undefined, ...place });
});

test.each(["", "cursor-cloud:1:nonsense", "cursor-cloud:2:bc-1", "cursor:1:acp:x", "cursor-cloud:1:bc-1/../me"])(
  "%s is no state",
  (state) => expect(() => decodeState(state)).toThrow(expect.objectContaining({ code: "session_not_found" }) as Error),
);
