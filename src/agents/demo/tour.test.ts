import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDemo } from "../../../test/support/demo.ts";
import { only } from "../../../test/support/drive.ts";

test("gives any other text a tour that ends in one approved edit", async () => {
  const { drive, cwd } = await openDemo();
  const said = await drive.turn("Please fix the bug in my login page", { permission: { decision: "allow" } });
  expect(only(said, "permission.requested")).toMatchObject([
    { tool: "write", title: "Write hello-from-reins.md", diff: expect.stringContaining("+# Hello") as string },
  ]);
  expect(only(said, "file.changed")).toMatchObject([{ path: "hello-from-reins.md", op: "create" }]);
  expect(await readFile(join(cwd, "hello-from-reins.md"), "utf8")).toBe(
    "# Hello from Reins\n\n- Turn 1 of the demo agent was here.\n",
  );
  const [hello, bye] = only(said, "message.completed");
  expect(hello?.text).toContain("You said “Please fix the bug in my login page”.");
  expect(bye?.text).toContain("I was allowed to");
  expect(
    only(said, "plan.updated")
      .at(-1)
      ?.entries.every((entry) => entry.status === "completed"),
  ).toBe(true);
  expect(said.at(-1)).toMatchObject({ type: "turn.ended", outcome: "done" });
});

test("remembers an earlier tour", async () => {
  const { drive, cwd } = await openDemo({ mode: "edits" });
  await drive.turn("hello");
  const said = await drive.turn("x".repeat(500));
  expect(only(said, "file.changed")).toMatchObject([{ op: "modify", added: 1, removed: 0 }]);
  expect(await readFile(join(cwd, "hello-from-reins.md"), "utf8")).toMatch(/Turn 1 .*\n- Turn 2 .*\n$/);
  expect(only(said, "message.completed").map(({ text }) => text)).toEqual([
    expect.stringContaining(`“${"x".repeat(59)}…”`),
    expect.stringContaining("This was turn 2 of our conversation."),
  ]);
});

test("says when a tour may change nothing", async () => {
  const { drive } = await openDemo({ mode: "read" });
  const said = await drive.turn("hello");
  expect(only(said, "message.completed").at(-1)?.text).toContain("I changed nothing");
  expect(said.at(-1)).toMatchObject({ outcome: "done" });
});
