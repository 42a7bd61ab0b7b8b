import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import {
  collected,
  expectSturdy,
  fixtureText,
  lay,
  readWhole,
  recordedPast,
  toldPast,
} from "../../../test/support/past.ts";
import { PastConversation } from "../shared/history/past-conversation.ts";
import { ClaudePast, history, promptOf } from "./history.ts";

const id = "c75abac5-432e-4d9a-b26a-43173b9b1343";
const text = fixtureText("claude/history/conversation.jsonl");

function kept(files: Readonly<Record<string, string>>) {
  const folder = testFolder();
  lay(folder, files);
  return history(folder);
}

test("reads a conversation that the program kept", async () => {
  const past = kept({
    [`projects/-work-app/${id}.jsonl`]: text,
    [`projects/-work-app/${id}/subagents/agent-a1.jsonl`]: text,
    "projects/-work-app/notes.jsonl": text,
  });
  const sessions = await collected(past.list());
  expect(sessions).toEqual([
    {
      id,
      state: `claude:1:${id}`,
      cwd: "/work/app",
      title: undefined,
      createdAt: expect.stringMatching(/^2026-11-16T02:46/),
      updatedAt: expect.stringMatching(/^2026-11-16T02:46/),
      messages: 23,
      model: "claude-opus-5-5",
      agentVersion: "2.1.325",
      place: expect.stringContaining(join("-work-app", `${id}.jsonl`)),
    },
  ]);
  expect(toldPast(await readWhole(past, sessions[0]!))).toEqual(
    recordedPast({
      write:
        "File created successfully at: /work/app/notes.txt (file state is current in your context — no need to Read it back)",
      edit: "The file /work/app/notes.txt has been updated successfully. (file state is current in your context — no need to Read it back)",
      shell: "hi",
      failing: "Exit code 1\nmkdir: cannot create directory ‘no-such-folder/inside’: No such file or directory",
    }),
  );
});

test("lists only the conversations of a folder", async () => {
  const past = kept({ [`projects/-work-app/${id}.jsonl`]: text });
  expect(await collected(past.list({ cwd: "/work/app" }))).toHaveLength(1);
  expect(await collected(past.list({ cwd: "/work" }))).toEqual([]);
});

let users = 0;
const user = (content: unknown, more: object = {}) => ({
  type: "user",
  uuid: `u${++users}`,
  message: { content },
  ...more,
});

test.each([
  ["a text", "hello", "hello"],
  [
    "blocks",
    [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
    "a\nb",
  ],
  [
    "a command",
    "<command-message>clear</command-message>\n<command-name>/model</command-name>\n<command-args>opus</command-args>",
    "/model opus",
  ],
  ["a command line", "<bash-input>ls</bash-input>", "! ls"],
  ["words for the model", "<system-reminder>be good</system-reminder>", undefined],
  ["the output of a command", "<local-command-stdout>x</local-command-stdout>", undefined],
  ["a result", [{ type: "tool_result", tool_use_id: "t", content: "x" }], undefined],
  ["nothing", undefined, undefined],
])("shows what a person said: %s", (_, content, said) => expect(promptOf(user(content))?.text).toBe(said));

test("leaves out repeated lines, lines for the model and lines of subagents, and ends the turn at an interruption", () => {
  const past = new PastConversation("/work/app");
  const reader = new ClaudePast(past);
  const first = user("first");
  const answer = { type: "assistant", uuid: "a", message: { content: [{ type: "text", text: "yes" }] } };
  for (const entry of [
    first,
    first,
    user("of the program", { isMeta: true }),
    user("of a subagent", { isSidechain: true }),
    answer,
    { type: "system", subtype: "compact_boundary", uuid: "c", compactMetadata: { trigger: "manual" } },
    user("a summary", { isCompactSummary: true }),
    user("second"),
    user([{ type: "text", text: "[Request interrupted by user]" }]),
    user("third"),
  ])
    reader.line(entry);
  past.over();
  expect(toldPast(past.take())).toEqual([
    "you: first",
    "agent: yes",
    "compacted",
    "end: done",
    "you: second",
    "end: cancelled",
    "you: third",
    "end: interrupted",
  ]);
});

test("accepts damaged lines", () => expectSturdy((past) => new ClaudePast(past), text));
