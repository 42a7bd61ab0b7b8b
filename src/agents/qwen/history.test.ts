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
import { QwenPast, history } from "./history.ts";

const id = "d072ad12-eb76-4c69-b847-7590c15d83d5";

test("reads a conversation that the program kept", async () => {
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
  expect(toldPast(await readWhole(past, sessions[0]!))).toEqual(
    recordedPast({
      write: "Successfully created and wrote to new file: /work/app/notes.txt.",
      edit: "The file: /work/app/notes.txt has been updated. Showing lines 1-2 of 2 from the edited file:\n\n---\n\ngoodbye world",
      shell:
        "Command: echo hi\nDirectory: (root)\nOutput: hi\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 96",
      failing:
        "Command: mkdir no-such-folder/inside\nDirectory: (root)\nOutput: mkdir: cannot create directory ‘no-such-folder/inside’: No such file or directory\nError: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: 109",
      calledOff: "interrupted",
    }),
  );
});

test("accepts damaged lines", () =>
  expectSturdy((past) => new QwenPast(past), fixtureText("qwen/history/conversation.jsonl")));
