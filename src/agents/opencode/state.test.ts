import { expect, test } from "vitest";
import { decodeState, encodeState } from "./state.ts";

test("there and back", () => {
  expect(encodeState("ses_e1f6d4111ffeTVSyTnpGrFcVL5")).toBe("opencode:1:ses_e1f6d4111ffeTVSyTnpGrFcVL5");
  expect(decodeState("opencode:1:ses_e1f6d4111ffeTVSyTnpGrFcVL5")).toBe("ses_e1f6d4111ffeTVSyTnpGrFcVL5");
});

test.for(["", "claude:1:x", "opencode:2:ses_a", "opencode:1:", "opencode:1:ses_../../x", "opencode:1:ses_a/abort"])(
  "%s is no state of this version",
  (state) => {
    expect(() => decodeState(state)).toThrow(expect.objectContaining({ code: "session_not_found", agent: "opencode" }));
  },
);
