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

test.each([[["src/a.ts"]], [["a.txt", "b/c.txt"]]])("edits of %j need nobody's word", async (paths) => {
  expect(await decided(paths)).toBe("allow");
});

test.each([
  [["/etc/passwd"]],
  [["a.txt", "../b.txt"]],
  [[]],
  [[".git/hooks/pre-commit"]],
  [[".editor/tasks.json"]],
  [["a.txt", "deep/.env"]],
])("edits of %j need a person's word", async (paths) => {
  expect(await decided(paths)).toBe("deny");
});

test("a link to a place outside is that place", async () => {
  const cwd = testFolder();
  symlinkSync(join("..", "not-yet"), join(cwd, "notes.txt"));
  expect(await decided(["notes.txt"], false, cwd)).toBe("deny");
});

test("an agent that lets ordinary edits pass by itself asks about others, so a person is asked", async () => {
  expect(await decided(["src/a.ts"], true)).toBe("deny");
});
