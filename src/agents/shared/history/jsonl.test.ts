import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../../../test/support/core.ts";
import { collected, lay, readWhole, toldPast } from "../../../../test/support/past.ts";
import { historyFiles, historyLines, historyNote } from "./files.ts";
import { jsonlHistory } from "./jsonl.ts";
import { PastConversation } from "./past-conversation.ts";

/** A history whose lines are `{ you }` and `{ agent }`. */
function toy(folder: string) {
  return jsonlHistory({
    folder,
    depth: 1,
    files: /\.jsonl$/,
    state: (id) => `toy:${id}`,
    reader: (past) => ({
      line({ id, you, agent, subagent }) {
        past.at("2026-01-01T00:00:00.000Z").cwd ??= "/w";
        past.id = "id";
        past.ofSubagent = subagent === true;
        if (agent === "bad") throw new Error("no");
        if (typeof id === "string" && !past.isNew(id)) return;
        if (typeof you === "string") past.prompt({ text: you });
        if (typeof agent === "string") past.message(agent);
      },
    }),
  });
}

test("lists the facts of each conversation without subagents and empty ones, counting repeated lines once", async () => {
  const folder = testFolder();
  lay(folder, {
    "a.jsonl": '{"you":"hi"}\n{"agent":"hello","id":"1"}\n{"agent":"hello","id":"1"}',
    "b.jsonl": '{"you":"hi","subagent":true}',
    "c.jsonl": "{}",
  });
  const time = "2026-01-01T00:00:00.000Z";
  const found = { id: "id", state: "toy:id", cwd: "/w", messages: 2, createdAt: time, updatedAt: time };
  expect(await collected(toy(folder).list())).toMatchObject([found]);
  expect(await collected(toy(folder).list({ cwd: "/elsewhere" }))).toEqual([]);
});

test("skips and counts broken lines", async () => {
  const folder = testFolder();
  lay(folder, { "a.jsonl": '{"you":"hi"}\nnot JSON\n[1]\n\n{"agent":"bad"}\n{"agent":"hello"}\n{"agent":"cut' });
  const past = toy(folder);
  const [session] = await collected(past.list());
  expect(toldPast(await readWhole(past, session!))).toEqual([
    "you: hi",
    "agent: hello",
    "end: done",
    "notice: 4 parts of the saved conversation could not be read.",
  ]);
});

test("follows no link to a file or folder, except the folder itself", async () => {
  const [elsewhere, folder, link] = [testFolder(), testFolder(), join(testFolder(), "link")];
  lay(elsewhere, { "secret.jsonl": "{}" });
  lay(folder, { "deep/a.jsonl": "{}", "deep/deeper/b.jsonl": "{}", "c.txt": "{}" });
  symlinkSync(join(elsewhere, "secret.jsonl"), join(folder, "linked.jsonl"));
  symlinkSync(elsewhere, join(folder, "linked"));
  symlinkSync(folder, link);
  const found = await historyFiles(link, 1, /\.jsonl$/);
  expect(found).toEqual([join(folder, "deep", "a.jsonl")]);
  await expect(collected(historyLines(join(folder, "linked.jsonl")))).rejects.toThrow("ELOOP");
  expect(await historyFiles(join(folder, "none"), 1, /./)).toEqual([]);
  mkdirSync(join(folder, "folder.jsonl"));
  expect(await collected(historyLines(join(folder, "folder.jsonl"))).catch(() => [])).toEqual([]);
});

test("reads a note beside the conversations only when it is a small file", async () => {
  const folder = testFolder();
  lay(folder, { note: "/work/app", long: "x".repeat(100_000) });
  symlinkSync(join(folder, "note"), join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const notes = ["note", "long", "link", "pipe", "none", "."].map((name) => historyNote(join(folder, name)));
  expect(await Promise.all(notes)).toEqual(["/work/app", "", "", "", "", ""]);
});

test("reads a long file in parts and leaves out lines that are too long", async () => {
  const path = join(testFolder(), "long.jsonl");
  const line = `${JSON.stringify({ text: "x".repeat(1000) })}\n`;
  writeFileSync(path, line.repeat(2000) + JSON.stringify({ text: "y".repeat(5000) }));
  const batches = await collected(historyLines(path, 2000));
  expect(batches.length).toBeGreaterThan(4);
  expect(batches.reduce((sum, { entries }) => sum + entries.length, 0)).toBe(2000);
  expect(batches.reduce((sum, { broken }) => sum + broken, 0)).toBe(1);
});

test("ends a turn at the time of its last event", () => {
  const turns = new PastConversation();
  turns.at("1").prompt({ text: "a" });
  turns.at("2").message("b");
  turns.at("9").prompt({ text: "c" });
  turns.event({ type: "tool.failed", callId: "t", error: { message: "" }, reason: "cancelled" });
  turns.over();
  turns.over();
  const events = turns.take();
  expect(events.map(({ time }) => time)).toEqual(["1", "2", "2", "9", "9", "9"]);
  expect(toldPast(events)).toEqual(["you: a", "agent: b", "end: done", "you: c", "end: cancelled"]);
});
