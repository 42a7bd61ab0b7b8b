/** What the agent keeps on disk is what it said. */
import { expect, test } from "vitest";
import { heldAndKept } from "../support/history.ts";

test("a conversation is kept as it was held", async () => {
  const { live, kept } = await heldAndKept("gemini", [
    { name: "thinking" },
    { name: "write", arg: "notes.txt" },
    { name: "edit", arg: "notes.txt" },
    { name: "shell", arg: "echo hi" },
    { name: "failing-tool" },
    { name: "two-tools" },
    // What was cancelled, and what failed, it does not write down.
    { name: "echo", arg: "bye" },
  ]);
  expect(kept).toEqual(live);
});
