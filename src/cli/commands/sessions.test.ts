import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Place } from "../../../test/support/command.ts";
import { ago } from "../render/table.ts";
import { agentsWithQuota } from "./usage.ts";

let place: Place;
beforeEach(() => (place = new Place()));
afterEach(() => place[Symbol.dispose]());

const demo = (...args: string[]): string[] => ["run", "-a", "demo", ...args];

it("shows a stored session byte for byte as it was streamed", async () => {
  const streamed = await place.run(
    demo("--json", "--mode", "full", "say hello \\u0085; stream 50; write a.txt hi; run true"),
  );
  const { stdout, stderr } = await place.run(["log", "last", "--json"]);
  expect(stderr).toBe("");
  expect(stdout.slice(0, streamed.stdout.length)).toBe(streamed.stdout);
  const shown = await place.run(["log", "last"]);
  expect(shown.stdout).toContain("hello");
  expect(shown.stderr).toContain("> say hello");
  expect(shown.stderr).toContain("● Write a.txt");
});

it("lists, shows, names, finds, forks, removes and collects", async () => {
  await place.run(demo("say alpha"));
  const [listed] = (await place.run(["sessions", "--json"])).stdout.split("\n");
  const { id } = JSON.parse(listed!) as { id: string };
  expect((await place.run(["sessions"])).stdout).toMatch(new RegExp(`${id.slice(0, 12)} .* demo .* say alpha`));
  const renamed = await place.run(["sessions", "rename", id, "a\u001b[31m", "better\n", "title"]);
  expect(renamed.stderr).toContain("is now called: a better title\n");
  const shown = await place.run(["sessions", "show", "last"]);
  expect(shown.stdout).toMatch(/title\s+a better title\n[^]*leg +agent[^]*1 +demo[^]*turn +began/);
  expect((await place.run(["search", "alph"])).stdout).toContain(id.slice(0, 12));
  const forked = await place.run(["fork", id]);
  expect(forked.stdout).toMatch(/^ses_[\w-]+\n$/);
  expect(forked.stderr).toContain("the files were not");
  expect((await place.run(["sessions", "rm", forked.stdout.trim(), id])).code).toBe(0);
  expect((await place.run(["gc"])).stdout).toMatch(/^Removed 0 sessions and 0 files/);
  expect((await place.run(["usage", "--days", "1e15"])).stdout).toMatch(/demo +scripted +1 /);
});

it("reports a damaged store in every command", async () => {
  mkdirSync(join(place.home, "reins"));
  writeFileSync(join(place.home, "reins", "reins.db"), "no database ".repeat(100));
  const { stdout, stderr } = await place.run(["sessions"]);
  expect(stdout).toContain("No sessions yet.");
  expect(stderr).toMatch(/^! The store was damaged\. It was moved to .*, and a new one was created\.\n$/);
  expect((await place.run(["sessions"])).stderr).toBe("");
});

describe("bad input ends with one sentence", () => {
  it.each([
    [["log", "ses_nothing"], 2, "reins: There is no session ses_nothing.\n"],
    [["resume", "hello"], 2, "reins: No session of the folder"],
    [["resume", "fix: the last one"], 2, "reins: No session of the folder"],
    [["usage", "--days", "many"], 2, "It must be a number above 0."],
    [["search", "***"], 2, "reins: The query has no word to search for.\n"],
    [["gc", "--max-mb", "much"], 2, "It must be a number above 0."],
  ])("%s", async (args, code, sentence) => {
    const result = await place.run(args);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain(sentence);
  });
});

it.each([
  [0, "now"],
  [-5_000, "now"],
  [90_000, "1 min ago"],
  [7_200_000, "2 h ago"],
  [200_000_000, "2 d ago"],
])("formats %i ms ago as %s", (ms, words) => {
  expect(ago(new Date(1e12 - ms).toISOString(), 1e12)).toBe(words);
});

describe("agentsWithQuota", () => {
  const now = Date.parse("2027-01-01T12:00:00.000Z");
  const limit = { agent: "a", window: "five_hour", updatedAt: "2027-01-01T11:00:00.000Z" };
  const usage = { rows: [], limits: [], down: [] };

  it.each([
    ["reached", "2027-01-01T13:00:00.000Z", false],
    ["reached", "2027-01-01T11:30:00.000Z", true],
    ["reached", undefined, false],
    ["warning", "2027-01-01T13:00:00.000Z", true],
  ] as const)("handles a window that is %s until %s", (status, resetsAt, can) => {
    expect(agentsWithQuota({ ...usage, limits: [{ ...limit, status, resetsAt }] }, now)).toMatchObject([
      { agent: "a", can },
    ]);
  });

  it("uses the window that ends last, and ignores yesterday's readings", () => {
    const later = { ...limit, window: "week", status: "reached" as const, resetsAt: "2027-01-05T00:00:00.000Z" };
    const soon = { ...limit, status: "reached" as const, resetsAt: "2027-01-01T13:00:00.000Z" };
    expect(agentsWithQuota({ ...usage, limits: [later, soon] }, now)[0]?.why).toContain("2027-01-05");
    const old = { ...limit, status: "reached" as const, updatedAt: "2026-12-01T00:00:00.000Z" };
    expect(agentsWithQuota({ ...usage, limits: [old] }, now)[0]?.can).toBe(true);
  });

  it("leaves out an agent that is down, until it is back", () => {
    const down = [{ key: "b", until: now + 1, reason: "It is overloaded." }];
    expect(agentsWithQuota({ ...usage, down }, now)).toMatchObject([{ agent: "b", can: false }]);
    expect(agentsWithQuota({ ...usage, down }, now + 2)).toMatchObject([{ can: true }]);
  });
});
