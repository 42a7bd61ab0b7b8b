import { expect, test } from "vitest";
import { decodeState, encodeState } from "./state.ts";

const id = "11111111-2222-4333-8444-555555555555";

test("a state leads back to its conversation, and to no other agent's", () => {
  expect(encodeState(id)).toBe(`qwen:1:${id}`);
  expect(decodeState(encodeState(id))).toBe(id);
  for (const state of ["", `claude:1:${id}`, "qwen:1:--yolo", `qwen:2:${id}`])
    expect(() => decodeState(state)).toThrow(expect.objectContaining({ code: "session_not_found" }));
});
