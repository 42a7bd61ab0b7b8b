import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { collected, expectSturdy, fixtureText, lay, readWhole, toldPast } from "../../../test/support/past.ts";
import { QwenPast } from "./history-events.ts";
import { history } from "./history.ts";

const id = "d072ad12-eb76-4c69-b847-7590c15d83d5";

test("a conversation that the program kept", async () => {
  const folder = testFolder();
  const text = fixtureText("qwen/history/conversation.jsonl");
  lay(folder, {
    [`projects/-work-app/chats/${id}.jsonl`]: text,
    [`projects/-work-app/subagents/${id}/agent.jsonl`]: text,
  });
  const past = history(folder);
  const sessions = await collected(past.list());
  expect(sessions).toMatchObject([
    { id, state: `qwen:1:${id}`, cwd: "/work/app", messages: 23, model: "qwen3-vl-plus", agentVersion: "0.24.4" },
  ]);
  expect(toldPast(await readWhole(past, sessions[0]!))).toMatchInlineSnapshot(`
    [
      "you: scenario:thinking",
      "thought: Let me think about it. It is simple.",
      "agent: I thought about it: 42.",
      "end: done",
      "you: scenario:write:notes.txt",
      "thought: I should write the file.",
      "agent: I will write it.",
      "write: Write notes.txt, ok, create notes.txt +1 -0",
      "agent: Done: Successfully created and wrote to new file: /work/app/notes.txt.",
      "end: done",
      "you: scenario:edit:notes.txt",
      "agent: Reading first.",
      "read: Read notes.txt, ok",
      "agent: Editing.",
      "edit: Edit notes.txt, ok, modify notes.txt +1 -1",
      "agent: Done: The file: /work/app/notes.txt has been updated. Showing lines 1-2 of 2 from the edited file:

    ---

    goodbye world",
      "end: done",
      "you: scenario:shell:echo%20hi",
      "agent: I will run a command.",
      "shell: Run echo hi, ok",
      "agent: It printed: Command: echo hi
    Directory: (root)
    Output: hi
    Error: (none)
    Exit Code: 0
    Signal: (none)
    Process Group PGID: 96",
      "end: done",
      "you: scenario:failing-tool",
      "agent: This will fail.",
      "shell: Run mkdir no-such-folder/inside, error",
      "agent: It failed: Command: mkdir no-such-folder/inside
    Directory: (root)
    Output: mkdir: cannot create directory ‘no-such-folder/inside’: No such file or directory
    Error: (none)
    Exit Code: 1
    Signal: (none)
    Process Group PGID: 109",
      "end: done",
      "you: scenario:two-tools",
      "agent: Two at once.",
      "write: Write one.txt, ok, create one.txt +1 -0",
      "write: Write two.txt, ok, create two.txt +1 -0",
      "agent: I got 2 results.",
      "end: done",
      "you: scenario:long-shell",
      "agent: This takes a while.",
      "shell: Run tail -f /dev/null, cancelled",
      "end: interrupted",
      "you: scenario:error-400",
      "end: failed",
      "you: scenario:echo:bye",
      "agent: bye",
      "end: done",
    ]
  `);
});

test("damaged lines are taken", () =>
  expectSturdy(() => new QwenPast("/work/app"), fixtureText("qwen/history/conversation.jsonl")));
