import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { collected, expectSturdy, fixtureText, lay, readWhole, toldPast } from "../../../test/support/past.ts";
import { GeminiPast, history } from "./history.ts";
import { sessionOf } from "./program.ts";

const text = fixtureText("gemini/history/session.jsonl");
const id = "5c057f04-b59f-4711-92d6-9ffb2754bbf0";
const header = (more: object) =>
  `${JSON.stringify({ sessionId: id, startTime: "2026-11-16T02:24:32.868Z", ...more })}\n`;

test("reads a conversation that the program kept, without empty ones, those of subagents or of an unknown folder", async () => {
  const folder = testFolder();
  lay(folder, {
    "tmp/app/.project_root": "/work/app\n",
    "tmp/app/chats/session-2026-11-16T02-24-5c057f04.jsonl": text,
    "tmp/app/chats/session-2026-11-16T02-24-6ec7b153.jsonl": header({ kind: "main" }),
    "tmp/app/chats/session-2026-11-16T02-24-7ec7b153.jsonl": text.replaceAll('"kind":"main"', '"kind":"subagent"'),
    "tmp/other/chats/session-2026-11-16T02-24-5c057f04.jsonl": text,
  });
  const past = history(folder);
  const sessions = await collected(past.list());
  expect(sessions).toMatchObject([{ id, cwd: "/work/app", messages: 23, model: "gemini-2.5-flash" }]);
  expect(sessionOf(sessions[0]!.state)).toBe(id);
  expect(toldPast(await readWhole(past, sessions[0]!))).toMatchInlineSnapshot(`
    [
      "you: scenario:thinking",
      "thought: Let me think about it. I t is simple.",
      "agent: I thought about it: 42.",
      "end: done",
      "you: scenario:write:notes.txt",
      "thought: I should wri te the file.",
      "agent: I will write it.",
      "write: Write notes.txt, ok, create notes.txt +1 -0",
      "agent: Done: Successfully created and wrote to new file: /work/app/notes.txt. Here is the updated code:
    hello world",
      "end: done",
      "you: scenario:edit:notes.txt",
      "agent: Reading first.",
      "read: Read notes.txt, ok",
      "agent: Editing.",
      "edit: Edit notes.txt, ok, modify notes.txt +1 -1",
      "agent: Done: Successfully modified file: /work/app/notes.txt (1 replacements). Here is the updated code:
    goodbye world",
      "end: done",
      "you: scenario:shell:echo%20hi",
      "agent: I will run a command.",
      "shell: Run echo hi, ok",
      "agent: It printed: <untrusted_context>
    Output: hi
    Process Group PGID: 62
    </untrusted_context>",
      "end: done",
      "you: scenario:failing-tool",
      "agent: This will fail.",
      "shell: Run mkdir no-such-folder/inside, ok",
      "agent: It failed: <untrusted_context>
    Output: mkdir: cannot create directory ‘no-such-folder/inside’: No such file or directory
    Exit Code: 1
    Process Group PGID: 72
    </untrusted_context>",
      "end: done",
      "you: scenario:two-tools",
      "agent: Two at once.",
      "write: Write one.txt, ok, create one.txt +1 -0",
      "write: Write two.txt, ok, create two.txt +1 -0",
      "agent: I got 2 results.",
      "end: done",
      "you: scenario:subagent",
      "agent: Delegating.",
      "task: Task: scenario:text Say hello., cancelled",
      "agent: The subagent said: Tool execution for "Generalist Agent" denied by policy.",
      "end: done",
      "you: scenario:echo:bye",
      "agent: bye",
      "end: done",
    ]
  `);
});

test("accepts damaged lines", () => expectSturdy((past) => new GeminiPast(past), text));
