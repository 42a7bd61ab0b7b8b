/** The agent's own history on disk matches the conversation. */
import { expect, test } from "vitest";
import { heldAndKept } from "../support/history.ts";

test("finds the conversation in the agent's history", async () => {
  const { live, kept } = await heldAndKept("qwen", [
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
