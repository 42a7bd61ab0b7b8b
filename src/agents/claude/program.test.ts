import { expect, test } from "vitest";
import { decodeState, encodeState } from "./program.ts";

const id = "11111111-2222-4333-8444-555555555555";

test("restores the conversation from a state", () => {
  expect(decodeState(encodeState(id))).toBe(id);
});

test.for([
  ["", "not one of Claude Code"],
  [id, "not one of Claude Code"],
  [`codex:1:${id}`, "not one of Claude Code"],
  [`claude:2:${id}`, "another version of Reins"],
  ["claude:1:", "another version of Reins"],
  ["claude:1:--dangerously-skip-permissions", "another version of Reins"],
  [`claude:1:${id}x`, "another version of Reins"],
])("rejects %s in one clear sentence", ([state, why]) => {
  expect(() => decodeState(state!)).toThrow(
    expect.objectContaining({ code: "session_not_found", message: expect.stringContaining(why!) }),
  );
});
