import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDemo } from "../../../test/support/demo.ts";
import { only, type Replies } from "../../../test/support/drive.ts";
import { StandInChild } from "../../../test/support/stand-in-child.ts";
import type { Mode } from "../../events/modes.ts";
import type { Child } from "../../process/types.ts";

const launch = (): Promise<Child> => {
  const child = new StandInChild();
  child.exit();
  return Promise.resolve(child);
};

const steps = { read: "read a", write: "write b text", edit: "edit a one -> two", run: "run true" };

/** The outcome of a step: it ran, it was asked about, or it was denied without a question. */
async function outcomeOf(mode: Mode, step: string, hold: Replies["hold"]): Promise<"ran" | "asked" | "denied"> {
  const { drive, cwd } = await openDemo({ mode, launch });
  await writeFile(join(cwd, "a"), "one");
  const said = await drive.turn(step, { hold, permission: { decision: "deny" } });
  expect(only(said, "tool.held")).toHaveLength(1);
  if (only(said, "permission.requested").length > 0) return "asked";
  return only(said, "tool.completed").length > 0 ? "ran" : "denied";
}

describe("modes", () => {
  test.each([
    ["read", "ran", "denied", "denied", "denied"],
    ["plan", "ran", "denied", "denied", "denied"],
    ["ask", "ran", "asked", "asked", "asked"],
    ["edits", "ran", "ran", "ran", "asked"],
    ["full", "ran", "ran", "ran", "ran"],
  ] as const)("%s: reading %s, writing %s, editing %s, running %s", async (mode, ...expected) => {
    const outcomes = [];
    for (const step of Object.values(steps)) outcomes.push(await outcomeOf(mode, step, { decision: "defer" }));
    expect(outcomes).toEqual(expected);
  });
});

describe("the policy", () => {
  test.each([
    ["full", "ask", "asked"],
    ["full", "deny", "denied"],
    ["read", "allow", "ran"],
    ["ask", "allow", "ran"],
  ] as const)("takes precedence over the mode: in %s, %s: %s", async (mode, decision, expected) => {
    expect(await outcomeOf(mode, steps.write, { decision })).toBe(expected);
  });

  test("gives the reason of the failure", async () => {
    const { drive } = await openDemo();
    const said = await drive.turn("run rm -rf .; say on", { hold: { decision: "deny", message: "Not here." } });
    expect(only(said, "tool.failed")).toMatchObject([{ reason: "denied", error: { message: "Not here." } }]);
    expect(only(said, "message.completed")).toMatchObject([{ text: "on" }]);
  });
});

describe("a person", () => {
  test("sees what would happen, and has four options", async () => {
    const { drive, cwd } = await openDemo();
    await writeFile(join(cwd, "a"), "one\n");
    const said = await drive.turn("edit a one -> two", { permission: { decision: "deny", message: "Rather not." } });
    const [call] = only(said, "tool.started");
    expect(only(said, "permission.requested")).toMatchObject([
      {
        callId: call?.callId,
        tool: "edit",
        title: "Edit a",
        input: { path: "a", from: "one", to: "two" },
        locations: [{ path: "a" }],
        diff: "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-one\n+two\n",
        options: [
          { kind: "allow_once" },
          { kind: "allow_always", scope: "session" },
          { kind: "reject_once" },
          { kind: "reject_once", id: "stop" },
        ],
      },
    ]);
    expect(only(said, "tool.failed")).toMatchObject([
      { callId: call?.callId, reason: "denied", error: { message: "Rather not." } },
    ]);
    expect(said.at(-1)).toMatchObject({ outcome: "done" });
    expect(await readFile(join(cwd, "a"), "utf8")).toBe("one\n");
  });

  test.each([{ always: true }, { optionId: "always" }])(
    "answers %o and is asked only about unusual edits afterwards",
    async (how) => {
      const { drive } = await openDemo();
      const said = await drive.turn("write a 1; write b 2", { permission: { decision: "allow", ...how } });
      expect(only(said, "permission.requested")).toHaveLength(1);
      expect(only(said, "file.changed")).toHaveLength(2);
      expect(
        only(
          await drive.turn("write c 3; edit a 1 -> 2; write .env 1; run true", { permission: { decision: "deny" } }),
          "permission.requested",
        ),
      ).toMatchObject([{ tool: "write", title: "Write .env" }, { tool: "shell" }]);
    },
  );

  test("may change the input", async () => {
    const { drive, cwd } = await openDemo();
    const said = await drive.turn("write a old", {
      permission: { decision: "allow", changedInput: { path: "b", text: "new" } },
    });
    expect(only(said, "tool.progress")).toMatchObject([{ title: "Write b", input: { path: "b", text: "new" } }]);
    expect(only(said, "file.changed")).toMatchObject([{ path: "b", op: "create" }]);
    expect(await readFile(join(cwd, "b"), "utf8")).toBe("new");
  });

  const notAnObject = "The changed input was not an object, so the tool did not run.";

  test.each([
    [{ path: "b" }, "error", "The changed input does not fit the tool write."],
    ["b", "denied", notAnObject],
    [null, "denied", notAnObject],
  ])("changes nothing with the changed input %o", async (changedInput, reason, why) => {
    const { drive } = await openDemo();
    const said = await drive.turn("write a old", { permission: { decision: "allow", changedInput } });
    expect(only(said, "tool.failed")).toMatchObject([{ reason }]);
    expect(only(said, "file.changed")).toEqual([]);
    expect(only(said, "message.completed")).toMatchObject([{ text: `Write a: ${why}` }]);
  });

  test("cannot change the input to a path outside", async () => {
    const { drive } = await openDemo();
    const said = await drive.turn("write a old", {
      permission: { decision: "allow", changedInput: { path: "../b", text: "new" } },
    });
    expect(only(said, "tool.failed")).toMatchObject([{ error: { message: "../b is outside the workspace." } }]);
  });

  test("ends the turn with stop", async () => {
    const { drive } = await openDemo();
    const said = await drive.turn("write a 1; say never", { permission: { decision: "deny", stop: true } });
    expect(only(said, "tool.failed")).toMatchObject([{ reason: "denied" }]);
    expect(only(said, "message.completed")).toEqual([]);
    expect(said.at(-1)).toMatchObject({ type: "turn.ended", outcome: "cancelled" });
  });
});

describe("tool filter", () => {
  test("never runs a disallowed tool, by its own or its canonical name", async () => {
    for (const name of ["run", "shell"]) {
      const { drive } = await openDemo({ mode: "full", tools: { disallowed: [name] } });
      const said = await drive.turn("run true");
      expect(only(said, "tool.held")).toMatchObject([{ filter: "disallowed" }]);
      expect(only(said, "tool.failed")).toMatchObject([
        { reason: "denied", error: { message: "The tool run is not allowed here." } },
      ]);
    }
  });

  test("rejects a rule instead of ignoring it", async () => {
    const tools = { disallowed: ["shell(git push)"] };
    await expect(openDemo({ mode: "full", tools })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining('"shell(git push)" is not a name'),
    });
    await expect(openDemo({ tools: { first: { allowed: [""] } } })).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("does not ask about an allowed tool, and may differ for the first prompt", async () => {
    const { drive } = await openDemo({ tools: { first: { allowed: ["write"] } } });
    const first = await drive.turn("write a 1", { permission: { decision: "deny" } });
    const second = await drive.turn("write b 1", { permission: { decision: "deny" } });
    expect(only(first, "file.changed")).toHaveLength(1);
    expect(only(second, "file.changed")).toHaveLength(0);
  });
});

test("applies a changed mode from the next turn on", async () => {
  const { drive, session } = await openDemo({ mode: "read" });
  expect(only(await drive.turn("write a 1"), "file.changed")).toEqual([]);
  await session.configure({ mode: "full" });
  expect(only(await drive.turn("write a 1"), "file.changed")).toHaveLength(1);
});
