import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testFolder } from "../../../../test/support/core.ts";
import { collected, lay, readWhole, toldPast } from "../../../../test/support/past.ts";
import { historyFiles, historyLines, historyNote } from "./files.ts";
import { jsonlHistory } from "./jsonl.ts";
import { PastConversation } from "./past-conversation.ts";

/** Lines of `{ you }` and `{ agent }`. */
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

test("the list has facts of each conversation, without subagents and empty ones; a repeated line counts once", async () => {
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

test("broken lines are passed by and counted", async () => {
  const folder = testFolder();
  lay(folder, { "a.jsonl": '{"you":"hi"}\nnot JSON\n[1]\n\n{"agent":"bad"}\n{"agent":"hello"}\n{"agent":"cut' });
  const past = toy(folder);
  const [session] = await collected(past.list());
  expect(toldPast(await readWhole(past, session!))).toEqual([
    "you: hi",
    "agent: hello",
    "end: done",
    "notice: 4 parts of what the agent kept could not be read.",
  ]);
});

test("no link is followed, of files and of folders, but the folder itself may be one", async () => {
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

test("what stands beside them is read only where it is a small file", async () => {
  const folder = testFolder();
  lay(folder, { note: "/work/app", long: "x".repeat(100_000) });
  symlinkSync(join(folder, "note"), join(folder, "link"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const notes = ["note", "long", "link", "pipe", "none", "."].map((name) => historyNote(join(folder, name)));
  expect(await Promise.all(notes)).toEqual(["/work/app", "", "", "", "", ""]);
});

test("a long file comes in parts, and too long lines are left out", async () => {
  const path = join(testFolder(), "long.jsonl");
  const line = `${JSON.stringify({ text: "x".repeat(1000) })}\n`;
  writeFileSync(path, line.repeat(2000) + JSON.stringify({ text: "y".repeat(5000) }));
  const batches = await collected(historyLines(path, 2000));
  expect(batches.length).toBeGreaterThan(4);
  expect(batches.reduce((sum, { entries }) => sum + entries.length, 0)).toBe(2000);
  expect(batches.reduce((sum, { broken }) => sum + broken, 0)).toBe(1);
});

test("a turn was over when the last of it happened", () => {
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
