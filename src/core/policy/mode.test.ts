import { expect, it } from "vitest";
import { modes } from "../../events/modes.ts";
import { followedMode } from "./mode.ts";

it.each([
  // current, says, chosen, approved, then
  ["ask", "read", "ask", false, "read"],
  ["full", "plan", "full", false, "plan"],
  ["ask", "full", "ask", false, "ask"],
  ["ask", "edits", "ask", true, "ask"],
  ["ask", "edits", "edits", false, "edits"],
  ["ask", "full", "edits", false, "ask"],
  ["read", "plan", "read", false, "read"],
  ["plan", "ask", "full", false, "full"],
  ["plan", "ask", "edits", true, "edits"],
  ["plan", "ask", "plan", false, "plan"],
  ["plan", "full", "plan", true, "ask"],
] as const)(
  "in %s an agent says %s, a person chose %s, plan approved: %s; then %s",
  (current, says, chosen, ok, then) => expect(followedMode(current, says, chosen, ok)).toBe(then),
);

it("never goes beyond what the person chose, or asking after an approved plan", () => {
  for (const chosen of modes)
    for (const current of modes.slice(0, modes.indexOf(chosen) + 1))
      for (const says of modes)
        for (const approved of [true, false]) {
          const limit = chosen === "plan" && approved ? "ask" : chosen;
          expect(modes.indexOf(followedMode(current, says, chosen, approved))).toBeLessThanOrEqual(
            modes.indexOf(limit),
          );
        }
});
