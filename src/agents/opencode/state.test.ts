import { expect, test } from "vitest";
import { conversationState } from "../../protocols/conversation-state.ts";
import { conversationId, program } from "./program.ts";

const decoded = (state: string) => conversationState(program, conversationId).decode(state);

test("round-trips a state", () => {
  expect(conversationState(program).encode("ses_e1f6d4111ffeTVSyTnpGrFcVL5")).toBe(
    "opencode:1:ses_e1f6d4111ffeTVSyTnpGrFcVL5",
  );
  expect(decoded("opencode:1:ses_e1f6d4111ffeTVSyTnpGrFcVL5")).toBe("ses_e1f6d4111ffeTVSyTnpGrFcVL5");
});

test.for(["", "claude:1:x", "opencode:2:ses_a", "opencode:1:", "opencode:1:ses_../../x", "opencode:1:ses_a/abort"])(
  "rejects the state %s",
  (state) => {
    expect(() => decoded(state)).toThrow(expect.objectContaining({ code: "session_not_found", agent: "opencode" }));
  },
);
