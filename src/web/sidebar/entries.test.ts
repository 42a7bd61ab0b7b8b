import { describe, expect, it } from "vitest";
import type { SessionSummary } from "../../server/schemas/sessions.ts";
import type { CloudEntry } from "../cloud/cloud.ts";
import { entriesOf, filtered, grouped, noFilter } from "./entries.ts";

const now = new Date(2026, 10, 16, 12).getTime();
const hours = (count: number) => new Date(now - count * 3_600_000).toISOString();

function session(id: string, updatedAt: string, more: Partial<SessionSummary> = {}): SessionSummary {
  const base = {
    id,
    cwd: "/work/shop",
    title: id,
    agent: "one",
    createdAt: updatedAt,
    updatedAt,
    lastSeq: 1,
    turns: 1,
  };
  return { ...base, open: false, running: false, waiting: [], ...more };
}

function elsewhere(id: string, state: string, updatedAt: string): CloudEntry {
  const work = {
    id,
    state,
    name: `cloud ${id}`,
    status: "working" as const,
    repositories: ["github.com/a/shop"],
    branches: [],
  };
  return { agent: "far", work: { ...work, updatedAt } };
}

const sessions = [
  session("new", hours(1)),
  session("asks", hours(30), { running: true, waiting: ["r"] }),
  session("runs", hours(40), { running: true, agent: "two", cwd: "/work/other" }),
  session("old", hours(24 * 20), { title: "fix\nthe \u001b[31mtests", outcome: "failed" }),
  session("held", hours(50), { state: "far-held" }),
];
const entries = entriesOf(sessions, [elsewhere("a", "far-a", hours(2)), elsewhere("b", "far-held", hours(2))]);

describe("entries", () => {
  it("lists sessions and cloud agents together, without duplicates", () => {
    expect(entries.map(({ key }) => key)).toEqual(["new", "far:a", "asks", "runs", "held", "old"]);
    expect(entries[1]).toMatchObject({ cloud: true, state: "running", path: "/cloud/far/a" });
  });

  it("lists waiting and running entries first, then by day", () => {
    const groups = grouped(entries, now).map(
      ({ label, entries: inside }) => `${label}: ${inside.map(({ key }) => key).join(" ")}`,
    );
    expect(groups).toEqual([
      "Waiting for you: asks",
      "Working: far:a runs",
      "Today: new",
      "This week: held",
      "Earlier: old",
    ]);
  });

  it("makes a title printable and marks a failed session", () => {
    expect(entries.at(-1)).toMatchObject({ title: "fix the tests", state: "failed" });
  });

  it.each([
    [{ words: "TESTS fix" }, ["old"]],
    [{ state: "waiting" as const }, ["asks"]],
    [{ state: "running" as const }, ["far:a", "runs"]],
    [{ agent: "two" }, ["runs"]],
    [{ place: "/work/other", words: "nothing" }, []],
  ])("filters by %j", (filter, keys) => {
    expect(filtered(entries, { ...noFilter, ...filter }).map(({ key }) => key)).toEqual(keys);
  });
});
