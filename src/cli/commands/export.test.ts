/** `reins export` and `reins import` on the command line. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Place } from "../../../test/support/command.ts";
import { fixtureText, lay } from "../../../test/support/past.ts";
import type { ReinsEvent } from "../../events/types.ts";

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place[Symbol.dispose]());

const file = (name: string) => readFileSync(join(place.cwd, name), "utf8");

it("exports Markdown, events and a page, by the file name", async () => {
  await place.run(["run", "-a", "demo", "--mode", "full", "think hm; say *hello*; write a.txt some <b>"]);
  const markdown = await place.run(["export", "last"]);
  expect(markdown).toMatchObject({ code: 0, stderr: "" });
  expect(markdown.stdout).toMatch(/^# think hm; say/);
  expect(markdown.stdout).toContain("> *hello*");
  expect(markdown.stdout).not.toContain("> hm");

  expect(await place.run(["export", "last", "-o", "page.html"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/^Wrote page\.html, \d+ kB\.\n$/),
  });
  expect(file("page.html")).toMatch(/^<!doctype html>/);
  expect(file("page.html")).toContain("<em>hello</em>");
  expect(file("page.html")).toContain("+some &lt;b&gt;");

  const [streamed, exported] = await Promise.all([
    place.run(["log", "last", "--json"]),
    place.run(["export", "last", "-f", "jsonl"]),
  ]);
  expect(exported.stdout).toBe(streamed.stdout);
  expect(readdirSync(place.cwd).toSorted()).toEqual(["a.txt", "page.html"]);
});

it("reports errors in one sentence and leaves no partial file", async () => {
  await place.run(["run", "-a", "demo", "say hi"]);
  mkdirSync(join(place.cwd, "folder"));
  execFileSync("mkfifo", [join(place.cwd, "pipe")]);
  const refused: Promise<void>[] = [];
  for (const [args, said] of [
    [["export", "ses_none"], /^reins: There is no session ses_none\.\n/],
    [["export", "last", "-f", "pdf"], /^reins: .*md, jsonl, html/i],
    [["export", "last", "-o", "folder"], /^reins: folder is a folder\.\n/],
    [["export", "last", "-o", "pipe"], /^reins: pipe is no file\.\n/],
    [
      ["export", "last", "-o", "no/such/file.md"],
      /^reins: no\/such\/file\.md could not be written: the folder does not exist\.\n/,
    ],
  ] as const)
    refused.push(
      place.run(args).then((result) => {
        expect(result).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(said) });
      }),
    );
  await Promise.all(refused);
  expect(readdirSync(place.cwd).toSorted()).toEqual(["folder", "pipe"]);
});

const id = "c75abac5-432e-4d9a-b26a-43173b9b1343";

function keepFor(folder: string): void {
  const text = fixtureText("claude/history/conversation.jsonl").replaceAll("/work/app", folder);
  lay(place.home, { [`.claude/projects/some/${id}.jsonl`]: text });
}

it("imports an agent's sessions of this folder once; they are listed, shown and exported", async () => {
  keepFor(realpathSync(place.cwd));
  const first = await place.run(["import"]);
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^added {2}ses_\w+ {2}claude {2}.*scenario:thinking\n$/),
  });
  expect(first.stderr).toContain("1 session imported.\n");
  const again = await place.run(["import", "--json"]);
  expect(JSON.parse(again.stdout)).toMatchObject({ agent: "claude", nativeId: id, outcome: "known" });
  const shown = await place.run(["export", id, "-f", "jsonl"]);
  const events = shown.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ReinsEvent);
  expect(events[0]).toMatchObject({ type: "session.started", state: `claude:1:${id}`, agent: "claude" });
  expect(events.filter((event) => event.type === "turn.completed")).toHaveLength(9);
  const { stdout } = await place.run(["search", "takes a while", "--json"]);
  expect(JSON.parse(stdout.split("\n", 1)[0]!)).toMatchObject({ session: { source: `claude:${id}` } });
});

it("imports other folders only when told to, and never changes the agent's files", async () => {
  keepFor("/somewhere/else");
  const [here, others, nothing] = await Promise.all([
    place.run(["import"]),
    place.run(["import", "codex", "--all"]),
    place.run(["import", "demo"]),
  ]);
  expect(here).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("--all") });
  expect(others.stderr).toContain("No agent has conversations");
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining("keeps no conversations") });
  expect((await place.run(["import", "claude", "--all"])).stdout).toContain("/somewhere/else");
  expect(readdirSync(join(place.home, ".claude", "projects", "some"))).toEqual([`${id}.jsonl`]);
  expect(existsSync(join(place.home, ".codex"))).toBe(false);
});
