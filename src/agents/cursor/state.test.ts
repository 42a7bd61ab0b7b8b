import { expect, test } from "vitest";
import { chatOf, emptyStateOf, isEmpty, stateOf } from "./state.ts";

const id = "0d5f2c1e-7b0a-4c83-9a6e-2f1f5f2f9d11";

test("either channel takes the other's state, and there and back it is the same chat", () => {
  expect(stateOf("acp", id)).toBe(`cursor:1:acp:${id}`);
  expect([stateOf("acp", id), stateOf("print", id), emptyStateOf(id)].map(chatOf)).toEqual([id, id, id]);
  expect([emptyStateOf(id), stateOf("print", id)].map(isEmpty)).toEqual([true, false]);
});

test.for([
  "cursor:2:acp:x",
  "cursor:1:cloud:x",
  "cursor:1:acp:",
  "cursor:1:acp:-f",
  "cursor:1:acp:a b",
  "cursor-cloud:1:x",
  "",
])("%j is no state of it", (state) => {
  expect(() => chatOf(state)).toThrow(expect.objectContaining({ code: "session_not_found" }));
});
