import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rest, sessionWith, testFolder } from "../../../test/support/core.ts";
import { createPuppet } from "../../../test/support/puppet.ts";
import type { AgentEvent } from "../../events/types.ts";

async function decided(paths: readonly string[], keepsEdits = false, cwd = testFolder()) {
  const puppet = createPuppet({ keepsEdits });
  const asks: AgentEvent = {
    type: "permission.requested",
    requestId: "p",
    callId: "c",
    tool: "edit",
    title: "Edit",
    input: {},
    locations: paths.map((path) => ({ path })),
    options: [],
  };
  puppet.onPrompt = (agent) => agent.say(asks);
  const session = await sessionWith(puppet, { mode: "edits", cwd });
  session.prompt("edit");
  await rest();
  return puppet.session.answers[0]?.answer.decision;
}

test.each([[["src/a.ts"]], [["a.txt", "b/c.txt"]]])("allows edits of %j without approval", async (paths) => {
  expect(await decided(paths)).toBe("allow");
});

test.each([
  [["/etc/passwd"]],
  [["a.txt", "../b.txt"]],
  [[]],
  [[".git/hooks/pre-commit"]],
  [[".editor/tasks.json"]],
  [["a.txt", "deep/.env"]],
])("asks a person about edits of %j", async (paths) => {
  expect(await decided(paths)).toBe("deny");
});

test("treats a symlink as its target outside the workspace", async () => {
  const cwd = testFolder();
  symlinkSync(join("..", "not-yet"), join(cwd, "notes.txt"));
  expect(await decided(["notes.txt"], false, cwd)).toBe("deny");
});

test("asks a person about edits of an agent that allows ordinary edits itself", async () => {
  expect(await decided(["src/a.ts"], true)).toBe("deny");
});
