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
import { CodexPast, history } from "./history.ts";

const text = fixtureText("codex/history/rollout.jsonl");
const id = /"id":"([^"]+)"/.exec(text)![1]!;

test("reads a conversation that the program kept, without those of subagents", async () => {
  const folder = testFolder();
  lay(folder, {
    [`sessions/2026/11/16/rollout-2026-11-16T02-46-59-${id}.jsonl`]: text,
    "sessions/2026/11/16/rollout-2026-11-16T02-46-59-x.jsonl": text.replace(
      '"source":"vscode"',
      '"source":{"subagent":"review"}',
    ),
    "history.jsonl": text,
  });
  const past = history(folder);
  const sessions = await collected(past.list());
  expect(sessions).toMatchObject([
    { id, state: `codex:1:${id}`, cwd: "/work/app", messages: 19, model: "gpt-5.5", agentVersion: "0.166.0" },
  ]);
  expect(toldPast(await readWhole(past, sessions[0]!))).toEqual(
    recordedPast({
      write:
        "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nA /work/app/notes.txt",
      shell:
        "Chunk ID: f2a60f\nWall time: 0.0000 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\nhi",
      failing:
        "Chunk ID: ecd80f\nWall time: 0.0000 seconds\nProcess exited with code 1\nOriginal token count: 22\nOutput:\nmkdir: cannot create directory ‘no-such-folder/inside’: No such file or directory",
    }),
  );
});

test("reads prompts, commands, patches, plans and searches of older versions", () => {
  const past = new PastConversation("/work/app");
  const reader = new CodexPast(past);
  const event = (payload: object) => reader.line({ type: "event_msg", payload });
  const item = (payload: object) => reader.line({ type: "response_item", payload });
  event({ type: "user_message", message: "do it", images: ["data:"] });
  item({ type: "function_call", name: "shell", call_id: "1", arguments: '{"command":["bash","-lc","npm test"]}' });
  item({ type: "function_call_output", call_id: "1", output: { content: "fine" } });
  item({ type: "local_shell_call", call_id: "2", action: { type: "exec", command: ["ls", "-a"] } });
  item({ type: "function_call_output", call_id: "2", output: "a\n" });
  item({
    type: "function_call",
    name: "apply_patch",
    call_id: "3",
    arguments: '{"input":"*** Begin Patch\\n*** Update File: a\\n*** Move to: b\\n"}',
  });
  event({
    type: "patch_apply_end",
    call_id: "3",
    success: true,
    changes: { a: { type: "update", unified_diff: "@@ -1 +1 @@\n-x\n+y\n", move_path: "b" } },
  });
  item({ type: "function_call_output", call_id: "3", output: "Success." });
  item({
    type: "function_call",
    name: "update_plan",
    call_id: "4",
    arguments: '{"plan":[{"step":"one","status":"completed"},{"step":"two"}]}',
  });
  item({ type: "web_search_call", id: "5", action: { type: "search", query: "weather" } });
  item({ type: "function_call", name: "shell", call_id: "6", arguments: "no JSON" });
  reader.line({ type: "compacted", payload: {} });
  event({ type: "turn_aborted", reason: "interrupted" });
  past.over();
  const events = past.take();
  expect(toldPast(events)).toEqual([
    "you: do it",
    "shell: Run npm test, ok",
    "shell: Run ls -a, ok",
    "move: Rename a → b, ok, move b +1 -1",
    expect.stringMatching(/^plan: /),
    "web_search: Search the web: weather, ok",
    expect.stringMatching(/^shell: /),
    "compacted",
    "end: cancelled",
  ]);
  expect(events).toContainEqual({
    time: undefined,
    event: {
      type: "plan.updated",
      entries: [
        { text: "one", status: "completed" },
        { text: "two", status: "pending" },
      ],
    },
  });
});

test("accepts damaged lines", () => expectSturdy((past) => new CodexPast(past), text));
