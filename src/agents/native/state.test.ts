import { expect, test } from "vitest";
import { conversationState } from "../../protocols/conversation-state.ts";

const native = conversationState({ id: "native", name: "Native" });

const id = "0b7f9c1e-1f43-4c8e-9f52-9c1d2a3b4c5d";

test("round-trips a state", () => {
  expect(native.encode(id)).toBe(`native:1:${id}`);
  expect(native.decode(native.encode(id))).toBe(id);
});

test.each([
  `native:2:${id}`,
  "native:1:../../etc/passwd",
  `native:1:${id}/..`,
  "native:1:",
  `demo:1:${id}`,
  "",
  "native:1:NOT-A-UUID",
])("rejects the state %s", (state) => {
  expect(() => native.decode(state)).toThrow(expect.objectContaining({ code: "session_not_found" }) as Error);
});
