/** What the agent keeps on disk is what it said. */
import { expect, test } from "vitest";
import { heldAndKept } from "../support/history.ts";

test("a conversation is kept as it was held", async () => {
  const { live, kept } = await heldAndKept("claude", [
    { name: "thinking" },
    { name: "write", arg: "notes.txt" },
    { name: "edit", arg: "notes.txt" },
    { name: "shell", arg: "echo hi" },
    { name: "failing-tool" },
    { name: "two-tools" },
    { name: "long-shell", cancel: true },
    { name: "error-400" },
    { name: "echo", arg: "bye" },
  ]);
  expect(kept).toEqual(live);
});
