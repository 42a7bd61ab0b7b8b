import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { collected, fixtureText, readWhole, toldPast } from "../../../test/support/past.ts";
import { history } from "./history.ts";

type Rows = Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>;

/** A database with the recorded rows, still open for writing. */
function database(change: (rows: Rows) => Rows = (rows) => rows) {
  const folder = testFolder();
  const path = join(folder, "opencode.db");
  const db = new DatabaseSync(path);
  db.exec("pragma journal_mode = wal; begin; create table credential (id text, value text)");
  for (const [table, rows] of Object.entries(change(JSON.parse(fixtureText("opencode/history/rows.json")) as Rows))) {
    const names = Object.keys(rows[0]!);
    db.exec(`create table ${table} (${names.join(", ")})`);
    const insert = db.prepare(`insert into ${table} values (${names.map(() => "?").join(", ")})`);
    for (const row of rows) insert.run(...names.map((name) => row[name] ?? null));
  }
  db.exec("commit");
  return { folder, path, db };
}

test("reads a conversation while the program runs and after it ended", async () => {
  const { path, db, folder } = database();
  const past = history(path);
  const sessions = await collected(past.list({ cwd: "/work/app" }));
  expect(sessions).toMatchObject([
    {
      id: "ses_e1dd395d7ffee45iey7aPTcUjh",
      state: "opencode:1:ses_e1dd395d7ffee45iey7aPTcUjh",
      title: "A scripted answer",
      cwd: "/work/app",
      createdAt: "2026-11-16T02:25:24.008Z",
      messages: 23,
      model: "scripted/scripted",
      agentVersion: "1.18.33",
    },
  ]);
  const lines = toldPast(await readWhole(past, sessions[0]!));
  expect(lines).toMatchInlineSnapshot(`
    [
      "you: scenario:thinking",
      "thought: Let me think about it. It is simple.",
      "agent: I thought about it: 42.",
      "end: done",
      "you: scenario:write:notes.txt",
      "thought: I should write the file.",
      "agent: I will write it.",
      "write: Write notes.txt, ok, create notes.txt +1 -0",
      "agent: Done: Wrote file successfully.",
      "end: done",
      "you: scenario:edit:notes.txt",
      "agent: Reading first.",
      "read: Read notes.txt, ok",
      "agent: Editing.",
      "edit: Edit notes.txt, ok, modify notes.txt +1 -1",
      "agent: Done: Edit applied successfully.",
      "end: done",
      "you: scenario:shell:echo%20hi",
      "agent: I will run a command.",
      "shell: Run echo hi, ok",
      "agent: It printed: hi",
      "end: done",
      "you: scenario:failing-tool",
      "agent: This will fail.",
      "shell: Run mkdir no-such-folder/inside, ok",
      "agent: It failed: mkdir: cannot create directory ‘no-such-folder/inside’: No such file or directory",
      "end: done",
      "you: scenario:two-tools",
      "agent: Two at once.",
      "write: Write one.txt, ok, create one.txt +1 -0",
      "write: Write two.txt, ok, create two.txt +1 -0",
      "agent: I got 2 results.",
      "end: done",
      "you: scenario:subagent",
      "agent: Delegating.",
      "task: Task: Part of the work, ok",
      "agent: The subagent said: <task id="ses_e1dd355a0ffepeXqaCjkpmnxZz" state="completed">
    <task_result>
    Hello from the scripted model.
    </task_result>
    </task>",
      "end: done",
      "you: scenario:echo:bye",
      "agent: bye",
      "end: done",
    ]
  `);
  db.close();
  expect(readdirSync(folder)).toEqual(["opencode.db"]);
  expect(toldPast(await readWhole(past, sessions[0]!))).toEqual(lines);
  expect(readdirSync(folder)).toEqual(["opencode.db"]);
  expect(await collected(past.list({ cwd: "/elsewhere" }))).toEqual([]);
});

test("counts what cannot be read, and lists nothing for another kind of database", async () => {
  const { path, db } = database((rows) => ({
    ...rows,
    part: rows["part"]!.map((row, at) => (at === 1 ? { ...row, data: "{" } : row)),
  }));
  const past = history(path);
  const [session] = await collected(past.list());
  expect(toldPast(await readWhole(past, session!)).at(-1)).toBe(
    "notice: A part of the saved conversation could not be read.",
  );
  db.exec("drop table part; drop table session");
  expect(await collected(past.list())).toEqual([]);
  db.close();
  expect(await collected(history(join(path, "none.db")).list())).toEqual([]);
  expect(await collected(history(import.meta.filename).list())).toEqual([]);
});
