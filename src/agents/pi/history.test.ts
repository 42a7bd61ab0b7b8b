import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PrivateFiles } from "../shared/program/private-files.ts";
import { conversationOf, decodeState, encodeState, historyText } from "./history.ts";

const folder = "/home/person/.pi/agent";

test("round-trips a state for any location of the conversation", () => {
  const inside = `${folder}/sessions/--x--/a b.jsonl`;
  expect(encodeState(inside, folder)).toBe("pi:1:sessions/--x--/a b.jsonl");
  for (const file of [inside, "/elsewhere/a.jsonl"]) expect(decodeState(encodeState(file, folder), folder)).toBe(file);
});

test.for([
  "",
  "pi:1:",
  "pi:1:../../x.jsonl",
  "pi:1:nonsense",
  "pi:1:/s/a.txt",
  "pi:2:/s/a.jsonl",
  "claude:1:x",
  "pi:1:/a\0.jsonl",
])("rejects the state %j", (state) =>
  expect(() => decodeState(state, folder)).toThrow(expect.objectContaining({ code: "session_not_found" })),
);

test("resumes, forks, or reports a missing conversation", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "reins-test-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const file = join(cwd, "s.jsonl");
  writeFileSync(file, historyText([{ role: "person", text: "Hi" }], cwd));
  const files = new PrivateFiles("pi", cwd);
  const found = (more: object) => conversationOf({ sessionId: "s", cwd, mode: "ask", ...more }, files, folder);
  const state = encodeState(file, folder);
  expect(await found({})).toEqual({});
  expect(await found({ history: [] })).toEqual({});
  expect(await found({ state })).toEqual({ file, copy: false });
  expect(await found({ state, fork: true })).toEqual({ file, copy: true });
  expect(await found({ state, cwd: "/elsewhere" })).toEqual({ file, copy: true });
  expect(await found({ history: [{ role: "agent", text: "x" }] })).toMatchObject({ copy: true });
  writeFileSync(file, '{"type":"message"}\n');
  await expect(found({ state })).rejects.toMatchObject({ code: "session_not_found" });
  // pi reports whether the file is really missing.
  const gone = join(cwd, "gone.jsonl");
  expect(await found({ state: encodeState(gone, folder) })).toEqual({ file: gone, copy: false });
  await files.remove();
});

test("converts a history to a conversation of pi", () => {
  const now = new Date(0);
  const lines = historyText(
    [
      { role: "person", text: "Hi" },
      { role: "agent", text: "Yes?" },
    ],
    "/work",
    now,
  )
    .trimEnd()
    .split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { type: "session", version: 3, cwd: "/work" },
    {
      type: "message",
      id: "00000000",
      parentId: null,
      message: { role: "user", content: [{ type: "text", text: "Hi" }] },
    },
    {
      type: "message",
      id: "00000001",
      parentId: "00000000",
      message: { role: "assistant", stopReason: "stop", timestamp: 0 },
    },
  ]);
});
